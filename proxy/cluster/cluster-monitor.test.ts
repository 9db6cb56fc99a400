import { describe, expect, it } from 'vitest';
import { parseRsList } from '../config/rs-list.ts';
import { OdpError } from '../errors/odp-error.ts';
import { ClusterMonitor, type ClusterMonitorOptions } from './cluster-monitor.ts';
import { type MetadataRow, ServerError } from './metadata-connection.ts';
import type { ClusterTopology } from './topology.ts';

interface World {
  zones: MetadataRow[];
  servers: MetadataRow[];
  version: string;
  /** What a server does instead of answering. */
  faults: Map<string, Error>;
}

const zone1 = {
  zone: 'zone1',
  status: 'ACTIVE',
  is_merging: '0',
  region: 'SHANGHAI',
  spare4: 'idc1',
  spare5: 'ReadWrite',
};
const serverRow = (host: string, columns: object = {}): MetadataRow => ({
  svr_ip: host,
  svr_port: '2881',
  zone: 'zone1',
  status: 'ACTIVE',
  start_service_time: '1',
  stop_time: '0',
  ...columns,
});
const noTable = () => new ServerError(1146, "Table doesn't exist");
const dead = () => new Error('connect ECONNREFUSED');

function setUp(list: string, options: Partial<ClusterMonitorOptions> = {}) {
  const world: World = { zones: [zone1], servers: [serverRow('10.0.0.1')], version: '4.3.5.3', faults: new Map() };
  const asked: string[] = [];
  const notices: string[] = [];
  const changes: ClusterTopology[] = [];
  const timers = new Map<number, { run: () => void; delayMs: number }>();
  let lastTimer = 0;
  const monitor = new ClusterMonitor({
    clusterName: 'obdemo',
    rsList: parseRsList(list),
    query: async (address, sql) => {
      asked.push(`${address} ${sql}`);
      const fault = world.faults.get(address);
      if (fault !== undefined) throw fault;
      if (sql.includes('ob_version')) return [{ cluster_version: world.version }];
      const isV3 = sql.includes('__all_virtual');
      if (isV3 !== world.version.startsWith('3')) throw noTable();
      return /DBA_OB_ZONES|zone_stat/.test(sql) ? world.zones : world.servers;
    },
    intervalMs: () => 20_000,
    random: () => 0,
    now: () => 1_000,
    onNotice: (text) => notices.push(text),
    timers: {
      set: (run, delayMs) => {
        lastTimer += 1;
        timers.set(lastTimer, { run, delayMs });
        return lastTimer;
      },
      clear: (handle) => timers.delete(handle as number),
    },
    ...options,
  });
  monitor.onChange((topology) => changes.push(topology));
  const addresses = () => monitor.topology.servers.map((server) => server.address);
  const askedServers = () => [...new Set(asked.map((text) => text.split(' ')[0]))];
  return { monitor, world, asked, askedServers, notices, changes, timers, addresses };
}

