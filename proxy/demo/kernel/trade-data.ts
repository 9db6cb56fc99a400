import type { Connection } from 'mysql2/promise';
import { shopRows, shopTables } from '../sample-shop.ts';

/**
 * Creates and fills database `trade` in an empty kernel: the shop of the embedded demo, and a table `whoami` whose one
 * row tells the server. The kernel's @@hostname is empty: this is how a session can see which server answers it.
 */
export async function loadTradeData(connection: Connection, server: string, zone: string): Promise<void> {
  await connection.query('CREATE DATABASE trade');
  await connection.query('USE trade');
  for (const statement of shopTables) await connection.query(statement);
  for (const [table, rows] of shopRows()) await connection.query(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
  await connection.query('CREATE TABLE whoami (server varchar(64) NOT NULL PRIMARY KEY, zone varchar(64) NOT NULL)');
  await connection.query('INSERT INTO whoami VALUES (?, ?)', [server, zone]);
}
