/**
 * Databases to run one and the same suite on: two servers each that pose as a cluster, so that a session really moves
 * from one to the other.
 */
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { startDemoCluster } from '../demo/demo-cluster.ts';
import type { DemoFaults } from '../demo/faults.ts';
import { joinKernelCluster, kernelClusterName, poseAsCluster } from '../demo/kernel/pose-as-cluster.ts';
import { type Gate, noGate, startGate } from './gate.ts';
import { startKernel } from './kernel.ts';
import { startMariaDb } from './mariadb.ts';
import type { AvailablePart, UnavailablePart } from './part.ts';
import { type ProxyLogin, startProxy, type TestProxy, until } from './proxy.ts';
import type { RawClient, RawLogin } from './raw-client.ts';

/** Database of the tests; each server has it, with tables `t0` … `t19` and `whoami` in it. */
export const testDatabase = 'odp';
/** Enough to look for one that leads where it should. */
const tableCount = 20;

interface BackendServer {
  /** Where the proxy finds it: at its gate. */
  readonly address: string;
  /** Its own port, past the gate. */
  readonly port: number;
  readonly pid: number;
  /** What `whoAnswers` tells there. */
  readonly name: string;
  /** Through it goes all that the proxy sends. */
  readonly gate: Gate;
}

export interface TestBackend extends AvailablePart {
  readonly name: string;
  readonly isKernel: boolean;
  /** An OceanBase server lists its variables to a proxy; MariaDB lists system variables only. */
  readonly isOceanBase: boolean;
  readonly clusterName: string;
  /** The two that the tests use. */
  readonly servers: readonly BackendServer[];
  /** All of the cluster's addresses. */
  readonly rsList: string;
  /** How a statement finds out which server answers it: an expression that gives a server's `name`. */
  readonly whoAnswers: { readonly expression: string; readonly join: string };
  /** A session variable that may be set here to another value than the usual one. */
  readonly setting: { readonly name: string; readonly value: string | number };
  /** Account of the tests, with all rights on `odp`. */
  readonly user: string;
  readonly password: string;
  /** The servers have one and the same data, so that what is made at one of them is everywhere. */
  readonly sharesData: boolean;
  /** Faults on request, of the demo cluster. */
  readonly faults: DemoFaults | null;
  /** Past the proxy, with all rights. @param server 0 or 1 */
  direct(server?: number): Promise<Connection>;
}

/** A backend with a proxy before it. */
export interface ProxiedBackend extends AvailablePart {
  readonly backend: TestBackend;
  readonly proxy: TestProxy;
  /** Clients connect in TLS. */
  readonly tls: boolean;
  /** Name of a table that leads at server 0, and of one at server 1. */
  readonly tables: readonly [string, string];
  /** Logs in as the tests' account, in the tests' database. */
  connect(options?: Partial<ProxyLogin>): Promise<Connection>;
  /** The same with a client of raw packets. */
  raw(login?: Partial<RawLogin>): Promise<RawClient>;
}

/** Servers that do not share their data have a table each that names them. */
const BY_TABLE = { expression: 'w.server', join: `, ${testDatabase}.whoami w` };

const locationTable = `CREATE TABLE oceanbase.__all_virtual_proxy_schema (
  tenant_name varchar(128), database_name varchar(128), table_name varchar(256), tablet_id bigint DEFAULT 0,
  table_id bigint, svr_ip varchar(46), sql_port bigint, role bigint DEFAULT 1, part_num bigint DEFAULT 1,
  replica_num bigint DEFAULT 1, table_type bigint DEFAULT 3, schema_version bigint DEFAULT 1,
  replica_type bigint DEFAULT 0, dup_replica_type bigint DEFAULT 0)`;

/** Two MariaDB servers; even tables lead at the first, odd ones at the second. No account has a password. */
export async function mariaDbBackend(options: readonly string[] = []): Promise<TestBackend | UnavailablePart> {
  const all = ['--max-allowed-packet=1G', '--session-track-system-variables=*', '--local-infile=1', ...options];
  const parts = await Promise.all([startMariaDb(all), startMariaDb(all)]);
  const servers: BackendServer[] = [];
  for (const part of parts) {
    if (!part.available) return part;
    servers.push(await gated(part));
  }
  const backend: TestBackend = {
    available: true,
    name: 'two MariaDB servers',
    isKernel: false,
    sharesData: false,
    faults: null,
    isOceanBase: false,
    clusterName: 'pair',
    servers,
    rsList: servers.map(({ address }) => address).join(';'),
    whoAnswers: BY_TABLE,
    setting: { name: 'time_zone', value: '+04:00' },
    user: 'u1@sys',
    password: '',
    direct: (server = 0) => directly({ port: servers[server]?.port ?? 0, user: 'root' }),
    close: async () => {
      await Promise.all(servers.map(({ gate }) => gate.close()));
      await Promise.all(parts.map((part) => part.close()));
    },
  };
  for (const [index] of servers.entries()) {
    const connection = await backend.direct(index);
    await fillMariaDb(
      connection,
      servers.map(({ address }) => address),
      index,
    );
    await connection.end();
  }
  return backend;
}

