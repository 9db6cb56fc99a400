import type { SecureContext } from 'node:tls';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestBackend, testDatabase } from '../../testing/backends.ts';
import { until } from '../../testing/proxy.ts';
import { type Generation, startTwoGenerations, type TwoGenerations } from '../testing/two-generations.ts';

/**
 * Sessions with real servers behind them that go from one generation to another and back, as often as a test likes. The
 * client, and the servers, must notice nothing.
 */
export function handOverSuite(backend: TestBackend, parameters: Readonly<Record<string, string>> = {}): void {
  let both: TwoGenerations;
  let client: Connection;

  beforeAll(() => {
    // The name of the cluster is the test's own.
    both = startTwoGenerations(backend.servers, { enable_cluster_checkout: 'False', ...parameters });
    for (const { proxy } of [both.old, both.next]) {
      for (const [index, { address }] of backend.servers.entries()) proxy.leaders.set(`t${index}`, address);
    }
  });

  afterAll(() => both.close());

  beforeEach(async () => {
    const { user, password } = backend;
    const { port } = both.old.proxy;
    client = await createConnection({
      host: '127.0.0.1',
      port,
      user: `${user}#c1`,
      password,
      database: testDatabase,
      supportBigNumbers: true,
      bigNumberStrings: true,
    });
  });

  afterEach(async () => {
    await client.end();
    await until('its session is over', () => sizeOf(both.old) + sizeOf(both.next) === 0);
  });

  const sizeOf = ({ proxy }: Generation): number => proxy.context.registry.size;
  /** From the generation that has it to the other one. */
  async function move(): Promise<void> {
    const [from, to] = sizeOf(both.old) > 0 ? [both.old, both.next] : [both.next, both.old];
    const before = from.session();
    const servers = before.servers.all().map(({ address, connectionId }) => [address, connectionId]);
    from.handOver.begin([to.path]);
    await until('it has moved', () => sizeOf(from) === 0 && sizeOf(to) === 1);
    await from.handOver.stop();
    const after = to.session();
    expect(after.id).toBe(before.id);
    expect(after.servers.all().map(({ address, connectionId }) => [address, connectionId])).toEqual(servers);
  }
  const one = async (sql: string): Promise<unknown> => {
    const [rows] = await client.query<RowDataPacket[]>({ sql, rowsAsArray: true });
    return (rows[0] as unknown as unknown[] | undefined)?.[0];
  };

  it('C8 C17 a transaction goes on there and back, and is committed', async () => {
    await client.query('BEGIN');
    await client.query("INSERT INTO t0 VALUES (90, 'moved')");
    await move();
    expect(await one('SELECT v FROM t0 WHERE id = 90')).toBe('moved');
    await client.query("UPDATE t0 SET v = 'twice' WHERE id = 90");
    await move();
    await client.query('COMMIT');
    await move();
    const direct = await backend.direct(0);
    const [rows] = await direct.query<RowDataPacket[]>(`SELECT v FROM ${testDatabase}.t0 WHERE id = 90`);
    await direct.end();
    expect(rows).toEqual([{ v: 'twice' }]);
    await client.query('DELETE FROM t0 WHERE id = 90');
  });

  if (parameters.enable_transaction_internal_routing === 'True') {
    it('C9 C17 a transaction over several servers goes on at all of them', async () => {
      await client.query('BEGIN');
      await client.query("INSERT INTO t0 VALUES (93, 'first')");
      await client.query("INSERT INTO t1 VALUES (93, 'second')");
      const held = (sizeOf(both.old) > 0 ? both.old : both.next).session().servers;
      expect([held.routesInside, held.size]).toEqual([true, 2]);
      await move();
      await client.query("UPDATE t1 SET v = 'third' WHERE id = 93");
      await move();
      expect(await one('SELECT v FROM t0 WHERE id = 93')).toBe('first');
      expect(await one('SELECT v FROM t1 WHERE id = 93')).toBe('third');
      expect((sizeOf(both.old) > 0 ? both.old : both.next).session().servers.routesInside).toBe(true);
      await client.query('ROLLBACK');
      await move();
      expect(String(await one('SELECT COUNT(*) FROM t1 WHERE id = 93'))).toBe('0');
    });
  }

  it('C17 a transaction is rolled back as a whole', async () => {
    await client.query('BEGIN');
    await client.query("INSERT INTO t0 VALUES (91, 'before')");
    await move();
    await client.query("INSERT INTO t0 VALUES (92, 'behind')");
    await client.query('ROLLBACK');
    expect(String(await one('SELECT COUNT(*) FROM t0 WHERE id IN (91, 92)'))).toBe('0');
  });

  it('C17 variables, database and connection id stay, at every server', async () => {
    const { name, value } = backend.setting;
    await client.query(`SET @@session.${name} = ${typeof value === 'number' ? value : `'${value}'`}`);
    await client.query("SET @a = 'ä', @n = 5");
    await one('SELECT v FROM t0 LIMIT 1');
    await one('SELECT v FROM t1 LIMIT 1');
    const id = await one('SELECT CONNECTION_ID()');
    for (let round = 0; round < 3; round++) {
      await move();
      for (const table of ['t0', 't1']) {
        expect(String(await one(`SELECT @@session.${name} FROM ${table} LIMIT 1`))).toBe(String(value));
        if (backend.isOceanBase) expect(String(await one(`SELECT @n FROM ${table} LIMIT 1`))).toBe('5');
      }
      expect(await one('SELECT DATABASE()')).toBe(testDatabase);
    }
    await one('SELECT v FROM t1 LIMIT 1');
    expect(await one('SELECT CONNECTION_ID()')).toBe(id);
  });

  it('C17 a prepared statement goes on under its id', async () => {
    const sql = 'SELECT id, v FROM t0 WHERE id = ?';
    for (const [index, v] of ['one', 'two', 'three'].entries()) {
      const [rows] = await client.execute<RowDataPacket[]>(sql, [index + 1]);
      expect(rows.map((row) => row.v)).toEqual([v]);
      await move();
    }
    expect([...(sizeOf(both.old) > 0 ? both.old : both.next).session().prepared.all()].map(({ id }) => id)).toEqual([
      1,
    ]);
  });

  it('C17 what was found and generated is still told', async () => {
    await client.query('SELECT SQL_CALC_FOUND_ROWS id FROM t0 LIMIT 1');
    await move();
    if (!backend.isOceanBase) expect(String(await one('SELECT FOUND_ROWS()'))).toBe('3');
    await client.query('SELECT LAST_INSERT_ID(77)');
    await move();
    expect(String(await one('SELECT LAST_INSERT_ID()'))).toBe('77');
  });

  // A genuine kernel knows none in MySQL mode.
  if (!backend.isOceanBase) {
    it('C17 a temporary table and a lock are still there', async () => {
      await client.query('CREATE TEMPORARY TABLE tmp (id INT PRIMARY KEY)');
      await client.query('INSERT INTO tmp VALUES (1), (2)');
      await client.query("SELECT GET_LOCK('hand-over', 1)");
      await move();
      expect(String(await one('SELECT COUNT(*) FROM tmp'))).toBe('2');
      expect(await one("SELECT IS_FREE_LOCK('hand-over')")).not.toBe(1);
      await move();
      await client.query('DROP TEMPORARY TABLE tmp');
      expect(String(await one("SELECT RELEASE_LOCK('hand-over')"))).toBe('1');
    });
  }

  it('C17 a long reply comes whole behind a move, and one that is under way before it', async () => {
    const text = `SELECT REPEAT('x', 3000000) FROM t1 LIMIT 1`;
    await move();
    const [from, to] = sizeOf(both.old) > 0 ? [both.old, both.next] : [both.next, both.old];
    const reply = one(text);
    from.handOver.begin([to.path]);
    expect(String(await reply).length).toBe(3_000_000);
    const moved = setInterval(() => from.handOver.tick(), 5);
    await until('it moves then', () => sizeOf(to) === 1 && sizeOf(from) === 0);
    clearInterval(moved);
    await from.handOver.stop();
    expect(String(await one(text)).length).toBe(3_000_000);
  });
}

