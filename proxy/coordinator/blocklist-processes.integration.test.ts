/** The blocklists before real server processes that are stopped, refuse, or hang. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  behindProxy,
  kernelBackend,
  mariaDbBackend,
  type ProxiedBackend,
  serverOf as serverBehind,
} from '../testing/backends.ts';
import { startDeafServer } from '../testing/deaf-server.ts';
import { type Lists, listsOf } from '../testing/lists.ts';
import { describeWith } from '../testing/part.ts';
import { until } from '../testing/proxy.ts';

const parameters = {
  server_detect_refresh_interval: '100ms',
  detect_server_timeout: '1s',
  congestion_retry_interval: '1s',
  min_keep_congestion_interval: '1s',
  observer_query_timeout_delta: '5s',
};
const kernels = await behindProxy(await kernelBackend(), parameters);
const mariaDb = await behindProxy(await mariaDbBackend(), parameters);
afterAll(async () => {
  await kernels.close();
  await mariaDb.close();
});

describeWith(kernels, 'blocklists before two genuine kernels', processSuite);
describeWith(mariaDb, 'blocklists before two MariaDB servers', (px) => {
  processSuite(px);
  postureSuite(px);
});

interface Tools {
  readonly lists: () => Lists;
  readonly client: () => Promise<Connection>;
  /** `ip:port` of server 0 or 1. */
  readonly address: (server: number) => string;
  /** Until nothing is listed; a request now and then tries servers of the alive list. */
  readonly untilReleased: () => Promise<void>;
}

function toolsOf(px: ProxiedBackend): Tools {
  const clients: Connection[] = [];
  let lists: Lists | null = null;
  const client = async (): Promise<Connection> => {
    const connection = await px.connect();
    clients.push(connection);
    return connection;
  };
  const known = (): Lists => {
    if (lists === null) throw new Error('the suite has not begun');
    return lists;
  };
  const untilReleased = async (): Promise<void> => {
    const connection = await client();
    await until('nothing is listed', async () => {
      for (const table of px.tables) await serverBehind(px, connection, table);
      return (await known().listed()).length === 0;
    });
  };
  beforeAll(async () => {
    lists = await listsOf(px.proxy);
    await lists.alter('enable_congestion', 'true');
    // A kernel was INACTIVE while the tests' tables were placed.
    await untilReleased();
  });
  afterEach(async () => {
    for (const { gate } of px.backend.servers) await gate.open();
    for (const connection of clients.splice(0)) await connection.end();
  });
  return {
    lists: known,
    client,
    address: (server) => px.backend.servers[server]?.address ?? '',
    untilReleased,
  };
}

const outcome = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => 'done',
    (error: { errno: number; message: string }) => ({ errno: error.errno, message: error.message }),
  );