async function gated(part: { readonly port: number; readonly pid: number }): Promise<BackendServer> {
  const gate = await startGate(part.port);
  const address = `127.0.0.1:${gate.port}`;
  return { address, name: address, port: part.port, pid: part.pid, gate };
}

/**
 * Makes a new MariaDB, reached by `root`, the server at `index` of a posed cluster in zones `zone1` …, with the tests'
 * database and the accounts `u1@sys` and `root@sys`. @param addresses `ip:port` of every server
 */
export async function fillMariaDb(connection: Connection, addresses: readonly string[], index: number): Promise<void> {
  await connection.query('CREATE DATABASE oceanbase');
  const places = addresses.map((address, zone) => ({ address, zone: `zone${zone + 1}` }));
  await poseAsCluster(connection, places, 'proxyro@sys');
  await connection.query(locationTable);
  for (let table = 0; table < tableCount; table++) {
    const [ip = '', port = ''] = (addresses[table % addresses.length] ?? '').split(':');
    await connection.query(
      `INSERT INTO oceanbase.__all_virtual_proxy_schema
         (tenant_name, database_name, table_name, table_id, svr_ip, sql_port) VALUES ('sys', ?, ?, ?, ?, ?)`,
      [testDatabase, `t${table}`, 500_000 + table, ip, Number(port)],
    );
  }
  for (const user of ['u1@sys', 'root@sys']) {
    await connection.query(`CREATE USER '${user}'`);
    await connection.query(`GRANT ALL ON *.* TO '${user}'`);
  }
  await fillTables(connection, addresses[index] ?? '');
}

/** Two genuine kernels. Each calls itself leader of everything: whichever is asked for a table's place gets it. */
export async function kernelBackend(): Promise<TestBackend | UnavailablePart> {
  const parts = await Promise.all([startKernel(), startKernel()]);
  const servers: BackendServer[] = [];
  for (const part of parts) {
    if (!part.available) return part;
    servers.push(await gated(part));
  }
  const backend: TestBackend = {
    available: true,
    name: 'two genuine kernels',
    isKernel: true,
    sharesData: false,
    faults: null,
    isOceanBase: true,
    clusterName: kernelClusterName,
    servers,
    rsList: servers.map(({ address }) => address).join(';'),
    whoAnswers: BY_TABLE,
    setting: { name: 'time_zone', value: '+04:00' },
    user: 'u1@sys',
    password: 'pw1',
    direct: (server = 0) => directly({ port: servers[server]?.port ?? 0, user: 'root@sys' }),
    close: async () => {
      await Promise.all(servers.map(({ gate }) => gate.close()));
      await Promise.all(parts.map((part) => part.close()));
    },
  };
  await Promise.all(servers.map((_, index) => fillKernel(backend, index)));
  return backend;
}

async function fillKernel(backend: TestBackend, index: number): Promise<void> {
  const connection = await backend.direct(index);
  await joinKernelCluster(
    connection,
    backend.servers.map(({ address }, zone) => ({ address, zone: `zone${zone + 1}` })),
  );
  await connection.query("CREATE USER 'u1' IDENTIFIED BY 'pw1'");
  await connection.query("GRANT ALL ON *.* TO 'u1'");
  await fillTables(connection, backend.servers[index]?.address ?? '');
  await connection.end();
}

