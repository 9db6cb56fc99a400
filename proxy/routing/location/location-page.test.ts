import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LocationEntry, newEntry } from './location-entry.ts';
import { type LocationPageQuery, orderOf, pickPage } from './location-page.ts';

const filter: LocationPageQuery['filter'] = {
  kinds: ['table', 'partition', 'tenant'],
  cluster: null,
  tenant: null,
  database: null,
  contains: null,
  like: null,
  missing: true,
  isMissing: false,
  state: null,
  server: null,
};
const entryOf = (table: string, tabletId = '0'): LocationEntry =>
  newEntry({ tenant: 't', database: 'd', table, tabletId }, null, 0);
const orderIn = ({ tenant, database, table, tabletId }: LocationEntry): string =>
  orderOf({ cluster: 'c', tenant, database, table, tabletId });

describe('a page of locations', () => {
  it('pages one after the other are all entries in order, none twice', () => {
    const names = fc.uniqueArray(fc.string({ maxLength: 4 }), { maxLength: 60 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 9 }), (tables, limit) => {
        const entries = tables.map((table) => entryOf(table));
        const seen: LocationEntry[] = [];
        for (;;) {
          const last = seen.at(-1);
          const after = last === undefined ? null : { cluster: 'c', ...last };
          const { picked, matches } = pickPage(entries, 'c', { filter, after, limit });
          expect(matches).toBe(entries.length);
          seen.push(...picked.slice(0, limit));
          if (picked.length <= limit) break;
        }
        expect(seen).toEqual([...entries].sort((a, b) => (orderIn(a) < orderIn(b) ? -1 : 1)));
      }),
    );
  });

  it('of 50,000 entries only a page is kept while looking through them', () => {
    const entries = Array.from({ length: 50_000 }, (_, index) => entryOf(`t${(index * 7919) % 50_000}`));
    const { picked, matches } = pickPage(entries, 'c', {
      filter: { ...filter, contains: 't4999' },
      after: null,
      limit: 5,
    });
    expect(matches).toBe(11);
    expect(picked.map(({ table }) => table)).toEqual(['t4999', 't49990', 't49991', 't49992', 't49993', 't49994']);
  });
});
