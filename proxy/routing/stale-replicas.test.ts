import { describe, expect, it } from 'vitest';
import { planRoute } from './plan.ts';
import { StaleReplicas } from './stale-replicas.ts';
import { addressesOf, clusterOf, locationOf, plainInput, plainSettings } from './testing/cluster-of.ts';

const whole = locationOf(['a', 'leader'], ['b', 'follower'], ['c', 'follower']);
const p1 = { ...whole, tabletId: '11' };
const p2 = { ...whole, tabletId: '12' };

function replicas() {
  const clock = { nowMs: 0 };
  const stale = new StaleReplicas({
    nowMs: () => clock.nowMs,
    wallMs: () => 1_000_000 + clock.nowMs,
    forgetAfterMs: () => 60_000,
  });
  return { clock, stale };
}

describe('case B78 replicas that were too old', () => {
  it('are left alone for read_stale_retry_interval, and only for that partition', () => {
    const { clock, stale } = replicas();
    expect(stale.of(p1, 5000)).toBeNull();
    stale.mark('b', p1);
    expect(stale.of(p1, 5000)?.('b')).toBe(true);
    expect(stale.of(p1, 5000)?.('c')).toBe(false);
    expect(stale.of(p2, 5000)?.('b')).toBe(false);
    expect(stale.of(whole, 5000)?.('b')).toBe(false);
    expect(stale.of({ ...p1, tenant: 'other' }, 5000)?.('b')).toBe(false);
    clock.nowMs = 4999;
    expect(stale.of(p1, 5000)?.('b')).toBe(true);
    clock.nowMs = 5000;
    expect(stale.of(p1, 5000)?.('b')).toBe(false);
    stale.mark('b', p1);
    clock.nowMs = 9000;
    expect(stale.of(p1, 5000)?.('b')).toBe(true);
  });

  it('are forgotten after read_stale_remove_interval, and never more than 10,000', () => {
    const { clock, stale } = replicas();
    stale.mark('b', p1);
    clock.nowMs = 30_000;
    stale.mark('c', whole);
    expect(stale.list()).toEqual([
      { address: 'b', tenant: 't', tableId: '1', tabletId: '11', atMs: 0, wallAtMs: 1_000_000 },
      { address: 'c', tenant: 't', tableId: '1', tabletId: '0', atMs: 30_000, wallAtMs: 1_030_000 },
    ]);
    clock.nowMs = 60_000;
    expect(stale.list().map(({ address }) => address)).toEqual(['c']);
    for (let tablet = 0; tablet < 10_100; tablet++) stale.mark('b', { ...whole, tabletId: String(tablet) });
    expect(stale.list()).toHaveLength(10_000);
    expect(stale.list()[0]?.tabletId).toBe('100');
  });
});

describe('case B78 the order of a weak read', () => {
  const topology = clusterOf([{ name: 'z', idc: '', region: '', servers: ['a', 'b', 'c', 'd'] }]);
  const order = (stale: readonly string[], proxyRoutePolicy = '', random = 0) =>
    planRoute({
      ...plainInput,
      topology,
      location: whole,
      consistency: 'weak',
      settings: { ...plainSettings, proxyRoutePolicy },
      isStale: (address) => stale.includes(address),
      random,
    });

  it('has them behind all others', () => {
    expect(addressesOf(order(['b']))).toEqual(['a', 'c', 'd', 'b']);
    expect(addressesOf(order(['b'], 'follower_first'))).toEqual(['c', 'a', 'd', 'b']);
    expect(order(['b']).candidates[3]?.reason).toContain('lately too old');
    expect(addressesOf(order([]))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('has the leader first when every other replica was too old, even with follower_only', () => {
    expect(addressesOf(order(['b', 'c'], 'follower_first'))).toEqual(['a', 'd', 'b', 'c']);
    expect(addressesOf(order(['b', 'c'], 'follower_only'))).toEqual(['a', 'd', 'b', 'c']);
    expect(addressesOf(order(['a', 'b', 'c']))).toEqual(['a', 'd', 'b', 'c']);
  });

  it('R18 never leaves read-only zones for it', () => {
    const zones = clusterOf([
      { name: 'w', idc: '', region: '', servers: ['a'] },
      { name: 'r', idc: '', region: '', type: 'ReadOnly', servers: ['b', 'c'] },
    ]);
    const settings = { ...plainSettings, obRoutePolicy: '2' };
    const input = { ...plainInput, topology: zones, location: whole, consistency: 'weak' as const, settings };
    expect(addressesOf(planRoute({ ...input, isStale: () => true }))).toEqual(['b', 'c']);
  });

  it('R11 strong reads do not ask', () => {
    const input = { ...plainInput, topology, location: whole, isStale: () => true };
    expect(addressesOf(planRoute(input))[0]).toBe('a');
  });
});
