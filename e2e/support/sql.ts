import mysql, { type RowDataPacket } from 'mysql2/promise';
import { product } from './product.ts';

/** The proxy's own administrator over the MySQL door. */
export async function proxyAdmin(): Promise<mysql.Connection> {
  return mysql.createConnection({ host: '127.0.0.1', port: product().mysqlPort, user: 'root@proxysys' });
}

/** Runs for longer than any test, unless it is killed. */
export const longStatement = 'SELECT /*+ query_timeout(300000000) */ SLEEP(280)';

/** A client of the demo's shop. */
export function shopClient(): Promise<mysql.Connection> {
  return mysql.createConnection({
    host: '127.0.0.1',
    port: product().mysqlPort,
    user: 'root@trade#obdemo',
    database: 'trade',
  });
}

/** Runs statements as the proxy's administrator. */
export async function asProxyAdmin(...statements: string[]): Promise<void> {
  const connection = await proxyAdmin();
  try {
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end();
  }
}

/** What SHOW PROXYCONFIG tells a MySQL client about one parameter. */
export async function shownValue(name: string): Promise<string> {
  const connection = await proxyAdmin();
  try {
    const [rows] = await connection.query<RowDataPacket[]>(`SHOW PROXYCONFIG LIKE '${name}'`);
    return String(rows[0]?.value);
  } finally {
    await connection.end();
  }
}