function processSuite(px: ProxiedBackend): void {
  const serverOf = (connection: Connection, table: string) => serverBehind(px, connection, table);
  const { lists, client, address, untilReleased } = toolsOf(px);
  const [first, second] = px.tables;

  it('B5 B6 B8 B9 case B19 SIGSTOP: who waits there goes on with the verdict, nobody else waits, no descriptor is left', async () => {
    const [reader, writer, inTransaction] = [await client(), await client(), await client()];
    const others = await Promise.all(Array.from({ length: 10 }, client));
    await reader.query("SET time_zone = '+05:00'");
    for (const session of [reader, writer, inTransaction]) expect(await serverOf(session, second)).toBe(address(1));
    for (const session of others) expect(await serverOf(session, first)).toBe(address(0));
    await inTransaction.query('BEGIN');
    expect(await serverOf(inTransaction, second)).toBe(address(1));
    const descriptors = countDescriptors(px);
    process.kill(px.backend.servers[1]?.pid ?? 0, 'SIGSTOP');
    const ended: string[] = [];
    try {
      const note = <Value>(what: string, answer: Promise<Value>) => answer.finally(() => ended.push(what));
      const read = note('read', serverOf(reader, second));
      const write = note('write', outcome(writer.query(`UPDATE ${second} SET v = v WHERE id = 1`)));
      const last = note('transaction', outcome(serverOf(inTransaction, second)));
      for (const session of others) expect(await serverOf(session, first)).toBe(address(0));
      expect(ended).toEqual([]);
      expect(await read).toBe(address(0));
      expect(await write).toMatchObject({ errno: 10014, message: expect.stringContaining('DETECT_DEAD') });
      expect(await last).toMatchObject({ errno: 10014, message: expect.stringContaining('transaction has ended') });
      expect(await lists().of(address(1))).toContain('detection');
      for (const session of [reader, writer, inTransaction]) expect(await serverOf(session, second)).toBe(address(0));
    } finally {
      process.kill(px.backend.servers[1]?.pid ?? 0, 'SIGCONT');
    }
    await untilReleased();
    for (const session of [reader, writer, inTransaction]) expect(await serverOf(session, second)).toBe(address(1));
    const [rows] = await reader.query<RowDataPacket[]>(`SELECT @@time_zone AS kept FROM ${second} LIMIT 1`);
    expect(rows).toEqual([{ kept: '+05:00' }]);
    await until('no descriptor is left', () => countDescriptors(px) <= descriptors + 6);
  });

  it('B6 B10 B13 C14 a server that refuses: both lists, no client notices, and it is tried again when it is back', async () => {
    const session = await client();
    expect(await serverOf(session, second)).toBe(address(1));
    await px.backend.servers[1]?.gate.refuse();
    for (let read = 0; read < 8; read++) expect(await serverOf(session, second)).toBe(address(0));
    await lists().untilListed(address(1), 'alive');
    await lists().untilListed(address(1), 'detection');
    await px.backend.servers[1]?.gate.open();
    await untilReleased();
    expect(await serverOf(session, second)).toBe(address(1));
    const [, released] = await lists().untilRecorded(address(1), ['alive listed', 'alive released']);
    expect(released).toMatch(/worked/);
  });

  it('B15 case B85 both refuse: an error at once; the first that is back is used without waiting for a retry', async () => {
    await lists().alter('congestion_retry_interval', '1h');
    const session = await client();
    for (const { gate } of px.backend.servers) await gate.refuse();
    await until('both are listed', async () => {
      expect(await outcome(serverOf(session, first))).toMatchObject({ errno: 10013 });
      return (await lists().listed()).length === 2;
    });
    await px.backend.servers[0]?.gate.open();
    expect(await serverOf(session, second)).toBe(address(0));
    await px.backend.servers[1]?.gate.open();
    await lists().alter('congestion_retry_interval', '1s');
    await untilReleased();
    expect(await serverOf(session, second)).toBe(address(1));
  });
}

