import { describe, expect, it } from 'vitest';
import { type ConfiguredCluster, singleCluster } from '../cluster/cluster-directory.ts';
import type { ClusterTopology } from '../cluster/topology.ts';
import { ConfigView } from '../config/config-view.ts';
import { parseRsList } from '../config/rs-list.ts';
import { overviewSchema } from '../control/contract.ts';
import { makeOverview } from './overview.ts';

const topology: ClusterTopology = {
  clusterName: 'obdemo',
  revision: 3,
  source: 'views',
  zones: [{ name: 'zone1', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite', state: 'ACTIVE' }],
  servers: [
    {
      address: '127.0.0.11:2881',
      host: '127.0.0.11',
      port: 2881,
      zone: 'zone1',
      state: 'ACTIVE',
      reason: 'in service',
    },
  ],
  refreshedAtMs: Date.UTC(2026, 0, 2),
  error: null,
};

const configured = (key: string): ConfiguredCluster => {
  const [cluster] = singleCluster(key, parseRsList('127.0.0.21:2881')).clusters();
  if (cluster === undefined) throw new Error('no cluster');
  return cluster;
};

describe('overview', () => {
  it('adds up what the workers report for each server, and fits the contract', () => {
    const report = (serverSessions: number, requests: number) => ({
      clientSessions: 2,
      serverSessions,
      requests,
      errors: 0,
      clusters: {
        obdemo: {
          clientSessions: 2,
          logins: 2,
          servers: { '127.0.0.11:2881': { serverSessions, requests, errors: 1 } },
        },
        other: {
          clientSessions: 0,
          logins: 1,
          servers: { '127.0.0.11:2881': { serverSessions: 9, requests: 9, errors: 0 } },
        },
      },
      locations: {},
    });
    const overview = makeOverview({
      version: '1.0.0',
      startedAt: new Date(Date.UTC(2026, 0, 1)),
      listen: '0.0.0.0:2883',
      config: new ConfigView({ proxy_idc_name: 'idc1' }),
      clusters: [
        { configured: configured('obdemo'), topology, servedSinceMs: 1, lastUsedAtMs: 1 },
        {
          configured: { ...configured('idle'), error: 'HTTP 500' },
          topology: null,
          servedSinceMs: null,
          lastUsedAtMs: null,
        },
      ],
      demo: true,
      hasLab: true,
      configServer: { url: 'http://cs/', version: 'v1', source: 'copy', answeredAtMs: 0, error: 'refused' },
      reports: [report(2, 10), report(3, 32)],
      rssBytes: 1,
    });
    expect(overviewSchema.parse(overview)).toEqual(overview);
    expect(overview.clusters[0]?.servers[0]).toMatchObject({ serverSessions: 5, requests: 42 });
    expect(overview.clusters[1]).toMatchObject({
      name: 'idle',
      isWatched: false,
      error: 'HTTP 500',
      servers: [
        { address: '127.0.0.21:2881', state: 'ACTIVE', reason: expect.stringContaining('until a client asks') },
      ],
    });
    expect(overview.configServer).toMatchObject({ answeredAt: '1970-01-01T00:00:00.000Z', error: 'refused' });
    expect(overview.proxy).toMatchObject({ idc: 'idc1', enableCongestion: true });
    expect(overview.proxy.workers.map((worker) => worker.requests)).toEqual([10, 32]);
  });
});
