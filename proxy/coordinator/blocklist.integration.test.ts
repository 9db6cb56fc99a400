/** The blocklists at work: the product before a demo cluster whose servers have faults. */
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { type Lists, listsOf } from '../testing/lists.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';

/** As fast as the rules allow. */
const parameters = {
  server_state_refresh_interval: '100ms',
  server_detect_refresh_interval: '100ms',
  detect_server_timeout: '1s',
  congestion_retry_interval: '1s',
  min_keep_congestion_interval: '1s',
  observer_query_timeout_delta: '1s',
};

const tables = { customers: 'zone1', products: 'zone2', orders: 'zone3' } as const;
type Table = keyof typeof tables;

describe('blocklists before the demo cluster', () => {
  let demo: DemoCluster;
  let proxy: TestProxy;
  let lists: Lists;
  /** Past the proxy, to a server that has no faults. */
  let direct: Connection;
  const clients: Connection[] = [];

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    proxy = await startProxy({
      rsList: demo.servers.map(({ address }) => address).join(';'),
      clusterName: demo.clusterName,
      parameters,
    });
    lists = await listsOf(proxy);
    const [host = '', port = ''] = address('zone1').split(':');
    direct = await createConnection({ host, port: Number(port), user: 'root@trade' });
    for (const [table, zone] of Object.entries(tables)) {
      demo.faults.switchLeader({ table: `trade.trade.${table}` }, zone);
    }
  });

  /** Everything well, and every count at its beginning. */
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await demo.faults.clear();
    for (const name of ['server_detect_mode', 'enable_congestion', 'congestion_failure_threshold'] as const) {
      await lists.alter(
        name,
        { server_detect_mode: 2, enable_congestion: 'true', congestion_failure_threshold: -1 }[name],
      );
    }
    await lists.alter('congestion_fail_window', '121s');
    await until('every server is ACTIVE and answers', async () => {
      await lists.alter('congestion_failure_threshold', 5);
      if ((await lists.listed()).length === 0) return true;
      await lists.alter('congestion_failure_threshold', -1);
      return false;
    });
    await lists.alter('congestion_fail_window', '120s');
    await lists.alter('server_detect_mode', 1);
  });

  afterAll(async () => {
    await direct.end();
    await proxy.close();
    await demo.close();
  });

  const address = (zone: string): string => demo.servers.find((server) => server.zone === zone)?.address ?? '';
  const zone2 = (): string => address('zone2');
  const client = async (): Promise<Connection> => {
    const connection = await proxy.connect({ user: 'app@trade', password: 'app-secret', database: 'trade' });
    clients.push(connection);
    return connection;
  };
  /** Zone of the server that answers a read of a table. */
  const zoneOf = async (connection: Connection, table: Table, hint = ''): Promise<string> => {
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT ${hint} @@hostname AS h FROM ${table} LIMIT 1`);
    return /zone\d/.exec(String(rows[0]?.h))?.[0] ?? '';
  };
  const untilAnswers = (connection: Connection, table: Table): Promise<void> =>
    until(`${tables[table]} answers`, async () => (await zoneOf(connection, table)) === tables[table]);
  /** Until nothing is listed; without requests nobody would try a server of the alive list. */
  const untilReleased = (connection: Connection): Promise<void> =>
    until('nothing is listed', async () => {
      await zoneOf(connection, 'products');
      return (await lists.listed()).length === 0;
    });
  const zonesOf = async (connection: Connection, count = 5): Promise<string[]> => {
    const zones: string[] = [];
    for (let read = 0; read < count; read++) zones.push(await zoneOf(connection, 'products'));
    return [...new Set(zones)];
  };
  const failures = async (zone: string): Promise<number> =>
    Number((await lists.row(address(zone)))?.stat_alive_failures);
  const outcome = (answer: Promise<unknown>): Promise<unknown> =>
    answer.then(
      () => 'done',
      (error: { errno: number; message: string }) => ({ errno: error.errno, message: error.message }),
    );

  describe('status list', () => {
    it('B1 B2 B14 INACTIVE in the view: no traffic, though the server answers; ACTIVE again: traffic, and both have a reason', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      demo.faults.setServerStatus('zone2', 'INACTIVE');
      await lists.untilListed(zone2(), 'status');
      await lists.untilRow(zone2(), { server_state: 'INACTIVE', zone_state: 'ACTIVE' });
      expect(await zonesOf(session)).not.toContain('zone2');
      expect(await lists.listed()).toEqual([zone2()]);
      await until('min_keep_congestion_interval is over', async () => {
        const since = Date.parse(`${(await lists.row(zone2()))?.last_dead_congested}`);
        return Date.now() - since > 2_500;
      });
      demo.faults.setServerStatus('zone2', 'ACTIVE');
      await lists.untilFree(zone2());
      await untilAnswers(session, 'products');
      const [listed, released] = await lists.untilRecorded(zone2(), ['status listed', 'status released']);
      expect(listed).toMatch(/INACTIVE/);
      expect(released).toMatch(/ACTIVE/);
    });

    it('B20 ACTIVE too early: kept away from until a request that tries it works', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      demo.faults.setInService('zone2', false);
      await lists.untilRow(zone2(), { dead_congested: 1, server_state: 'REPLAY' });
      demo.faults.setInService('zone2', true);
      await lists.untilRow(zone2(), { dead_congested: 0, alive_congested: 1, server_state: 'ACTIVE' });
      expect(await zoneOf(session, 'products')).not.toBe('zone2');
      await untilAnswers(session, 'products');
      await untilReleased(session);
      await lists.untilRecorded(zone2(), ['status listed', 'status released', 'alive listed', 'alive released']);
    });

    it('B4 case B88 a stop time: no new requests, a running transaction goes on; its zone stopped: the same', async () => {
      const session = await client();
      const busy = await client();
      await untilAnswers(session, 'products');
      await busy.query('BEGIN');
      expect(await zoneOf(busy, 'products')).toBe('zone2');
      demo.faults.setStopTime('zone2', true);
      await lists.untilRow(zone2(), { server_state: 'UPGRADE', dead_congested: 0 });
      await until('requests keep away', async () => (await zoneOf(session, 'products')) !== 'zone2');
      expect(await zoneOf(busy, 'products')).toBe('zone2');
      await busy.query('COMMIT');
      expect(await zoneOf(busy, 'products')).not.toBe('zone2');
      demo.faults.setStopTime('zone2', false);
      await untilAnswers(session, 'products');
      demo.faults.setZoneStatus('zone2', 'INACTIVE');
      await lists.untilRow(zone2(), { zone_state: 'UPGRADE', server_state: 'ACTIVE', dead_congested: 0 });
      await until('requests keep away', async () => (await zoneOf(session, 'products')) !== 'zone2');
      demo.faults.setZoneStatus('zone2', 'ACTIVE');
      await untilAnswers(session, 'products');
    });

    it('B3 case B88 a server that has left is not shown and gets nothing; it comes back with nothing against it', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      demo.faults.setServerStatus('zone2', 'INACTIVE');
      await lists.untilListed(zone2(), 'status');
      demo.faults.setServerStatus('zone2', 'DELETED');
      await until('it has left', async () => (await lists.row(zone2())) === null);
      expect(await zonesOf(session)).not.toContain('zone2');
      demo.faults.setServerStatus('zone2', 'ACTIVE');
      await until('it has come back', async () => (await lists.row(zone2())) !== null);
      expect(await lists.of(zone2())).toEqual([]);
      expect((await lists.row(zone2()))?.last_dead_congested).toBe('0');
      await untilAnswers(session, 'products');
    });

    it('B15 case B85 every server is listed: requests are answered all the same, by more than one', async () => {
      const session = await client();
      for (const { zone } of demo.servers) demo.faults.setServerStatus(zone, 'INACTIVE');
      await until('all are listed', async () => (await lists.listed()).length === demo.servers.length);
      expect((await zonesOf(session, 10)).length).toBeGreaterThan(1);
      const newcomer = await client();
      expect(await zoneOf(newcomer, 'orders')).toMatch(/^zone/);
    });
  });

  describe('detection list', () => {
    it('B5 B6 B8 B9 C6 a frozen server: reads that wait are done elsewhere, writes and transactions end with the verdict; then all is restored', async () => {
      const [reader, writer, inTransaction, other] = [await client(), await client(), await client(), await client()];
      await untilAnswers(other, 'customers');
      await reader.query("SET @kept = 'yes'");
      for (const session of [reader, writer, inTransaction]) await untilAnswers(session, 'products');
      await inTransaction.query('BEGIN');
      await inTransaction.query('SELECT * FROM products');
      demo.faults.freeze('zone2');
      const order: string[] = [];
      const note = <Value>(what: string, answer: Promise<Value>): Promise<Value> => {
        return answer.finally(() => order.push(what));
      };
      const verdict = note('verdict', lists.untilListed(zone2(), 'detection'));
      const read = note('read', zoneOf(reader, 'products'));
      const write = note('write', outcome(writer.query('UPDATE products SET stock = stock WHERE id = 1')));
      const last = note('transaction', outcome(inTransaction.query('SELECT * FROM products')));
      // A log-in goes to any server, and waits as well if it is this one.
      const logIns = Array.from({ length: 8 }, client);
      expect(await zoneOf(other, 'customers')).toBe('zone1');
      expect(order).toEqual([]);
      await Promise.all(logIns);
      expect(await read).not.toBe('zone2');
      expect(await write).toMatchObject({ errno: 10014, message: expect.stringContaining('DETECT_DEAD') });
      expect(await last).toMatchObject({ errno: 10014, message: expect.stringContaining('transaction has ended') });
      await verdict;
      expect(await lists.row(zone2())).toMatchObject({ detect_congested: 1, server_state: 'DETECT_DEAD' });
      for (const session of [reader, writer, inTransaction])
        expect(await zoneOf(session, 'products')).not.toBe('zone2');
      demo.faults.thaw('zone2');
      await untilReleased(reader);
      for (const session of [reader, writer, inTransaction]) await untilAnswers(session, 'products');
      const [rows] = await reader.query<RowDataPacket[]>('SELECT @kept AS kept, @@hostname AS h FROM products LIMIT 1');
      expect(rows).toEqual([{ kept: 'yes', h: expect.stringContaining('zone2') }]);
      const [listed] = await lists.untilRecorded(zone2(), ['detection listed', 'detection released']);
      expect(listed).toMatch(/4 .*probes|probes.* 4/);
    });

    it('B6 B9 C14 a server whose process ends: idle sessions notice nothing, its probes are refused, it comes back', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      await demo.faults.stop('zone2', false);
      for (let read = 0; read < 10; read++) expect(await zoneOf(session, 'products')).not.toBe('zone2');
      await lists.untilListed(zone2(), 'detection');
      await demo.faults.start('zone2');
      await untilReleased(session);
      await untilAnswers(session, 'products');
    });

    it('B7 case B87 new connections refused, kept ones served: the probe has an answer, and nobody is listed', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      await demo.faults.refuse('zone2');
      expect(await zonesOf(session)).toEqual(['zone2']);
      expect(await lists.listed()).toEqual([]);
    });

    it('B6 case B87 answers later than the time-out: found in mode 1, let off in mode 0, found again in mode 2, with one probe at a time', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      const connections = () => demo.faults.report().find(({ zone }) => zone === 'zone2')?.connections ?? 0;
      const before = connections();
      demo.faults.slow('zone2', 1_300);
      await lists.untilListed(zone2(), 'detection');
      // The session's own connection was closed with the verdict; what is left is the probe under way and the one before.
      await until('connections have gone', () => connections() <= before);
      await lists.alter('server_detect_mode', 0);
      await lists.untilFree(zone2());
      const [, off] = await lists.untilRecorded(zone2(), ['detection listed', 'detection released']);
      expect(off).toMatch(/server_detect_mode|parameter/);
      await lists.alter('server_detect_mode', 2);
      await lists.untilListed(zone2(), 'detection');
      demo.faults.slow('zone2', 300);
      await lists.untilFree(zone2());
      expect(connections()).toBeLessThanOrEqual(before + 1);
    });
  });

  describe('list of the alive but unavailable', () => {
    it.each([
      [8001, 1],
      [4013, 2],
    ])(
      'B10 B11 B12 B13 case B84 error %i, detect mode %i: reads are done elsewhere, the fifth lists, a try that works releases',
      async (errno, mode) => {
        await lists.alter('server_detect_mode', mode);
        const session = await client();
        await untilAnswers(session, 'products');
        const before = await failures('zone2');
        demo.faults.answerError('zone2', errno);
        for (let read = 0; read < 4; read++) expect(await zoneOf(session, 'products')).not.toBe('zone2');
        await lists.untilRow(zone2(), { alive_failure_events: 4, alive_congested: 0 });
        await zoneOf(session, 'products');
        await lists.untilListed(zone2(), 'alive');
        expect(await lists.of(zone2())).toEqual(['alive']);
        expect(await failures('zone2')).toBe(before + 5);
        // A due try fails, and is done elsewhere: the client does not notice.
        await until('it has been tried', async () => {
          expect(await zoneOf(session, 'products')).not.toBe('zone2');
          return (await failures('zone2')) > before + 5;
        });
        demo.faults.answerError('zone2', 0);
        await until('a try releases it', async () => {
          await zoneOf(session, 'products');
          return (await lists.listed()).length === 0;
        });
        expect(await zonesOf(session)).toEqual(['zone2']);
        const [reason] = await lists.untilRecorded(zone2(), ['alive listed', 'alive released']);
        expect(reason).toContain(`${errno}`);
      },
    );

    it('B10 case B84 c never answers: requests that time out count, and detection is not asked', async () => {
      await lists.alter('server_detect_mode', 0);
      const sessions = await Promise.all(Array.from({ length: 5 }, client));
      for (const session of sessions) await untilAnswers(session, 'products');
      demo.faults.freeze('zone2');
      const hint = '/*+ query_timeout(200000) */';
      const answers = await Promise.all(sessions.map((session) => outcome(zoneOf(session, 'products', hint))));
      for (const answer of answers) expect(answer).toMatchObject({ errno: 10015 });
      await lists.untilListed(zone2(), 'alive');
      const [reason] = await lists.untilRecorded(zone2(), ['alive listed']);
      expect(reason).toMatch(/5 .*time/i);
      expect(await zoneOf(sessions[0] ?? (await client()), 'products')).not.toBe('zone2');
    });

    it('B10 case B84 d closes the connection under each request: reads are done elsewhere, the fifth lists', async () => {
      const session = await client();
      for (let count = 0; count < 5; count++) {
        await untilAnswers(session, 'products');
        const running = session.query<RowDataPacket[]>('SELECT SLEEP(0.3), @@hostname AS h');
        await until('it runs at zone2', async () => (await sleeping()) > 0);
        demo.faults.cut('zone2');
        expect(String((await running)[0][0]?.h)).not.toContain('zone2');
      }
      await lists.untilListed(zone2(), 'alive');
    });

    it('case B84 errors of statements never count', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      const before = await failures('zone2');
      for (const errno of [1146, 1062, 1205]) {
        demo.faults.answerError('zone2', errno);
        for (let count = 0; count < 10; count++) {
          expect(await outcome(zoneOf(session, 'products'))).toMatchObject({ errno });
        }
      }
      expect(await failures('zone2')).toBe(before);
      expect(await lists.listed()).toEqual([]);
    });

    it('case B86 a client that leaves in the middle of a request is no failure of the server', async () => {
      const before = await failures('zone2');
      for (let count = 0; count < 6; count++) {
        const session = await client();
        await untilAnswers(session, 'products');
        void outcome(session.query('SELECT SLEEP(30)'));
        await until('it runs at zone2', async () => (await sleeping()) > 0);
        session.destroy();
        clients.splice(clients.indexOf(session), 1);
        await until('it has ended', async () => (await sleeping()) === 0);
      }
      expect(await failures('zone2')).toBe(before);
      expect(await lists.listed()).toEqual([]);
    });

    it('B15 case B85 every server refuses: one error, at once; when one is well again a request ends well before any retry is due', async () => {
      await lists.alter('congestion_retry_interval', '1h');
      const session = await client();
      for (const { zone } of demo.servers) demo.faults.answerError(zone, 4013);
      // Those of read-only zones are no candidates of a strong read.
      await until('all candidates are listed', async () => {
        expect(await outcome(zoneOf(session, 'orders'))).toMatchObject({ errno: 4013 });
        return (await lists.listed()).length === 3;
      });
      demo.faults.answerError('zone3', 0);
      expect(await zoneOf(session, 'products')).toBe('zone3');
      await lists.alter('congestion_retry_interval', '1s');
    });
  });

  describe('parameters', () => {
    const failTimes = async (session: Connection, count: number): Promise<void> => {
      demo.faults.answerError('zone2', 4013);
      for (let read = 0; read < count; read++) await zoneOf(session, 'products');
      demo.faults.answerError('zone2', 0);
    };

    it('B16 enable_congestion off: the listed server gets traffic at once; on again: none at once, without being blind', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      demo.faults.setServerStatus('zone2', 'INACTIVE');
      await lists.untilListed(zone2(), 'status');
      await lists.alter('enable_congestion', 'false');
      expect(await zonesOf(session)).toEqual(['zone2']);
      demo.faults.setServerStatus('zone3', 'INACTIVE');
      await lists.untilListed(address('zone3'), 'status');
      expect(await zoneOf(session, 'orders')).toBe('zone3');
      await lists.alter('enable_congestion', 'true');
      expect(await zonesOf(session)).not.toContain('zone2');
      expect(await zoneOf(session, 'orders')).not.toBe('zone3');
    });

    it('B17 a threshold below 0 takes every server off every list, at once', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      await failTimes(session, 5);
      await lists.untilListed(zone2(), 'alive');
      demo.faults.setServerStatus('zone3', 'INACTIVE');
      await lists.untilListed(address('zone3'), 'status');
      await lists.alter('congestion_failure_threshold', -1);
      expect(await lists.listed()).toEqual([]);
      expect(await zoneOf(session, 'products')).toBe('zone2');
      expect(await zoneOf(session, 'orders')).toBe('zone3');
      await lists.untilRecorded(zone2(), ['alive listed', 'alive released']);
    });

    it('B18 case B83 another window: counts begin anew', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      await failTimes(session, 4);
      await lists.untilRow(zone2(), { alive_failure_events: 4 });
      await lists.alter('congestion_fail_window', '60s');
      expect(await lists.row(zone2())).toMatchObject({ alive_failure_events: 0 });
      await failTimes(session, 4);
      await lists.untilRow(zone2(), { alive_failure_events: 4, alive_congested: 0 });
      await failTimes(session, 1);
      await lists.untilListed(zone2(), 'alive');
      await lists.alter('congestion_fail_window', '61s');
      expect(await lists.row(zone2())).toMatchObject({ alive_failure_events: 0, alive_congested: 0 });
    });

    it('B17 case B83 a threshold lowered to the count lists at once, raised releases at once', async () => {
      const session = await client();
      await untilAnswers(session, 'products');
      await failTimes(session, 3);
      await lists.untilRow(zone2(), { alive_failure_events: 3 });
      await lists.alter('congestion_failure_threshold', 2);
      expect(await lists.of(zone2())).toEqual(['alive']);
      expect(await zoneOf(session, 'products')).not.toBe('zone2');
      await lists.alter('congestion_failure_threshold', 5);
      expect(await lists.of(zone2())).toEqual([]);
      expect(await zoneOf(session, 'products')).toBe('zone2');
    });

    it('B19 another retry interval is in force for a server that is listed already', async () => {
      await lists.alter('congestion_retry_interval', '1h');
      const session = await client();
      await untilAnswers(session, 'products');
      await failTimes(session, 5);
      await lists.untilListed(zone2(), 'alive');
      expect(await zonesOf(session)).not.toContain('zone2');
      await lists.alter('congestion_retry_interval', '1s');
      await untilAnswers(session, 'products');
    });
  });

  /** Statements with SLEEP that run in the cluster now. */
  async function sleeping(): Promise<number> {
    const [rows] = await direct.query<RowDataPacket[]>('SHOW FULL PROCESSLIST');
    return rows.filter((row) => String(row.Info).startsWith('SELECT SLEEP(')).length;
  }
});
