import { describe, expect, it } from 'vitest';
import type { ServerState, ZoneState } from './states.ts';
import type { ClusterTopology } from './topology.ts';
import { topologyChanges } from './topology-changes.ts';

function aTopology(parts: Partial<ClusterTopology> = {}): ClusterTopology {
  return {
    clusterName: 'c',
    revision: 1,
    source: 'views',
    zones: [zone('z1'), zone('z2')],
    servers: [server('10.0.0.1:1', 'z1'), server('10.0.0.2:1', 'z2')],
    refreshedAtMs: 1,
    error: null,
    ...parts,
  };
}
const zone = (name: string, state: ZoneState = 'ACTIVE') =>
  ({ name, region: 'r', idc: 'i', type: 'ReadWrite', state }) as const;
const server = (address: string, zoneName: string, state: ServerState = 'ACTIVE') => ({
  address,
  host: '',
  port: 1,
  zone: zoneName,
  state,
  reason: '',
});

describe('changes of a cluster', () => {
  it('are none where nothing has changed, and none of what is read first', () => {
    expect(topologyChanges(aTopology(), aTopology({ revision: 2, refreshedAtMs: 2 }))).toEqual([]);
    expect(topologyChanges(aTopology({ source: 'rslist', servers: [] }), aTopology())).toEqual([]);
  });

  it('are servers that came and left', () => {
    const after = aTopology({ servers: [server('10.0.0.1:1', 'z1'), server('10.0.0.3:1', 'z2')] });
    expect(topologyChanges(aTopology(), after)).toEqual([
      { before: null, after: '10.0.0.3:1 (z2)', summary: '1 server added' },
      { before: '10.0.0.2:1 (z2)', after: null, summary: '1 server removed' },
    ]);
  });

  it('are states of zones and servers, those that change alike together', () => {
    const after = aTopology({
      zones: [zone('z1', 'MERGE'), zone('z2')],
      servers: [server('10.0.0.1:1', 'z1', 'INACTIVE'), server('10.0.0.2:1', 'z2', 'INACTIVE')],
    });
    expect(topologyChanges(aTopology(), after)).toEqual([
      { before: 'ACTIVE', after: 'MERGE', summary: 'zone z1: ACTIVE → MERGE' },
      { before: 'ACTIVE', after: 'INACTIVE', summary: '2 servers 10.0.0.1:1, 10.0.0.2:1: ACTIVE → INACTIVE' },
    ]);
  });

  it('are leaders that move together, in one row however many', () => {
    const leaders = (address: string) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`t${index}`, address]));
    const changes = topologyChanges(
      aTopology({ singleLeaders: leaders('10.0.0.1:1') }),
      aTopology({ singleLeaders: leaders('10.0.0.2:1') }),
    );
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ before: '10.0.0.1:1', after: '10.0.0.2:1' });
    expect(changes[0]?.summary).toMatch(/^leader of 30 tenants moved: t0, .* and 10 more$/);
  });

  it('are the loss of all answers, once, and their return', () => {
    const lost = aTopology({ error: 'nobody answers' });
    const summary = 'its views cannot be read';
    expect(topologyChanges(aTopology(), lost)).toEqual([{ before: null, after: 'nobody answers', summary }]);
    expect(topologyChanges(lost, aTopology({ error: 'still nobody' }))).toEqual([]);
    expect(topologyChanges(lost, aTopology())).toMatchObject([{ summary: 'its views can be read again' }]);
  });
});
