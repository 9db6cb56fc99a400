import { describe, expect, it } from 'vitest';
import { nextOrder, sessionsFilter, sessionsSearch } from './sessions-filter.ts';

const empty = { q: '', state: '', sort: '', order: '' };

describe('sessions filter', () => {
  it('reads words, pairs, state and order', () => {
    const view = { q: 'batch user:app server:10.0.0.1:2881', state: 'running', sort: 'transaction', order: 'desc' };
    const filter = sessionsFilter(view);
    expect(filter).toEqual({
      text: 'batch',
      user: 'app',
      server: '10.0.0.1:2881',
      state: 'running',
      sort: 'transaction',
      order: 'desc',
    });
    expect(sessionsSearch(filter, 100, 50)).toContain('user=app');
    expect(sessionsSearch(filter, 100, 50)).toContain('offset=100&limit=50');
  });

  it('takes what does not exist for none', () => {
    expect(sessionsFilter({ ...empty, state: 'asleep', sort: 'colour', order: 'up' })).toEqual({
      sort: 'id',
      order: 'asc',
    });
  });

  it('turns the order of a column round, and begins with the usual one', () => {
    expect(nextOrder('transaction', { sort: 'id', order: 'asc' })).toBe('desc');
    expect(nextOrder('user', { sort: 'id', order: 'asc' })).toBe('asc');
    expect(nextOrder('user', { sort: 'user', order: 'asc' })).toBe('desc');
  });
});
