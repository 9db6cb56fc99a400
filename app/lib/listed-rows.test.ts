import { describe, expect, it } from 'vitest';
import { listedNow, listedThen } from './listed-rows.ts';
import { aBlocklist, aListing, anEvent, aServer, at } from './overview-samples.ts';

const nowMs = Date.parse(at) + 60_000;
const later = '2026-03-01T03:12:30.000Z';

describe('listed servers', () => {
  it('are those on a list, listed longest first, each with its reasons in their order', () => {
    const rows = listedNow(
      [
        aBlocklist([
          aServer('c', { listings: [aListing('detection', later)] }),
          aServer('b'),
          aServer('a', { listings: [aListing('alive', later), aListing('detection', at)] }),
        ]),
      ],
      nowMs,
    );
    expect(rows.map(({ address, since }) => [address, since])).toEqual([
      ['a', at],
      ['c', later],
    ]);
    expect(rows[0]?.listings.map(({ list }) => list)).toEqual(['detection', 'alive']);
  });

  it('between the two ends have a look of their own: waiting, being tried, recovering, upgrading, leaving', () => {
    const phaseOf = (parts: Parameters<typeof aServer>[1]) =>
      listedNow([aBlocklist([aServer('a', parts)])], nowMs)[0]?.phase;
    const alive = { listings: [aListing('alive')] };
    expect(phaseOf({ ...alive, retryAt: new Date(nowMs + 1_000).toISOString() })).toBe('waiting');
    expect(phaseOf({ ...alive, retryAt: new Date(nowMs).toISOString() })).toBe('trying');
    const status = { listings: [aListing('status')] };
    expect(phaseOf({ ...status, state: 'REPLAY' })).toBe('recovering');
    expect(phaseOf({ ...status, zoneState: 'UPGRADE' })).toBe('upgrading');
    expect(phaseOf({ ...status, state: 'DELETING' })).toBe('leaving');
    expect(phaseOf({ ...status, state: 'INACTIVE' })).toBe('down');
    // Unreachable as well: no word of the cluster makes that better.
    expect(phaseOf({ listings: [aListing('status'), aListing('detection')], state: 'REPLAY' })).toBe('down');
  });

  it('of a moment that has passed come from the listings that had not ended by then', () => {
    const rows = listedThen([
      anEvent(1, { server: 'b', list: 'alive', at: later }),
      anEvent(2, { server: 'a', list: 'detection', at }),
      anEvent(3, { server: 'a', list: 'alive', at: later }),
    ]);
    expect(rows).toMatchObject([
      { address: 'a', phase: 'down', since: at, listings: [{ list: 'detection' }, { list: 'alive' }] },
      { address: 'b', phase: 'waiting', since: later },
    ]);
  });
});
