/** The data that every kernel of the cluster carries: one database, with each kind of partitioning that routing must know. */
import type { Connection } from 'mysql2/promise';

const rowCount = 200;

const tables = [
  'CREATE DATABASE IF NOT EXISTS trade',
  `CREATE TABLE trade.customers (
     id bigint NOT NULL PRIMARY KEY, name varchar(64) NOT NULL, city varchar(32) NOT NULL)
   PARTITION BY KEY (id) PARTITIONS 4`,
  `CREATE TABLE trade.orders (
     id bigint NOT NULL PRIMARY KEY, customer_id bigint NOT NULL, amount decimal(12,2) NOT NULL, status varchar(16) NOT NULL)
   PARTITION BY HASH (id) PARTITIONS 4`,
  `CREATE TABLE trade.payments (
     id bigint NOT NULL, paid_on date NOT NULL, order_id bigint NOT NULL, amount decimal(12,2) NOT NULL,
     PRIMARY KEY (id, paid_on))
   PARTITION BY RANGE COLUMNS (paid_on) (
     PARTITION p2024 VALUES LESS THAN ('2025-01-01'),
     PARTITION p2025 VALUES LESS THAN ('2026-01-01'),
     PARTITION pmax VALUES LESS THAN (MAXVALUE))`,
  'CREATE TABLE trade.products (id bigint NOT NULL PRIMARY KEY, name varchar(64) NOT NULL, price decimal(12,2) NOT NULL)',
  // The kernel's @@hostname is empty: this is how a session can see which of the servers answers it.
  'CREATE TABLE trade.whoami (server varchar(64) NOT NULL PRIMARY KEY, zone varchar(64) NOT NULL)',
];

const cities = ['SHANGHAI', 'HANGZHOU', 'BEIJING'];
const statuses = ['new', 'paid', 'sent'];

/** Creates and fills the tables of database `trade` in an empty kernel. `whoami` gets its one row from the arguments. */
export async function loadTradeData(connection: Connection, server: string, zone: string): Promise<void> {
  for (const statement of tables) await connection.query(statement);
  const ids = Array.from({ length: rowCount }, (_, index) => index + 1);
  await insert(
    connection,
    'customers',
    ids.map((id) => [id, `Customer ${id}`, pick(cities, id)]),
  );
  await insert(
    connection,
    'orders',
    ids.map((id) => [id, (id * 7) % rowCount, (id * 1.25).toFixed(2), pick(statuses, id)]),
  );
  await insert(
    connection,
    'payments',
    ids.map((id) => [id, `${2024 + (id % 3)}-0${1 + (id % 9)}-15`, id, (id * 1.25).toFixed(2)]),
  );
  await insert(
    connection,
    'products',
    ids.slice(0, 20).map((id) => [id, `Product ${id}`, (id * 3.5).toFixed(2)]),
  );
  await insert(connection, 'whoami', [[server, zone]]);
}

function pick(choices: readonly string[], id: number): string {
  return choices[id % choices.length] ?? '';
}

async function insert(connection: Connection, table: string, rows: readonly (string | number)[][]): Promise<void> {
  await connection.query(`INSERT INTO trade.${table} VALUES ?`, [rows]);
}
