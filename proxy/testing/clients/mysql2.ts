/** The common work with mysql2, in this process. */
import { createReadStream, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
  createPool,
  type ResultSetHeader,
  type RowDataPacket,
} from 'mysql2/promise';
import type { ClientReport, ClientTarget } from './run.ts';
import type { Step } from './steps.ts';

const TEXT = "héllo 漢字 🎉 'quoted' \\";
const VALUES = [
  '-1234567890.12345',
  1.5,
  '2026-02-28',
  '2026-02-28 23:59:58.123456',
  Buffer.from([0, 1, 255, 39, 92, 10, 26]),
  TEXT,
  null,
];

export async function runMysql2(target: ClientTarget): Promise<ClientReport> {
  const { table } = target;
  const options: ConnectionOptions = {
    host: '127.0.0.1',
    port: target.port,
    user: target.user,
    password: target.password,
    database: target.database,
    ...(target.ca === '' ? {} : { ssl: { ca: readFileSync(target.ca) } }),
  };
  const steps: Record<string, string> = {};
  const step = async (name: Step, work: () => Promise<void>): Promise<void> => {
    steps[name] = await work().then(
      () => 'ok',
      (error: unknown) => String(error),
    );
  };
  const connection = await createConnection(options);
  const insert = `INSERT INTO ${table} (id, d, f, dt, ts, b, s, n) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  const select = `SELECT d, f, dt, ts, b, s, n FROM ${table} WHERE id = ?`;
  await step('connect', async () => {
    same(await rowsOf(connection, 'SELECT 5'), [[5]]);
    await connection.ping();
  });
  await step('charset', async () => {
    const [rows] = await connection.query({ sql: 'SELECT ?, CHAR_LENGTH(?)', values: [TEXT, TEXT], rowsAsArray: true });
    same(rows, [[TEXT, [...TEXT].length]]);
  });
  await step('text', async () => {
    await connection.query(
      `CREATE TABLE ${table} (id BIGINT PRIMARY KEY, d DECIMAL(15,5), f DOUBLE, dt DATE, ts DATETIME(6),
         b VARBINARY(1000), s VARCHAR(200), n INT)`,
    );
    const [done] = await connection.query<ResultSetHeader>(insert, [1, ...VALUES]);
    same(done.affectedRows, 1);
    const [rows] = await connection.query({ sql: select, values: [1], rowsAsArray: true, dateStrings: true });
    same(rows, [VALUES]);
  });
  await step('prepared', async () => {
    const [done] = await connection.execute<ResultSetHeader>(insert, [2, ...VALUES]);
    same(done.affectedRows, 1);
    for (let round = 0; round < 3; round++) {
      const [rows] = await connection.execute({ sql: select, values: [2], rowsAsArray: true, dateStrings: true });
      same(rows, [VALUES]);
    }
  });
  await step('transaction', async () => {
    for (const [end, n] of [
      ['rollback', null],
      ['commit', 2],
    ] as const) {
      await connection.beginTransaction();
      await connection.query(`UPDATE ${table} SET n = 2 WHERE id = 1`);
      await connection[end]();
      same(await rowsOf(connection, `SELECT n FROM ${table} WHERE id = 1`), [[n]]);
    }
  });
  await step('multi', async () => {
    const several = await createConnection({ ...options, multipleStatements: true });
    same(await rowsOf(several, 'SELECT 1; SELECT 2, 3'), [[[1]], [[2, 3]]]);
    await several.end();
  });
  await step('error', async () => {
    const error = await connection.query('SELECT * FROM no_such_table').catch((problem: unknown) => problem);
    const { errno, sqlState } = error as { errno?: number; sqlState?: string };
    same([errno, sqlState], [1146, '42S02']);
    same(await rowsOf(connection, 'SELECT 6'), [[6]]);
  });
  await step('big', async () => {
    const big = 'x'.repeat(5_000_000);
    same(await rowsOf(connection, `SELECT '${big}'`), [[big]]);
  });
  await step('load', async () => {
    const [done] = await connection.query<ResultSetHeader>({
      sql: `LOAD DATA LOCAL INFILE '${target.file}' INTO TABLE ${table} FIELDS TERMINATED BY ',' (id, s)`,
      infileStreamFactory: () => createReadStream(target.file),
    });
    same(done.affectedRows, 1000);
  });
  await step('pool', async () => {
    const pool = createPool({ ...options, connectionLimit: 8 });
    const work = Array.from({ length: 100 }, () =>
      pool.execute<RowDataPacket[]>(`SELECT n FROM ${table} WHERE id = 1`),
    );
    for (const [rows] of await Promise.all(work)) same(rows[0]?.n, 2);
    await pool.end();
  });
  await connection.end();
  const { version } = JSON.parse(
    readFileSync(new URL('../../../node_modules/mysql2/package.json', import.meta.url), 'utf8'),
  );
  return { version: String(version), steps };
}

async function rowsOf(connection: Connection, sql: string): Promise<unknown> {
  const [rows] = await connection.query({ sql, rowsAsArray: true });
  return rows;
}

function same(got: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(got, wanted)) {
    throw new Error(`${JSON.stringify(got)} in place of ${JSON.stringify(wanted)}`.slice(0, 1000));
  }
}
