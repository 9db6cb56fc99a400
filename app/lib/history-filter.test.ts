import { describe, expect, it } from 'vitest';
import { historyFilter, historySearch } from './history-filter.ts';

const empty = { q: '', from: '', to: '' };

describe('historyFilter', () => {
  it('turns pairs into fields and words into text', () => {
    expect(historyFilter({ ...empty, q: 'source:sql actor:root fail window' }, 'UTC')).toEqual({
      source: 'sql',
      actor: 'root',
      text: 'fail window',
    });
  });

  it('knows who, from where, in which request and with what outcome', () => {
    const q = 'role:viewer origin:10.0.0.1 request:sql-1-2 outcome:Refused outcome:odd';
    expect(historyFilter({ ...empty, q }, 'UTC')).toEqual({
      role: 'viewer',
      origin: '10.0.0.1',
      requestId: 'sql-1-2',
      outcome: 'refused',
      text: 'outcome:odd',
    });
  });

  it('searches what is no source or action as text', () => {
    expect(historyFilter({ ...empty, q: 'source:moon action:dance' }, 'UTC')).toEqual({
      text: 'source:moon action:dance',
    });
  });

  it('case B106 days are half-open intervals of the shown zone, also when the clocks change', () => {
    expect(historyFilter({ ...empty, from: '2024-10-27', to: '2024-10-27' }, 'Europe/Berlin')).toEqual({
      from: '2024-10-26T22:00:00.000Z',
      to: '2024-10-27T23:00:00.000Z',
    });
    expect(historyFilter({ ...empty, from: '2024-10-27', to: '2024-10-27' }, 'Asia/Kolkata')).toEqual({
      from: '2024-10-26T18:30:00.000Z',
      to: '2024-10-27T18:30:00.000Z',
    });
  });

  it('ignores days that are none', () => {
    expect(historyFilter({ q: '', from: '2024-13-40', to: 'x' }, 'UTC')).toEqual({});
  });
});

describe('historySearch', () => {
  it('writes a query string, or nothing', () => {
    expect(historySearch({})).toBe('');
    expect(historySearch({ text: 'a&b=c' }, { before: 7, limit: 50 })).toBe('?text=a%26b%3Dc&before=7&limit=50');
    expect(historySearch({}, { before: null })).toBe('');
  });
});
