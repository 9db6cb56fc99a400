/** Location caches of two workers for tests of the control API, with as many entries as are put in. */
import { type LocationEntry, newEntry } from '../routing/location/location-entry.ts';
import { type LocationPage, type LocationPageQuery, mergePages, pickPage } from '../routing/location/location-page.ts';
import { type LocationKey, type LocationView, viewOf } from '../routing/location/location-view.ts';
import type { LocationService } from './location-service.ts';

const CLUSTER = 'obtest';

export class TestLocations implements LocationService {
  /** By worker. */
  readonly entries: LocationEntry[][] = [[], []];
  readonly refreshed: LocationKey[] = [];

  /** Puts a table with a leader on every worker, or on one. */
  add(table: string, worker: number | null = null): LocationEntry[] {
    const name = { tenant: 't', database: 'd', table, tabletId: '0' };
    const replicas = [
      { address: '10.0.0.1:2881', role: 'leader' as const },
      { address: '10.0.0.2:2881', role: 'follower' as const },
    ];
    const made = this.entries.map((list, index) => {
      const entry = newEntry(name, null, 1000);
      entry.location = {
        tenant: 't',
        database: 'd',
        table,
        tableId: '5',
        partitionCount: 1,
        schemaVersion: '1',
        replicas,
      };
      entry.state = 'AVAIL';
      entry.hits = 3;
      entry.misses = 1;
      if (worker === null || worker === index) list.push(entry);
      return entry;
    });
    return made;
  }

  async page(query: LocationPageQuery): Promise<LocationPage> {
    const pages = this.entries.map((list): LocationPage => {
      const { picked, matches } = pickPage(list, CLUSTER, query);
      const views = picked.slice(0, query.limit).map((entry) => viewOf(entry, CLUSTER, null, 0));
      return { views, matches, hasMore: picked.length > query.limit };
    });
    return mergePages(pages, query.limit);
  }

  async locations(): Promise<readonly LocationView[]> {
    return [];
  }

  async refreshLocation(key: LocationKey): Promise<LocationView | null> {
    this.refreshed.push(key);
    const entry = this.entries.flat().find(({ table }) => table === key.table);
    return entry === undefined ? null : viewOf(entry, CLUSTER, null, 0);
  }
}