/** What needs control of the views, and servers that are not there. */
function postureSuite(px: ProxiedBackend): void {
  const serverOf = (connection: Connection, table: string) => serverBehind(px, connection, table);
  const { lists, client, address, untilReleased } = toolsOf(px);
  const [, second] = px.tables;
  const inBoth = async (sql: string, values: (string | number)[] = []): Promise<void> => {
    for (const server of [0, 1]) {
      const connection = await px.backend.direct(server);
      await connection.query(sql, values);
      await connection.end();
    }
  };
  const runningUpdates = async (): Promise<{ server: number; id: number }[]> => {
    const found: { server: number; id: number }[] = [];
    for (const server of [0, 1]) {
      const connection = await px.backend.direct(server);
      const [rows] = await connection.query<RowDataPacket[]>('SHOW FULL PROCESSLIST');
      const running = rows.filter((row) => String(row.Info).startsWith('UPDATE'));
      found.push(...running.map((row) => ({ server, id: Number(row.Id) })));
      await connection.end();
    }
    return found;
  };
  const portOf = (server: number): number => Number(address(server).split(':')[1]);

  it('case B88 a listed server leaves and comes back in another zone: nothing of before holds', async () => {
    const session = await client();
    await px.backend.servers[1]?.gate.refuse();
    await until('it is listed', async () => {
      await serverOf(session, second);
      return (await lists().of(address(1))).includes('alive');
    });
    await inBoth('UPDATE oceanbase.DBA_OB_SERVERS SET svr_port = -1 WHERE sql_port = ?', [portOf(1)]);
    await until('it has left', async () => (await lists().row(address(1))) === null);
    await px.backend.servers[1]?.gate.open();
    await inBoth("UPDATE oceanbase.DBA_OB_SERVERS SET svr_port = 1, zone = 'zone1' WHERE sql_port = ?", [portOf(1)]);
    await lists().untilRow(address(1), {
      zone_name: 'zone1',
      alive_congested: 0,
      last_alive_congested: '0',
      stat_alive_failures: 0,
      detect_congested: 0,
    });
    expect(await serverOf(session, second)).toBe(address(1));
    await inBoth("UPDATE oceanbase.DBA_OB_SERVERS SET zone = 'zone2' WHERE sql_port = ?", [portOf(1)]);
    await lists().untilRow(address(1), { zone_name: 'zone2' });
  });

  it('B21 case B86 a connection that hangs lists the server at once, if it was given up late enough', async () => {
    const deaf = await startDeafServer();
    const deafAddress = `127.0.0.1:${deaf.port}`;
    try {
      await lists().alter('server_detect_mode', 0);
      await inBoth(
        `INSERT INTO oceanbase.DBA_OB_SERVERS (svr_ip, svr_port, id, zone, sql_port, with_rootserver, status, start_service_time)
           VALUES ('127.0.0.1', 1, 9, 'zone1', ?, 'NO', 'ACTIVE', now(6))`,
        [deaf.port],
      );
      await inBoth("UPDATE oceanbase.__all_virtual_proxy_schema SET sql_port = ? WHERE table_name IN ('t8', 't9')", [
        deaf.port,
      ]);
      const session = await client();
      await until('the proxy knows it', async () => (await lists().row(deafAddress)) !== null);

      await lists().alter('min_congested_connect_timeout', '1h');
      const early = await px.raw();
      early.command(0x03, 'SELECT 1 FROM t8');
      await until('it is being connected to', () => countConnecting(deaf.port) > 0);
      early.reset();
      await until('it is given up', () => countConnecting(deaf.port) === 0);
      expect(await lists().of(deafAddress)).toEqual([]);

      await lists().alter('min_congested_connect_timeout', '100ms');
      expect(await serverOf(session, 't8')).not.toBe(deafAddress);
      await lists().untilListed(deafAddress, 'alive');
      expect(await lists().row(deafAddress)).toMatchObject({ conn_failure_events: 1 });
      expect(await serverOf(session, 't9')).not.toBe(deafAddress);
    } finally {
      await deaf.close();
      await inBoth('DELETE FROM oceanbase.DBA_OB_SERVERS WHERE sql_port = ?', [deaf.port]);
      await lists().alter('server_detect_mode', 1);
      await until('it has left', async () => (await lists().row(deafAddress)) === null);
    }
    await untilReleased();
  });

  it('case B86 a write that ends every connection is never sent twice, and the others are served', async () => {
    const poison = await client();
    const others = await client();
    await lists().alter('congestion_failure_threshold', 3);
    for (let count = 0; count < 6; count++) {
      await until('a server works on it', async () => (await serverOf(poison, second)) !== '');
      const running = outcome(poison.query(`UPDATE ${second} SET v = v WHERE id = 1 AND SLEEP(20) = 0`));
      await until('it runs', async () => (await runningUpdates()).length === 1);
      for (const { gate } of px.backend.servers) gate.cut();
      expect(await running).toMatchObject({ errno: 10014 });
      for (const table of px.tables) expect(await serverOf(others, table)).toMatch(/^127/);
      // Its server goes on with it; no other has begun.
      const stillRunning = await runningUpdates();
      expect(stillRunning.length).toBe(1);
      for (const { server, id } of stillRunning) {
        const connection = await px.backend.direct(server);
        await connection.query(`KILL ${id}`);
        await connection.end();
      }
      await until('it has ended', async () => (await runningUpdates()).length === 0);
    }
    await lists().alter('congestion_failure_threshold', 5);
    await untilReleased();
  });
}

function countDescriptors(px: ProxiedBackend): number {
  return readdirSync(`/proc/${px.proxy.workerPid}/fd`).length;
}

/** Connections to a port of 127.0.0.1 that nobody has accepted yet (state SYN_SENT, proc(5)). */
function countConnecting(port: number): number {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'latin1').split('\n').slice(1);
  return lines.filter((line) => {
    const [, , to, state] = line.trim().split(/\s+/);
    return to === remote && state === '02';
  }).length;
}
