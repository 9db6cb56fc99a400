import { describe, expect, it } from 'vitest';
import { parseRsList } from '../config/rs-list.ts';
import { mapReplicas, mapTableLocation } from './map-location.ts';
import { serversOfList } from './map-topology.ts';
import type { ClusterTopology } from './topology.ts';

const topology: ClusterTopology = {
  clusterName: 'obdemo',
  revision: 1,
  source: 'views',
  zones: [],
  servers: serversOfList(parseRsList('10.0.0.1:2881;10.0.0.2:2881;10.0.0.3:2881'), ''),
  refreshedAtMs: 0,
  error: null,
};
const asked = '10.0.0.2:2881';
const name = { tenant: 'trade', database: 'shop', table: 'orders' };

function row(host: string, role: string, columns: object = {}) {
  return {
    svr_ip: host,
    sql_port: '2881',
    table_id: '9007199254740993',
    role,
    part_num: '4',
    schema_version: '17',
    ...columns,
  };
}
const leader = (address: string) => ({ address, role: 'leader' as const });
const follower = (address: string) => ({ address, role: 'follower' as const });

describe('mapTableLocation', () => {
  it('R4 gives the table, its partitions and its replicas, the leader first', () => {
    const rows = [row('10.0.0.1', '2'), row('10.0.0.2', '1'), row('10.0.0.3', '2')];
    expect(mapTableLocation(name, rows, topology, asked)).toEqual({
      ...name,
      tableId: '9007199254740993',
      partitionCount: 4,
      schemaVersion: '17',
      replicas: [leader('10.0.0.2:2881'), follower('10.0.0.1:2881'), follower('10.0.0.3:2881')],
    });
  });

  it('is null when there is no such table', () => {
    expect(mapTableLocation(name, [], topology, asked)).toBeNull();
  });

  it('counts a table that is not partitioned as one partition', () => {
    const rows = [row('10.0.0.1', '1', { part_num: '0' })];
    expect(mapTableLocation(name, rows, topology, asked)?.partitionCount).toBe(1);
  });
});

describe('mapReplicas', () => {
  const map = (rows: Parameters<typeof mapReplicas>[0], known = topology) => mapReplicas(rows, known, asked);

  it('case B76 d: two leaders or none count as no leader', () => {
    const followers = [follower('10.0.0.1:2881'), follower('10.0.0.2:2881')];
    expect(map([row('10.0.0.1', '1'), row('10.0.0.2', '1')])).toEqual(followers);
    expect(map([row('10.0.0.1', '2'), row('10.0.0.2', '2')])).toEqual(followers);
    expect(map([row('10.0.0.1', '0'), { ...row('10.0.0.2', '2'), role: null }])).toEqual(followers);
  });

  it('case B76 e: ignores a server that is not in the server list', () => {
    expect(map([row('10.9.9.9', '1'), row('10.0.0.1', '2')])).toEqual([follower('10.0.0.1:2881')]);
    expect(map([row('10.9.9.9', '1')])).toEqual([]);
  });

  it('believes any address while only the configured list is known', () => {
    expect(map([row('10.9.9.9', '1')], { ...topology, source: 'rslist' })).toEqual([leader('10.9.9.9:2881')]);
  });

  it.each([
    ['a zero address', { svr_ip: '0.0.0.0' }],
    ['an empty address', { svr_ip: '' }],
    ['no address', { svr_ip: null }],
    ['a zero port', { sql_port: '0' }],
    ['a log-only replica (V4)', { replica_type: '5' }],
    ['an encrypted log-only replica (V4)', { replica_type: '261' }],
    ['a log-only replica (V3)', { spare1: '5' }],
  ])('ignores a row with %s', (_what, columns) => {
    expect(map([row('10.0.0.1', '1', columns), row('10.0.0.2', '2')])).toEqual([follower('10.0.0.2:2881')]);
  });

  it("takes V4's own column for the replica type where there is one", () => {
    expect(map([row('10.0.0.1', '1', { replica_type: '0', spare1: '5' })])).toEqual([leader('10.0.0.1:2881')]);
  });

  it('gives each address once', () => {
    const rows = [row('10.0.0.1', '2'), row('10.0.0.1', '1'), row('10.0.0.1', '2'), row('10.0.0.2', '2')];
    expect(map(rows)).toEqual([leader('10.0.0.1:2881'), follower('10.0.0.2:2881')]);
  });

  describe('of a single kernel, whose rows have no address', () => {
    const rows = [{ table_id: '1', role: '1' }];

    it('is the kernel itself', () => {
      expect(map(rows, { ...topology, servers: serversOfList(parseRsList(asked), '') })).toEqual([leader(asked)]);
      expect(map(rows, { ...topology, servers: [] })).toEqual([leader(asked)]);
    });

    it('is the first active one of several that pose as a cluster, whichever was asked', () => {
      const servers = topology.servers.map((server, index) => ({
        ...server,
        state: index === 0 ? ('INACTIVE' as const) : server.state,
      }));
      expect(map(rows, { ...topology, servers })).toEqual([
        leader('10.0.0.2:2881'),
        follower('10.0.0.1:2881'),
        follower('10.0.0.3:2881'),
      ]);
    });
  });
});
