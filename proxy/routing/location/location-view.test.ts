import { describe, expect, it } from 'vitest';
import { newEntry } from './location-entry.ts';
import { isWanted, type LocationFilter, mergeViews, viewOf } from './location-view.ts';

const entryOf = (table: string, tabletId = '0', database = 'd') => {
  const entry = newEntry({ tenant: 't', database, table, tabletId }, null, 1_000);
  const replicas = [{ address: '1.1.1.1:2881', role: 'leader' as const }];
  const name = { tenant: 't', database, table };
  entry.location = { ...name, tableId: '5', partitionCount: 1, schemaVersion: '9', replicas };
  entry.state = 'AVAIL';
  return entry;
};

describe('cached locations as they are shown', () => {
  it('times are of the wall clock; what never was is null', () => {
    expect(viewOf(entryOf('x'), 'c', null, 500_000)).toMatchObject({
      cluster: 'c',
      kind: 'table',
      missing: null,
      tableId: '5',
      createdAtMs: 501_000,
      accessedAtMs: 501_000,
      updatedAtMs: null,
      validAtMs: null,
      expiresAtMs: null,
    });
    expect(viewOf(entryOf('x', '20'), 'c', null, 0).kind).toBe('partition');
    expect(viewOf(entryOf('__all_dummy', '0', 'oceanbase'), 'c', null, 0).kind).toBe('tenant');
  });

  it('of several workers the newest counts, and the uses of all', () => {
    const view = { ...viewOf(entryOf('x'), 'c', null, 0), hits: 3, misses: 1 };
    const newest = { ...view, updatedAtMs: 9_000, createdAtMs: 2_000, accessedAtMs: 5_000, state: 'DIRTY' as const };
    const oldest = { ...view, updatedAtMs: 8_000, createdAtMs: 1_000, accessedAtMs: 7_000, validAtMs: 6_000 };
    const other = { ...view, table: 'a' };
    expect(mergeViews([[newest], [oldest, other]])).toEqual([
      other,
      { ...newest, createdAtMs: 1_000, accessedAtMs: 7_000, validAtMs: 6_000, hits: 6, misses: 2, workers: 2 },
    ]);
  });

  it("case B98 LIKE takes quotes in a name, and blanks in a table's name, as they are", () => {
    const all: LocationFilter = {
      kinds: ['table'],
      cluster: null,
      tenant: null,
      database: null,
      contains: null,
      like: null,
      missing: false,
    };
    expect(isWanted(entryOf("o'neil"), 'c', { ...all, like: "o'neil" })).toBe(true);
    expect(isWanted(entryOf('order items'), 'c', { ...all, like: 'order items' })).toBe(true);
    expect(isWanted(entryOf('order items'), 'c', { ...all, like: 'c t d order items' })).toBe(true);
  });

  it('is filtered by kind, name and whether there is a place', () => {
    const all: LocationFilter = {
      kinds: ['table', 'partition', 'tenant'],
      cluster: null,
      tenant: null,
      database: null,
      contains: null,
      like: null,
      missing: false,
    };
    const entry = entryOf('Orders');
    const wanted = (filter: Partial<LocationFilter>) => isWanted(entry, 'c', { ...all, ...filter });
    expect(wanted({})).toBe(true);
    expect(wanted({ cluster: 'c', tenant: 't', database: 'd', contains: 'd.oRd' })).toBe(true);
    for (const filter of [{ kinds: ['partition'] as const }, { cluster: 'e' }, { tenant: 'u' }, { database: 'e' }]) {
      expect(wanted(filter)).toBe(false);
    }
    expect(wanted({ contains: 'x' })).toBe(false);
    for (const like of ['orders', 'o_ders', 'c t', 'c', 'c t d ORD%', '%', '% % d', 'C T D Orders']) {
      expect(wanted({ like }), like).toBe(true);
    }
    for (const like of ['', 'order', 't', 'c u', 'c t e Orders', 'c t d x', 'c t d Orders x']) {
      expect(wanted({ like }), like).toBe(false);
    }
    entry.location = null;
    expect(wanted({})).toBe(false);
    expect(wanted({ missing: true })).toBe(true);
  });
});
