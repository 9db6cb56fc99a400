import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseRsList } from '../config/rs-list.ts';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { ClusterMonitor } from './cluster-monitor.ts';
import { LocationLookup } from './location-lookup.ts';
import { MetadataClient } from './metadata-client.ts';

/** Default of `observer_sys_password`. */
const DEFAULT_PASSWORD = 'ee0e5138c912aed80b683c05303684be347ce81d';

describe('cluster metadata of the demo cluster', () => {
  let demo: DemoCluster;
  const client = new MetadataClient({ passwords: () => [DEFAULT_PASSWORD], connectTimeoutMs: () => 2_000 });
  const query = (server: string, sql: string) => client.query(server, sql);
  const monitorOf = (rsList: string) =>
    new ClusterMonitor({
      clusterName: demo.clusterName,
      rsList: parseRsList(rsList),
      query,
      intervalMs: () => 20_000,
      random: () => 0,
    });
  const address = (index: number) => demo.servers[index]?.address ?? '';

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
  });
  afterEach(() => demo.faults.clear());
  afterAll(async () => {
    await client.close();
    await demo.close();
  });

  it('R6 R28 reads five zones of three IDCs in two regions, two of them read-only', async () => {
    const monitor = monitorOf(address(0));
    await monitor.refreshNow();
    expect(monitor.topology.error).toBeNull();
    expect(monitor.topology.source).toBe('views');
    expect(monitor.topology.zones.map(({ name, region, idc, type }) => [name, region, idc, type])).toEqual([
      ['zone1', 'SHANGHAI', 'idc1', 'ReadWrite'],
      ['zone2', 'SHANGHAI', 'idc1', 'ReadWrite'],
      ['zone3', 'SHANGHAI', 'idc2', 'ReadWrite'],
      ['zone4', 'HANGZHOU', 'idc3', 'ReadOnly'],
      ['zone5', 'HANGZHOU', 'idc3', 'ReadOnly'],
    ]);
    const places = monitor.topology.servers.map((server) => [server.address, server.zone, server.state]);
    expect(places).toEqual(demo.servers.map((server) => [server.address, server.zone, 'ACTIVE']));
  });

  it('B1 B2 B3 B4 follows every state that the cluster gives a server, and its removal', async () => {
    const monitor = monitorOf(address(0));
    demo.faults.setServerStatus(address(1), 'INACTIVE');
    demo.faults.setStopTime(address(2), true);
    demo.faults.setInService(address(3), false);
    demo.faults.setServerStatus(address(4), 'DELETING');
    demo.faults.setZoneStatus('zone2', 'INACTIVE');
    await monitor.refreshNow();
    const states = () => monitor.topology.servers.map((server) => server.state);
    expect(states()).toEqual(['ACTIVE', 'INACTIVE', 'UPGRADE', 'REPLAY', 'DELETING']);
    expect(monitor.topology.zones[1]?.state).toBe('UPGRADE');

    demo.faults.setServerStatus(address(4), 'DELETED');
    await monitor.refreshNow();
    expect(states()).toEqual(['ACTIVE', 'INACTIVE', 'UPGRADE', 'REPLAY']);
    await demo.faults.clear();
    await monitor.refreshNow();
    expect(states()).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE']);
  });

  it('R5 sees in which zones a major merge runs', async () => {
    const monitor = monitorOf(address(0));
    demo.faults.setMerging('zone2', true);
    await monitor.refreshNow();
    const states = () => monitor.topology.zones.map((zone) => zone.state);
    expect(states()).toEqual(['ACTIVE', 'MERGE', 'ACTIVE', 'ACTIVE', 'ACTIVE']);
    demo.faults.setMerging('zone2', false);
    await monitor.refreshNow();
    expect(states()).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE']);
  });

  it('case B26: comes up through the second server, and keeps up while any one answers', async () => {
    const monitor = monitorOf(`${address(0)};${address(1)}`);
    await demo.faults.stop(address(0));
    await monitor.refreshNow();
    expect(monitor.topology).toMatchObject({ source: 'views', error: null });
    for (const index of [1, 2, 3]) await demo.faults.stop(address(index));
    await monitor.refreshNow();
    expect(monitor.topology.error).toBeNull();
    await demo.faults.stop(address(4));
    await monitor.refreshNow();
    expect(monitor.topology.servers).toHaveLength(5);
    expect(monitor.topology.error).toContain('no server of cluster');
  });

  it('R4 finds the leader of a table, and the new one after a switch', async () => {
    const monitor = monitorOf(address(0));
    await monitor.refreshNow();
    const lookup = new LocationLookup({ query, topology: () => monitor.topology });
    const name = { tenant: 'trade', database: 'trade', table: 'customers' };
    const before = await lookup.lookupTable(name);
    expect(before?.replicas).toHaveLength(5);
    expect(before?.replicas[0]).toEqual({ address: demo.faults.leaderOf('trade.trade.customers'), role: 'leader' });

    const to = demo.servers.find((server) => server.address !== before?.replicas[0]?.address && server.zone < 'zone4');
    demo.faults.switchLeader({ table: 'trade.trade.customers' }, to?.address ?? '');
    expect((await lookup.lookupTable(name))?.replicas[0]).toEqual({ address: to?.address, role: 'leader' });
    expect(await lookup.lookupTable({ ...name, table: "n'o\\such" })).toBeNull();
  });

  it('case B76 c: gets a location past a server that has stopped', async () => {
    const monitor = monitorOf(address(0));
    await monitor.refreshNow();
    const lookup = new LocationLookup({ query, topology: () => monitor.topology, random: () => 0 });
    await demo.faults.stop(address(0));
    expect(await lookup.lookupTenantServers('trade')).toHaveLength(5);
    expect(await lookup.lookupTenantServers('nosuch')).toEqual([]);
  });
});
