import { expect, it } from 'vitest';
import type { ClusterTopology } from '../cluster/topology.ts';
import type { HistoryEntry } from '../history/history-log.ts';
import type { Actor } from '../history/history-row.ts';
import { ProxyHistory } from './proxy-history.ts';

const topology: ClusterTopology = {
  clusterName: 'c',
  revision: 1,
  source: 'views',
  zones: [{ name: 'z1', region: 'r', idc: 'i', type: 'ReadWrite', state: 'ACTIVE' }],
  servers: [],
  refreshedAtMs: 1,
  error: null,
};
const merging: ClusterTopology = { ...topology, zones: topology.zones.map((zone) => ({ ...zone, state: 'MERGE' })) };

function aHistory(isInCharge: boolean) {
  const rows: (Actor & HistoryEntry)[] = [];
  const note = async (actor: Actor, entry: HistoryEntry): Promise<void> => {
    rows.push({ ...actor, ...entry });
  };
  return { rows, history: new ProxyHistory({ note }, '1.2.3', isInCharge) };
}

it('writes starts, deaths of workers and changes of clusters, each a request of its own', async () => {
  const { rows, history } = aHistory(true);
  await history.started();
  await history.workerDied(1, 'out of memory');
  await history.clusterChanged(topology, merging);
  expect(rows).toMatchObject([
    { action: 'proxy.start', source: 'start', newValue: '1.2.3' },
    { action: 'worker.die', source: 'system', oldValue: 'worker 1', outcome: 'failed', failure: 'out of memory' },
    {
      action: 'cluster.change',
      scope: 'cluster=c',
      oldValue: 'ACTIVE',
      newValue: 'MERGE',
      reason: 'zone z1: ACTIVE → MERGE',
    },
  ]);
  expect(new Set(rows.map(({ requestId }) => requestId)).size).toBe(3);
});

it('leaves changes of clusters to the generation that serves (C18)', async () => {
  const { rows, history } = aHistory(false);
  await history.clusterChanged(topology, merging);
  expect(rows).toEqual([]);
  history.setInCharge(true);
  await history.clusterChanged(merging, topology);
  expect(rows).toHaveLength(1);
});
