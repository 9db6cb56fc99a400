import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { BlocklistServer, LiveEvent } from '../../proxy/control/contract.ts';
import { applyBlocklistEvent, withChanges } from './blocklist-live.ts';
import { type BlocklistResponse, blocklistQuery } from './blocklist-queries.ts';
import { aServer } from './overview-samples.ts';

type Event = Extract<LiveEvent, { type: 'blocklist' }>;

const parameters = {
  enabled: true,
  failureThreshold: 5,
  failWindowMs: 120_000,
  retryIntervalMs: 20_000,
  minKeepMs: 20_000,
  minConnectTimeoutMs: 100,
  detectFailThreshold: 3,
  detectMode: 1,
};
const at = (second: number): string => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();

function server(address: string, total = 0): BlocklistServer {
  const { failures } = aServer(address);
  return aServer(address, { failures: { ...failures, total } });
}

const state = (second: number): BlocklistResponse => ({
  at: at(second),
  clusters: [{ name: 'c', parameters, servers: [server('a'), server('b')] }],
});
const event = (second: number, changes: Partial<Event['clusters'][number]> = {}): Event => ({
  type: 'blocklist',
  at: at(second),
  clusters: [{ name: 'c', parameters, servers: [], removed: [], ...changes }],
  events: [],
  reload: false,
});

describe('withChanges', () => {
  it('replaces, adds and removes servers, each in its place', () => {
    const after = withChanges(state(1), event(2, { servers: [server('b', 7), server('d')], removed: ['a'] }));
    expect(after.at).toBe(at(2));
    expect(after.clusters[0]?.servers.map(({ address, failures }) => [address, failures.total])).toEqual([
      ['b', 7],
      ['d', 0],
    ]);
  });

  it('adds a cluster that was not known', () => {
    const after = withChanges(state(1), event(2, { name: 'other', servers: [server('x')] }));
    expect(after.clusters.map(({ name, servers }) => [name, servers.length])).toEqual([
      ['c', 2],
      ['other', 1],
    ]);
  });

  it('lets an older event change nothing', () => {
    const now = state(5);
    expect(withChanges(now, event(4, { removed: ['a', 'b'] }))).toBe(now);
  });
});

describe('applyBlocklistEvent', () => {
  it('asks anew when the event says that it does not tell all', () => {
    const client = new QueryClient();
    client.setQueryData(blocklistQuery.queryKey, state(1));
    applyBlocklistEvent(client, event(2, { removed: ['a'] }));
    expect(client.getQueryData(blocklistQuery.queryKey)?.clusters[0]?.servers).toHaveLength(1);
    expect(client.getQueryState(blocklistQuery.queryKey)?.isInvalidated).toBe(false);
    applyBlocklistEvent(client, { ...event(3), reload: true });
    expect(client.getQueryState(blocklistQuery.queryKey)?.isInvalidated).toBe(true);
  });
});
