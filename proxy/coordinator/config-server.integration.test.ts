/** Production mode: the product with a ConfigServer and several demo clusters that come and go. */
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeClusterFiles } from '../demo/config-server/cluster-files.ts';
import { type DemoConfigServer, startDemoConfigServer } from '../demo/config-server/config-server.ts';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';

const parameters = { server_state_refresh_interval: '100ms', server_detect_refresh_interval: '100ms' };

describe('production mode', () => {
  let directory: string;
  let home: string;
  let server: DemoConfigServer;
  let proxy: TestProxy;
  let admin: Connection;
  const clusters = new Map<string, DemoCluster>();

  const start = async (): Promise<void> => {
    proxy = await startProxy({ rsList: null, configServerUrl: server.url(), clusterName: '', home, parameters });
    admin = await proxy.admin();
  };
  const show = async (sql: string): Promise<RowDataPacket[]> => (await admin.query<RowDataPacket[]>(sql))[0];
  const refresh = () => admin.query("ALTER PROXYCONFIG SET refresh_json_config = 'true'");
  const login = (cluster: string, user = 'root@trade') => proxy.connect({ user: `${user}#${cluster}` });
  const hostOf = async (connection: Connection): Promise<string> => {
    const [rows] = await connection.query<RowDataPacket[]>('SELECT @@hostname AS host');
    return String(rows[0]?.host);
  };
  const served = async () => (await show('SHOW PROXYRESOURCE')).map((row) => String(row.cluster_name)).sort();
  /** What SHOW PROXYINFO CONFIGSERVER says, by name. */
  const told = async () =>
    new Map((await show('SHOW PROXYINFO CONFIGSERVER')).map((row) => [String(row.name), String(row.info)]));
  const outcome = (answer: Promise<unknown>) =>
    answer.then(
      () => 'done',
      (error: { errno: number; message: string }) => ({ errno: error.errno, message: error.message }),
    );
  const addressOf = (name: string, index: number): string => clusters.get(name)?.servers[index]?.address ?? '';

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'odp-cs-'));
    home = await mkdtemp(join(tmpdir(), 'odp-home-'));
    for (const [index, clusterName] of ['c1', 'c2'].entries()) {
      const cluster = await startDemoCluster({ port: 0, clusterName });
      clusters.set(clusterName, cluster);
      await writeClusterFiles(directory, cluster, index + 1);
    }
    server = await startDemoConfigServer({ directory, port: 0 });
    await start();
  });

  afterAll(async () => {
    await proxy?.close();
    await server?.close();
    for (const cluster of clusters.values()) await cluster.close();
    for (const folder of [directory, home]) await rm(folder, { recursive: true, force: true });
  });

  it('R3 case B22 the name behind # picks the cluster, which is served from its first log-in on', async () => {
    expect(await served()).toEqual([]);
    expect((await show('SHOW PROXYCLUSTER')).map((row) => [row.cluster_name, row.cluster_id, row.root_addr])).toEqual(
      ['c1', 'c2'].flatMap((name, id) => [0, 1, 2, 3, 4].map((index) => [name, id + 1, addressOf(name, index)])),
    );
    const [first, second] = await Promise.all([login('c1'), login('c2')]);
    expect(await hostOf(first)).toMatch(/^c1-/);
    expect(await hostOf(second)).toMatch(/^c2-/);
    expect(await hostOf(await login('c2:2'))).toMatch(/^c2-/);
    expect(await hostOf(await proxy.connect({ user: 'root@trade#' }))).toMatch(/^c1-/);
    expect(await served()).toEqual(['c1', 'c2']);
    await until('both are read', async () =>
      (await show("SHOW PROXYCONGESTION ALL 'c2'")).every((row) => row.zone_name),
    );
    const rows = await show('SHOW PROXYCONGESTION ALL');
    expect(rows.filter(({ cluster_name }) => cluster_name === 'c1')).toHaveLength(5);
    expect(rows).toHaveLength(10);
    expect((await show('SHOW PROXYCLUSTER IDC LIKE "c1"')).map((row) => row.idc)).toContain('office');
  });

  it('R3 case B25 wrong cluster, wrong id and wrong tenant differ, and are named', async () => {
    expect(await outcome(login('nosuch'))).toMatchObject({ errno: 4669, message: expect.stringContaining("'nosuch'") });
    expect(await outcome(login('c2:9'))).toMatchObject({ errno: 4669, message: expect.stringContaining("'c2:9'") });
    expect(await outcome(login('c1', 'root@nosuch'))).not.toMatchObject({ errno: 4669 });
    expect(await outcome(login('c1', 'root@nosuch'))).toMatchObject({ errno: expect.any(Number) });
  });

  it('R3 R9 an IDC that only the ConfigServer knows gives the region', async () => {
    await admin.query("ALTER PROXYCONFIG SET proxy_idc_name = 'office'");
    const rows = await show('SHOW PROXYINFO IDC');
    expect(rows.map((row) => [row.cluster_name, row.match_type, row.regions_name, row.same_idc])).toEqual([
      ['c1', 'MATCHED_BY_URL', '[[0]"HANGZHOU"]', '[]'],
      ['c2', 'MATCHED_BY_URL', '[[0]"HANGZHOU"]', '[]'],
    ]);
    await admin.query("ALTER PROXYCONFIG SET proxy_idc_name = ''");
  });

  it('R3 B23 each cluster has lists of its own', async () => {
    clusters.get('c2')?.faults.setStopTime(addressOf('c2', 4), true);
    await until('it is listed', async () => (await show("SHOW PROXYCONGESTION 'c2'")).length === 1);
    expect(await show("SHOW PROXYCONGESTION 'c1'")).toEqual([]);
    clusters.get('c2')?.faults.setStopTime(addressOf('c2', 4), false);
    await until('it is free', async () => (await show('SHOW PROXYCONGESTION')).length === 0);
  });

  it('R3 a cluster that leaves ends its sessions with a word, those of the others go on; a new one is served', async () => {
    const third = await startDemoCluster({ port: 0, clusterName: 'c3' });
    clusters.set('c3', third);
    const [idle, busy, other] = [await login('c2'), await login('c2'), await login('c1')];
    await busy.query('BEGIN');
    await busy.query('SELECT * FROM trade.orders LIMIT 1');
    const ended = new Promise<string>((resolve) => idle.on('error', (error) => resolve(String(error))));
    await unlink(join(directory, 'c2.json'));
    await writeClusterFiles(directory, third, 3);
    await refresh();
    expect(await ended).toMatch(/'c2' has left the ConfigServer/);
    expect(await outcome(login('c2'))).toMatchObject({ errno: 4669 });
    expect(await busy.query('SELECT 1')).toBeDefined();
    expect(await hostOf(other)).toMatch(/^c1-/);
    expect(await hostOf(await login('c3'))).toMatch(/^c3-/);
    expect(await served()).toEqual(['c1', 'c3']);
    const over = new Promise<string>((resolve) => busy.on('error', (error) => resolve(String(error))));
    await busy.query('COMMIT');
    expect(await over).toMatch(/'c2' has left/);
    // It may come back.
    await writeClusterFiles(directory, clusters.get('c2') as DemoCluster, 2);
    await refresh();
    await until('it is told', async () => (await show("SHOW PROXYCLUSTER LIKE 'c2'")).length > 0);
    expect(await hostOf(await login('c2'))).toMatch(/^c2-/);
  });

  it('R3 case B26 a first server that is dead costs nobody a log-in; the cluster’s own list takes its place', async () => {
    const cluster = clusters.get('c2') as DemoCluster;
    await admin.query("ALTER PROXYRESOURCE DELETE 'c2'");
    const dead = { address: '127.0.0.250:2882', role: 'LEADER', sql_port: 1 };
    const living = { address: `${cluster.servers[1]?.ip}:2882`, role: 'FOLLOWER', sql_port: cluster.servers[1]?.port };
    await writeFile(
      join(directory, 'c2.json'),
      JSON.stringify({ ObCluster: 'c2', ObClusterId: 2, RsList: [dead, living] }),
    );
    await refresh();
    await until('it is told', async () => (await show("SHOW PROXYCLUSTER LIKE 'c2'")).length === 2);
    expect(await hostOf(await login('c2'))).toMatch(/^c2-/);
    await until('its own list counts', async () => (await show("SHOW PROXYCONGESTION ALL 'c2'")).length === 5);
    await writeClusterFiles(directory, cluster, 2, true);
  });

  it('R3 case B25 what the ConfigServer gets wrong changes nothing, and is told', async () => {
    await writeFile(join(directory, 'c1.json'), '{"RsList": [');
    await writeFile(join(directory, 'c3.json'), '{"RsList": []}');
    await refresh();
    await until('it is noticed', async () => {
      const rows = await told();
      return /not JSON/.test(rows.get('error of c1') ?? '') && /names no server/.test(rows.get('error of c3') ?? '');
    });
    for (const name of ['c1', 'c3']) expect(await hostOf(await login(name))).toMatch(new RegExp(`^${name}-`));
    for (const name of ['c1', 'c3'])
      await writeClusterFiles(directory, clusters.get(name) as DemoCluster, Number(name[1]), true);
    await refresh();
    await until(
      'it is well again',
      async () => ![...(await told()).keys()].some((name) => name.startsWith('error of')),
    );
    expect(proxy.log()).toMatch(/servers of cluster c1: .*not JSON.*its servers known so far stay/);
  });

  it('case B99 the internal account has another password in each cluster', async () => {
    const passwords = { c1: 'first', c2: 'second' };
    for (const [name, password] of Object.entries(passwords)) {
      const [host = '', port = ''] = addressOf(name, 0).split(':');
      const direct = await createConnection({ host, port: Number(port), user: 'root@sys' });
      await direct.query(`ALTER USER proxyro IDENTIFIED BY '${password}'`);
      await direct.end();
    }
    await admin.query("ALTER PROXYRESOURCE DELETE 'c1'");
    await admin.query("ALTER PROXYRESOURCE DELETE 'c2'");
    for (const name of ['c1', 'c2']) expect(await hostOf(await login(name))).toMatch(new RegExp(`^${name}-`));
    await until('the log says so of both', () =>
      ['c1', 'c2'].every((name) => new RegExp(`"cluster":"${name}","reason":"[^"]* refuses`).test(proxy.log())),
    );
    expect(await show('SHOW PROXYCONGESTION')).toEqual([]);
    await admin.query("ALTER PROXYCONFIG SET observer_sys_password = 'first'");
    await admin.query("ALTER PROXYCONFIG SET observer_sys_password1 = 'second'");
    await until('both are read', async () =>
      (await show("SHOW PROXYRESOURCE LIKE 'c_'")).every(
        ({ cluster_name, state }) => cluster_name === 'c3' || state === 'CR_AVAIL',
      ),
    );
  });

  it('R3 a cluster that nobody uses is given up after cluster_expire_time, and served again when asked for', async () => {
    const kept = await login('c1');
    await admin.query("ALTER PROXYRESOURCE DELETE 'c2'");
    const short = await login('c2');
    await short.end();
    await admin.query("ALTER PROXYCONFIG SET cluster_expire_time = '1s'");
    await until('it is given up', async () => !(await served()).includes('c2'));
    expect(await served()).toContain('c1');
    await admin.query("ALTER PROXYCONFIG SET cluster_expire_time = '1d'");
    expect(await hostOf(await login('c2'))).toMatch(/^c2-/);
    expect(await hostOf(kept)).toMatch(/^c1-/);
  });

  it('R3 case B25 started again while the ConfigServer is down, it goes by the kept copy', async () => {
    await proxy.close();
    const url = server.url();
    await server.close();
    proxy = await startProxy({ rsList: null, configServerUrl: url, clusterName: '', home, parameters });
    admin = await proxy.admin();
    expect((await told()).get('source')).toBe('copy');
    expect((await told()).get('error')).toContain('ECONNREFUSED');
    for (const name of ['c1', 'c2', 'c3']) expect(await hostOf(await login(name))).toMatch(new RegExp(`^${name}-`));
    server = await startDemoConfigServer({ directory, port: server.port });
    await refresh();
    await until('it answers', async () => (await told()).get('source') === 'server');
    expect((await told()).get('error')).toBe('');
  });

  it('case B25 a dead cluster is told from a wrong one', async () => {
    await clusters.get('c3')?.close();
    clusters.delete('c3');
    expect(await outcome(login('c3'))).toMatchObject({ errno: 10013, message: expect.stringContaining("'c3'") });
  });
});