/** The embedded demo cluster: five servers that share their data, tables led by different ones. @param tls PEM texts */
export async function demoBackend(tls?: { readonly cert: string; readonly key: string }): Promise<TestBackend> {
  const demo = await startDemoCluster({ port: 0, ...(tls === undefined ? {} : { tls }) });
  const root = (index: number): Promise<Connection> => {
    const server = demo.servers[index];
    return directly({ host: server?.ip ?? '', port: server?.port ?? 0, user: 'root@trade' });
  };
  const connection = await root(0);
  await connection.query(`CREATE DATABASE ${testDatabase}`);
  await connection.query("CREATE USER 'u1' IDENTIFIED BY 'pw1'");
  await connection.query("GRANT ALL ON *.* TO 'u1'");
  for (let table = 0; table < tableCount; table++) await fillTable(connection, table);
  await connection.end();
  const sys = demo.servers[0];
  const metadata = await directly({ host: sys?.ip ?? '', port: sys?.port ?? 0, user: 'root@sys' });
  const [places] = await metadata.query<RowDataPacket[]>(
    `SELECT * FROM oceanbase.__all_virtual_proxy_schema
     WHERE tenant_name = 'trade' AND database_name = '${testDatabase}' AND table_name IN ('t0', 't1', 't2', 't3', 't4')`,
  );
  await metadata.end();
  const leaders = new Set(
    places.filter(({ role }) => Number(role) === 1).map((row) => `${row.svr_ip}:${row.sql_port}`),
  );
  const servers = demo.servers.filter(({ address }) => leaders.has(address)).slice(0, 2);
  return {
    available: true,
    name: 'the demo cluster',
    isKernel: false,
    sharesData: true,
    faults: demo.faults,
    isOceanBase: true,
    clusterName: demo.clusterName,
    servers: servers.map(({ address, hostName, port }) => ({ address, name: hostName, port, pid: 0, gate: noGate })),
    rsList: demo.servers.map(({ address }) => address).join(';'),
    whoAnswers: { expression: '@@hostname', join: '' },
    setting: { name: 'ob_trx_timeout', value: 77_000_000 },
    user: 'u1@trade',
    password: 'pw1',
    direct: (server = 0) => root(demo.servers.findIndex(({ address }) => address === servers[server]?.address)),
    close: () => demo.close(),
  };
}

async function fillTables(connection: Connection, address: string): Promise<void> {
  await connection.query(`CREATE DATABASE ${testDatabase}`);
  await connection.query(`CREATE TABLE ${testDatabase}.whoami (server varchar(64) PRIMARY KEY)`);
  await connection.query(`INSERT INTO ${testDatabase}.whoami VALUES (?)`, [address]);
  for (let table = 0; table < tableCount; table++) await fillTable(connection, table);
}

async function fillTable(connection: Connection, table: number): Promise<void> {
  const name = `${testDatabase}.t${table}`;
  await connection.query(`CREATE TABLE ${name} (id bigint PRIMARY KEY, v varchar(100))`);
  await connection.query(`INSERT INTO ${name} VALUES (1, 'one'), (2, 'two'), (3, 'three')`);
}

/**
 * Starts a proxy before it and finds out which table leads where. Closing it closes the backend, too.
 * @param tls whether clients connect in TLS, which the parameters must then offer
 */
export async function behindProxy(
  backend: TestBackend | UnavailablePart,
  parameters: Readonly<Record<string, string | number>> = {},
  tls = false,
): Promise<ProxiedBackend | UnavailablePart> {
  if (!backend.available) return backend;
  const { clusterName, rsList, user, password } = backend;
  const proxy = await startProxy({
    rsList,
    clusterName,
    // What is done with servers that fail again and again, or say that they are inactive, has tests of its own.
    parameters: {
      server_state_refresh_interval: '10ms',
      enable_congestion: 'false',
      // Kernels that pose as a cluster tell no places that last: whichever is asked anew leads everything.
      ...(backend.isKernel ? { normal_pl_update_threshold: '0' } : {}),
      ...parameters,
    },
  });
  const inTls = tls ? { ssl: { rejectUnauthorized: false } } : {};
  const connect: ProxiedBackend['connect'] = (options) =>
    proxy.connect({ user, password, database: testDatabase, ...inTls, ...options });
  const raw: ProxiedBackend['raw'] = async (login) => {
    const client = await proxy.raw();
    await client.login({ user: `${user}#${clusterName}`, password, database: testDatabase, tls, ...login });
    return client;
  };
  try {
    const [first, second] = await placeTables(backend, proxy, connect);
    const admin = await proxy.admin();
    await admin.query("ALTER PROXYCONFIG SET server_state_refresh_interval = '1s'");
    await admin.end();
    const close = async (): Promise<void> => {
      await proxy.close();
      await backend.close();
    };
    return { available: true, backend, proxy, tls, tables: [first, second], connect, raw, close };
  } catch (error) {
    const log = proxy.log();
    await proxy.close();
    await backend.close();
    throw new Error(`${String(error)}\n${log}`);
  }
}

