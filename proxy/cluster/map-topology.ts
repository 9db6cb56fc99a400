/** From the rows of the cluster's views to zones and servers (reference proxy's server-state processor). No I/O. */

import { type ServerAddress, toServerAddress } from '../config/server-address.ts';
import type { MetadataRow } from './metadata-connection.ts';
import { type ServerState, type Zone, type ZoneState, type ZoneType, zoneTypes } from './states.ts';
import type { ObServer } from './topology.ts';

/** What a view told, and in words what of it was unusable. */
export interface Mapped<T> {
  readonly items: readonly T[];
  readonly problems: readonly string[];
}

/**
 * Zones of DBA_OB_ZONES (V4) or __all_virtual_zone_stat (V3): columns zone, status, is_merging, region, spare4 (IDC),
 * spare5 (zone type), R6. One unusable row spoils the whole answer (`items` is then empty): with half of the zones known
 * a router would take the others' servers for being nowhere.
 */
export function mapZones(rows: readonly MetadataRow[]): Mapped<Zone> {
  const items: Zone[] = [];
  const problems: string[] = [];
  for (const row of rows) {
    const name = row.zone ?? '';
    const state = zoneState(row.status, row.is_merging);
    const type = zoneType(row.spare5);
    if (name === '') problems.push('a zone without a name');
    else if (state === null) problems.push(`zone ${name} has the unknown status '${row.status}'`);
    else if (type === null) problems.push(`zone ${name} has the unknown type '${row.spare5}'`);
    else items.push({ name, region: row.region ?? '', idc: row.spare4 ?? '', type, state });
  }
  return { items: problems.length === 0 ? sortBy(items, (zone) => zone.name) : [], problems };
}

/**
 * Servers of DBA_OB_SERVERS (V4) or __all_virtual_proxy_server_stat (V3): columns svr_ip, svr_port (SQL port), zone,
 * status, start_service_time, stop_time (times: V3 µs, V4 0/1). Rows without a usable address are left out and told.
 */
export function mapServers(rows: readonly MetadataRow[]): Mapped<ObServer> {
  const items = new Map<string, ObServer>();
  const problems: string[] = [];
  for (const row of rows) {
    const address = toServerAddress(row.svr_ip ?? '', Number(row.svr_port));
    if (address === null) {
      problems.push(`a server has the unusable address '${row.svr_ip}', port '${row.svr_port}'`);
      continue;
    }
    items.set(address.text, { ...describeServer(address), zone: row.zone ?? '', ...serverState(row) });
  }
  return { items: sortBy([...items.values()], (server) => server.address), problems };
}

/** The configured servers as they count while nothing, or nothing more, is known of them. */
export function serversOfList(list: readonly ServerAddress[], reason: string): ObServer[] {
  return list.map((address) => ({ ...describeServer(address), zone: '', state: 'ACTIVE', reason }));
}

function describeServer(address: ServerAddress): Pick<ObServer, 'address' | 'host' | 'port'> {
  return { address: address.text, host: address.host, port: address.port };
}

function serverState(row: MetadataRow): { state: ServerState; reason: string } {
  const status = (row.status ?? '').toLowerCase();
  if (isSet(row.stop_time)) {
    return { state: 'UPGRADE', reason: 'stopped by an administrator (stop_time is set), as for an upgrade' };
  }
  if (!isSet(row.start_service_time)) {
    return status === 'active'
      ? { state: 'REPLAY', reason: 'alive but not in service yet (no start_service_time): it still replays its log' }
      : { state: 'INACTIVE', reason: `status is '${status}' and it is not in service` };
  }
  if (status === 'active') return { state: 'ACTIVE', reason: 'active and in service' };
  if (status === 'deleting') return { state: 'DELETING', reason: 'is being removed from the cluster' };
  if (status === 'inactive') return { state: 'INACTIVE', reason: 'the cluster finds it inactive' };
  return { state: 'INACTIVE', reason: `the cluster gives it the status '${status}', which this proxy does not know` };
}

/** A stopped zone is being upgraded (reference proxy's reading). */
function zoneState(status: string | null | undefined, isMerging: string | null | undefined): ZoneState | null {
  const word = (status ?? '').toUpperCase();
  if (word === 'INACTIVE') return 'UPGRADE';
  if (word !== 'ACTIVE') return null;
  return isSet(isMerging) ? 'MERGE' : 'ACTIVE';
}

function zoneType(text: string | null | undefined): ZoneType | null {
  if (text === null || text === undefined || text === '') return 'ReadWrite';
  return zoneTypes.find((type) => type.toLowerCase() === text.toLowerCase()) ?? null;
}

/** V3 gives times in µs with 0 for none, V4's query gives 0 or 1; a plain table may give a time text or NULL. */
function isSet(value: string | null | undefined): boolean {
  return value !== null && value !== undefined && !/^(0*|0+\.0+|false|no)$/i.test(value);
}

/** Views come in any order; a fixed one keeps the revision from growing without a change. */
function sortBy<T>(items: T[], key: (item: T) => string): T[] {
  return items.sort((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}