/** OBServers to which the proxy speaks over TLS: their sessions cannot go along. */
export function tlsHandOverSuite(backend: TestBackend, forServers: SecureContext): void {
  let both: TwoGenerations;
  let client: Connection;

  beforeEach(async () => {
    const tls = { forClients: null, forServers, required: false };
    both = startTwoGenerations(backend.servers, { enable_cluster_checkout: 'False' }, tls);
    const { user, password } = backend;
    const { port } = both.old.proxy;
    client = await createConnection({ host: '127.0.0.1', port, user: `${user}#c1`, password, database: testDatabase });
  });

  afterEach(async () => {
    await client.end();
    both.close();
  });

  const one = async (sql: string): Promise<string> => {
    const [rows] = await client.query<RowDataPacket[]>({ sql, rowsAsArray: true });
    return String((rows[0] as unknown as unknown[] | undefined)?.[0]);
  };
  /** Lets time pass for the side that has the session. */
  const pass = (ms: number): void => {
    both.old.proxy.advance(ms);
    both.old.handOver.tick();
  };
  const reasons = (): string[] => both.old.handOver.state().waiting.map(({ reason }) => reason);

  it('C17 a session that nothing ties to them moves once it is silent, and gets new ones', async () => {
    const { name, value } = backend.setting;
    await client.query(`SET @@session.${name} = ${value}, @a = 5`);
    await client.query('SELECT v FROM t0 LIMIT 1');
    both.old.handOver.begin([both.next.path]);
    await until('the channel stands', () => both.old.handOver.state().connected === 1);
    expect(reasons()[0]).toMatch(/^its server session over TLS to .* holds the statement before$/);
    pass(1000);
    await until('it has moved', () => both.next.received.length === 1);
    expect(both.next.session().servers.size).toBe(0);
    expect(await one(`SELECT @@session.${name}`)).toBe(String(value));
    expect(await one('SELECT @a')).toBe('5');
    expect(await one('SELECT DATABASE()')).toBe(testDatabase);
    expect(both.next.session().servers.last?.usesTls).toBe(true);
  });

  it('C8 C17 a session in a transaction stays until that is over', async () => {
    await client.query('BEGIN');
    await client.query("INSERT INTO t0 VALUES (95, 'inside')");
    both.old.handOver.begin([both.next.path]);
    await until('the channel stands', () => both.old.handOver.state().connected === 1);
    pass(5000);
    expect(reasons()[0]).toMatch(/holds a transaction$/);
    await client.query('ROLLBACK');
    pass(1000);
    await until('it has moved', () => both.next.received.length === 1);
    expect(await one('SELECT COUNT(*) FROM t0 WHERE id = 95')).toBe('0');
  });
}