/**
 * One table at each server. Of kernels the same active one leads whatever is asked for, so that one is called inactive
 * until a table has been asked for that then leads at the other.
 */
async function placeTables(
  backend: TestBackend,
  proxy: TestProxy,
  connect: ProxiedBackend['connect'],
): Promise<[string, string]> {
  const connection = await connect();
  const admin = await proxy.admin();
  const places = new Map<string, string>();
  const isEverywhere = (): boolean => backend.servers.every(({ name }) => places.has(name));
  const look = async (table: number): Promise<void> => {
    const server = await whoAnswers(backend, connection, `t${table}`);
    if (!places.has(server)) places.set(server, `t${table}`);
  };
  try {
    let table = 0;
    await look(table);
    const leader = backend.servers.findIndex(({ name }) => places.has(name));
    /** Returns when the proxy has read it: a kernel that is busy takes its time. */
    const tellState = async (state: string): Promise<void> => {
      const address = backend.servers[leader]?.address;
      if (!backend.isKernel || address === undefined) return;
      await setServerState(backend, leader, state);
      await until(`the proxy has read that ${address} is ${state}`, async () => {
        const [rows] = await admin.query<RowDataPacket[]>('SHOW PROXYCONGESTION ALL');
        const shown = rows.find(({ server_ip }) => server_ip === address)?.server_state;
        // What probes find may stand in the place of ACTIVE.
        return (shown === 'INACTIVE') === (state === 'INACTIVE');
      });
    };
    await tellState('INACTIVE');
    await until('each server leads a table', async () => {
      if (++table === tableCount) throw new Error(`of ${tableCount} tables none leads at one of the servers`);
      await look(table);
      return isEverywhere();
    });
    await tellState('ACTIVE');
    const [first = '', second = ''] = backend.servers.map(({ name }) => places.get(name));
    return [first, second];
  } finally {
    await admin.end();
    await connection.end();
  }
}

/** What all kernels say of the state of one of them. */
async function setServerState(backend: TestBackend, server: number, state: string): Promise<void> {
  for (const [index] of backend.servers.entries()) {
    const connection = await backend.direct(index);
    await connection.query('UPDATE oceanbase.DBA_OB_SERVERS SET status = ? WHERE id = ?', [state, server + 1]);
    await connection.end();
  }
}

/** Name of the server that answers a statement on this table. */
async function whoAnswers({ whoAnswers: who }: TestBackend, connection: Connection, table: string): Promise<string> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT ${who.expression} AS server FROM ${testDatabase}.${table} k${who.join} LIMIT 1`,
  );
  return String(rows[0]?.server);
}

/** Address of the server that answers a statement on this table. */
export async function serverOf(px: ProxiedBackend, connection: Connection, table: string): Promise<string> {
  const name = await whoAnswers(px.backend, connection, table);
  return px.backend.servers.find((server) => server.name === name)?.address ?? name;
}

/** Runs statements past the proxy so that both servers know of what they make. */
export async function runEverywhere({ backend }: ProxiedBackend, ...statements: string[]): Promise<void> {
  for (const server of backend.sharesData ? [0] : [0, 1]) {
    const connection = await backend.direct(server);
    for (const statement of statements) await connection.query(statement);
    await connection.end();
  }
}

function directly(login: { host?: string; port: number; user: string }): Promise<Connection> {
  return createConnection({ host: '127.0.0.1', multipleStatements: true, flags: ['-IGNORE_SPACE'], ...login });
}

/** One row of values from the server with this number, of a session that may be anywhere. @param what expressions */
export async function readAt(
  px: ProxiedBackend,
  connection: Connection,
  server: 0 | 1,
  what: string,
): Promise<Record<string, unknown>> {
  const { expression, join } = px.backend.whoAnswers;
  const sql = `SELECT ${what}, ${expression} AS server FROM ${testDatabase}.${px.tables[server]} k${join} LIMIT 1`;
  const [rows] = await connection.query<RowDataPacket[]>(sql);
  const { server: answeredBy, ...values }: Record<string, unknown> = { ...rows[0] };
  const wanted = px.backend.servers[server]?.name;
  // After SET NAMES binary texts come as bytes.
  if (String(answeredBy) !== wanted) throw new Error(`the statement went to ${answeredBy}, not to ${wanted}`);
  return values;
}
