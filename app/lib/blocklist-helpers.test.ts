import { describe, expect, it } from 'vitest';
import { parseAlertChoices } from './alert-choices.ts';
import { eventFilter, eventSearch } from './blocklist-filter.ts';
import { newlyListed } from './listed-servers.ts';

const anything = { cluster: '', zone: '', server: '', list: '', change: '' };

describe('eventFilter', () => {
  it('passes on what is chosen, and takes what does not exist as any', () => {
    expect(eventFilter(anything)).toEqual({});
    expect(eventFilter({ ...anything, zone: 'zone2', list: 'alive', change: 'listed' })).toEqual({
      zone: 'zone2',
      list: 'alive',
      change: 'listed',
    });
    expect(eventFilter({ ...anything, list: 'dead', change: 'gone', server: 'x'.repeat(200) })).toEqual({});
  });

  it('becomes a query string that keeps special characters apart', () => {
    expect(eventSearch({ zone: 'a&b' }, { before: 7, limit: 20 })).toBe('?zone=a%26b&before=7&limit=20');
    expect(eventSearch({}, { before: null, limit: 20 })).toBe('?limit=20');
  });
});

describe('newlyListed', () => {
  it('tells servers that were on no list, not those that came on a further one', () => {
    const a = { cluster: 'c', address: 'a', lists: ['alive'] } as const;
    const both = { ...a, lists: ['alive', 'detection'] } as const;
    const elsewhere = { ...a, cluster: 'other' };
    expect(newlyListed([], [a])).toEqual([a]);
    expect(newlyListed([a], [both, elsewhere])).toEqual([elsewhere]);
  });
});

describe('parseAlertChoices', () => {
  it('is off for all but what was switched on', () => {
    expect(parseAlertChoices(null)).toEqual({ title: false, desktop: false, sound: false });
    expect(parseAlertChoices('sound title sirens')).toEqual({ title: true, desktop: false, sound: true });
  });
});