describe('ClusterMonitor', () => {
  it('R2 has a topology of the configured servers before anything is read', () => {
    const { monitor } = setUp('10.0.0.1:2881;10.0.0.2:2881');
    expect(monitor.topology).toMatchObject({
      clusterName: 'obdemo',
      revision: 0,
      source: 'rslist',
      refreshedAtMs: null,
    });
    expect(monitor.topology.servers.map((server) => server.state)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  it('R6 replaces them by what the views tell', async () => {
    const { monitor, world, changes } = setUp('10.0.0.1:2881');
    world.servers = [serverRow('10.0.0.1'), serverRow('10.0.0.2', { status: 'INACTIVE' })];
    await monitor.refreshNow();
    expect(monitor.topology).toMatchObject({
      revision: 1,
      source: 'views',
      zones: [{ name: 'zone1', region: 'SHANGHAI', idc: 'idc1', type: 'ReadWrite', state: 'ACTIVE' }],
      servers: [
        { address: '10.0.0.1:2881', state: 'ACTIVE' },
        { address: '10.0.0.2:2881', state: 'INACTIVE' },
      ],
      refreshedAtMs: 1_000,
      error: null,
    });
    expect(changes).toEqual([monitor.topology]);
  });

  it('case B26: comes up through the second server, follows the list of the cluster and drops what has left', async () => {
    const { monitor, world, addresses } = setUp('10.0.0.1:2881;10.0.0.2:2881;10.0.0.3:2881');
    world.faults.set('10.0.0.1:2881', dead());
    world.servers = [serverRow('10.0.0.2'), serverRow('10.0.0.3')];
    await monitor.refreshNow();
    expect(addresses()).toEqual(['10.0.0.2:2881', '10.0.0.3:2881']);
    expect(monitor.topology.error).toBeNull();

    world.servers = [serverRow('10.0.0.3'), serverRow('10.0.0.22')];
    world.faults.set('10.0.0.2:2881', dead());
    await monitor.refreshNow();
    expect(addresses()).toEqual(['10.0.0.22:2881', '10.0.0.3:2881']);
  });

  it('case B26: asks in random order, those that failed a moment ago last, the configured ones after the known', async () => {
    const { monitor, world, asked, askedServers } = setUp('10.0.0.1:2881;10.0.0.9:2881', { random: () => 0.99 });
    await monitor.refreshNow();
    expect(askedServers()).toEqual(['10.0.0.9:2881']);
    world.servers = [serverRow('10.0.0.1'), serverRow('10.0.0.2')];
    await monitor.refreshNow();

    world.faults.set('10.0.0.2:2881', dead());
    asked.length = 0;
    await monitor.refreshNow();
    expect(askedServers()).toEqual(['10.0.0.2:2881', '10.0.0.1:2881']);
    asked.length = 0;
    await monitor.refreshNow();
    expect(askedServers()).toEqual(['10.0.0.1:2881']);

    world.faults.set('10.0.0.1:2881', dead());
    asked.length = 0;
    await monitor.refreshNow();
    expect(askedServers()).toEqual(['10.0.0.1:2881', '10.0.0.2:2881', '10.0.0.9:2881']);
  });

  it('case B25: keeps the last good list when every server fails or lists none, and says why', async () => {
    const { monitor, world, addresses, changes } = setUp('10.0.0.1:2881');
    await monitor.refreshNow();
    world.faults.set('10.0.0.1:2881', dead());
    await monitor.refreshNow();
    expect(addresses()).toEqual(['10.0.0.1:2881']);
    expect(monitor.topology).toMatchObject({ revision: 1, source: 'views', refreshedAtMs: 1_000 });
    expect(monitor.topology.error).toContain(
      "no server of cluster 'obdemo' answers (10.0.0.1:2881: connect ECONNREFUSED)",
    );
    expect(changes).toHaveLength(2);

    world.faults.clear();
    world.servers = [];
    await monitor.refreshNow();
    expect(addresses()).toEqual(['10.0.0.1:2881']);
    expect(monitor.topology.error).toContain('it lists no server');
  });

  it('case B99: tells a refused internal account once, with what to do', async () => {
    const { monitor, world } = setUp('10.0.0.1:2881;10.0.0.2:2881');
    for (const server of ['10.0.0.1:2881', '10.0.0.2:2881']) {
      world.faults.set(server, new OdpError('METADATA_LOGIN_REFUSED', { server, user: 'proxyro@sys', detail: '1045' }));
    }
    await monitor.refreshNow();
    expect(monitor.topology.error).toMatch(/^OBServer 10.0.0.1:2881 refuses .* CREATE USER proxyro/);
    expect(monitor.topology.servers.map((server) => server.state)).toEqual(['ACTIVE', 'ACTIVE']);
    world.faults.clear();
    await monitor.refreshNow();
    expect(monitor.topology).toMatchObject({ source: 'views', error: null });
  });

  it('grows the revision and tells listeners only when something has changed', async () => {
    const { monitor, world, changes } = setUp('10.0.0.1:2881');
    world.servers = [serverRow('10.0.0.1'), serverRow('10.0.0.2')];
    await monitor.refreshNow();
    world.servers.reverse();
    await monitor.refreshNow();
    expect(changes).toHaveLength(1);
    world.servers = [serverRow('10.0.0.1'), serverRow('10.0.0.2', { stop_time: '1' })];
    await monitor.refreshNow();
    expect(changes.map((topology) => topology.revision)).toEqual([1, 2]);
    expect(monitor.topology.servers[1]?.state).toBe('UPGRADE');
  });

  it('case B88: a removed server vanishes, and comes back with its new zone', async () => {
    const { monitor, world, addresses } = setUp('10.0.0.1:2881');
    const both = [serverRow('10.0.0.1'), serverRow('10.0.0.2', { status: 'INACTIVE' })];
    world.servers = both;
    await monitor.refreshNow();
    world.servers = [serverRow('10.0.0.1')];
    await monitor.refreshNow();
    expect(addresses()).toEqual(['10.0.0.1:2881']);
    world.servers = [serverRow('10.0.0.1'), serverRow('10.0.0.2', { zone: 'zone2' })];
    await monitor.refreshNow();
    expect(monitor.topology.servers[1]).toMatchObject({ zone: 'zone2', state: 'ACTIVE' });
  });

  it('keeps the zones known before while a zone row is unusable, but follows the servers', async () => {
    const { monitor, world, notices } = setUp('10.0.0.1:2881');
    await monitor.refreshNow();
    world.zones = [{ ...zone1, status: 'LOST' }];
    world.servers = [serverRow('10.0.0.7')];
    await monitor.refreshNow();
    await monitor.refreshNow();
    expect(monitor.topology.zones.map((zone) => zone.name)).toEqual(['zone1']);
    expect(monitor.topology.servers.map((server) => server.address)).toEqual(['10.0.0.7:2881']);
    expect(monitor.topology.error).toContain("unknown status 'LOST'");
    expect(notices).toEqual(["Cluster obdemo: zone zone1 has the unknown status 'LOST'"]);
  });

  it("reads a V3 cluster through V3's tables and follows its upgrade to V4", async () => {
    const { monitor, world, asked } = setUp('10.0.0.1:2881');
    world.version = '3.1.2';
    world.zones = [{ ...zone1, is_merging: '1' }];
    await monitor.refreshNow();
    expect(monitor.topology.zones[0]?.state).toBe('MERGE');
    expect(asked.some((text) => text.includes('DBA_OB'))).toBe(false);
    world.version = '4.2.1';
    world.zones = [zone1];
    await monitor.refreshNow();
    expect(monitor.topology.zones[0]?.state).toBe('ACTIVE');
  });

  it('counts the configured servers of a cluster without views as active, says so once, and finds views made later', async () => {
    const { monitor, world, notices } = setUp('10.0.0.1:2881');
    world.version = 'none';
    world.zones = [];
    const lacksAll = new ServerError(1146, 'no such table');
    world.faults.set('10.0.0.1:2881', lacksAll);
    await monitor.refreshNow();
    await monitor.refreshNow();
    expect(monitor.topology).toMatchObject({ revision: 1, source: 'rslist', error: null, refreshedAtMs: 1_000 });
    expect(monitor.topology.servers[0]).toMatchObject({ state: 'ACTIVE' });
    expect(notices).toEqual(['Cluster obdemo has no server view: its 1 configured server(s) count as active']);
    world.faults.clear();
    await monitor.refreshNow();
    expect(monitor.topology.source).toBe('views');
    world.faults.set('10.0.0.1:2881', lacksAll);
    await monitor.refreshNow();
    expect(monitor.topology.source).toBe('views');
    expect(monitor.topology.error).toContain('no server view any more');
  });

  it('tells a missing privilege instead of taking the views for absent', async () => {
    const { monitor, world } = setUp('10.0.0.1:2881');
    const details = { server: '10.0.0.1:2881', user: 'proxyro@sys', detail: 'SELECT command denied' };
    world.faults.set('10.0.0.1:2881', new OdpError('METADATA_FORBIDDEN', details));
    await monitor.refreshNow();
    expect(monitor.topology.error).toContain('GRANT SELECT ON oceanbase.* TO proxyro');
  });

  it('pauses for a random time between half of the interval and all of it, and stops at close', async () => {
    const delays: number[] = [];
    for (const random of [0, 0.999]) {
      const { monitor, timers } = setUp('10.0.0.1:2881', { random: () => random });
      expect(timers.size).toBe(0);
      monitor.start();
      monitor.start();
      await monitor.refreshNow();
      expect(timers.size).toBe(1);
      delays.push(...[...timers.values()].map((timer) => timer.delayMs));
      monitor.close();
      expect(timers.size).toBe(0);
    }
    expect(delays[0]).toBe(10_000);
    expect(delays[1]).toBeCloseTo(20_000, -2);
  });

  it('goes on by itself, and takes a changed interval when told to', async () => {
    let intervalMs = 20_000;
    const { monitor, timers, world } = setUp('10.0.0.1:2881', { intervalMs: () => intervalMs });
    monitor.start();
    await monitor.refreshNow();
    intervalMs = 1_000;
    monitor.reschedule();
    expect([...timers.values()].map((timer) => timer.delayMs)).toEqual([500]);
    world.servers = [serverRow('10.0.0.5')];
    const changed = new Promise((resolve) => monitor.onChange(resolve));
    for (const timer of timers.values()) timer.run();
    await changed;
    expect(monitor.topology.servers.map((server) => server.host)).toEqual(['10.0.0.5']);
    monitor.close();
  });

  it('refreshNow sees what was changed before it was called, even while a round is under way', async () => {
    const gate = Promise.withResolvers<void>();
    let servers = [serverRow('10.0.0.1')];
    const { monitor } = setUp('10.0.0.1:2881', {
      query: async (_address, sql) => {
        if (sql.includes('DBA_OB_ZONES')) return [zone1];
        if (!sql.includes('DBA_OB_SERVERS')) return [];
        const seen = servers;
        await gate.promise;
        return seen;
      },
    });
    const first = monitor.refreshNow();
    await Promise.resolve();
    const second = monitor.refreshNow();
    expect(monitor.refreshNow()).toBe(second);
    servers = [serverRow('10.0.0.1'), serverRow('10.0.0.2')];
    gate.resolve();
    await first;
    await second;
    expect(monitor.topology.servers).toHaveLength(2);
  });

  it('R3 takes other configured servers: in force until the cluster has told its own, and asked when that fails', async () => {
    const { monitor, world, addresses, asked, askedServers } = setUp('10.0.0.1:2881');
    world.faults.set('10.0.0.1:2881', dead());
    monitor.start();
    await monitor.refreshNow();
    monitor.setRsList(parseRsList('10.0.0.2:2881'));
    expect(addresses()).toEqual(['10.0.0.2:2881']);
    await monitor.refreshNow();
    expect(addresses()).toEqual(['10.0.0.1:2881']);
    expect(monitor.topology.source).toBe('views');
    monitor.setRsList(parseRsList('10.0.0.3:2881'));
    expect(addresses()).toEqual(['10.0.0.1:2881']);
    world.faults.clear();
    world.faults.set('10.0.0.1:2881', dead());
    asked.length = 0;
    await monitor.refreshNow();
    expect(askedServers()).toContain('10.0.0.3:2881');
    expect(askedServers()).not.toContain('10.0.0.2:2881');
    monitor.close();
  });

  it('R3 hands on the IDCs that the ConfigServer tells, and keeps them over a refresh', async () => {
    const { monitor, changes } = setUp('10.0.0.1:2881', { idcRegions: [] });
    monitor.start();
    const idcRegions = [{ idc: 'idc9', region: 'SHANGHAI' }];
    monitor.setIdcRegions(idcRegions);
    monitor.setIdcRegions([...idcRegions]);
    expect(changes.map((topology) => topology.idcRegions)).toEqual([idcRegions]);
    await monitor.refreshNow();
    expect(monitor.topology).toMatchObject({ source: 'views', idcRegions });
    monitor.close();
  });

  it('is silent after close, even when a round was under way', async () => {
    const { monitor, changes } = setUp('10.0.0.1:2881');
    const round = monitor.refreshNow();
    monitor.close();
    await round;
    await monitor.refreshNow();
    expect(changes).toEqual([]);
    expect(monitor.topology.revision).toBe(0);
  });
});
