import { describe, expect, it } from 'vitest';
import { hitRate, locationsFilter, locationsSearch } from './locations-filter.ts';

const view = { q: '', kind: '', state: '' };

describe('the filter of the locations', () => {
  it('takes words and keys from the search box, and leaves out what does not exist', () => {
    expect(locationsFilter({ q: 'trade.ord tenant:t1 server:10.0.0.1:2881', kind: 'table', state: 'doubt' })).toEqual({
      text: 'trade.ord',
      tenant: 't1',
      server: '10.0.0.1:2881',
      kind: 'table',
      state: 'doubt',
    });
    expect(locationsFilter({ ...view, kind: 'nonsense', state: 'nonsense' })).toEqual({});
  });

  it('becomes a query string', () => {
    expect(locationsSearch({ text: 'a b' }, { after: null, limit: 50 })).toBe('?text=a+b&limit=50');
    expect(locationsSearch({}, { after: '["c"]', limit: 5 })).toBe('?after=%5B%22c%22%5D&limit=5');
  });

  it('knows no hit rate of what was never used', () => {
    expect(hitRate({ hits: 0, misses: 0 })).toBeNull();
    expect(hitRate({ hits: 3, misses: 1 })).toBe(0.75);
  });
});
