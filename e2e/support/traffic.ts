import mysql, { type RowDataPacket } from 'mysql2/promise';
import { product } from './product.ts';

export interface Traffic {
  stop(): Promise<void>;
}

const statements = [
  'SELECT * FROM customers WHERE id = 7',
  'SELECT COUNT(*) FROM orders',
  "SELECT name, price FROM products WHERE color = 'blue'",
  'SELECT * FROM orders WHERE id = 42',
];

/** Some clients of the demo's shop, each asking one thing after another. */
export async function startTraffic(clients: number): Promise<Traffic> {
  const connections = await Promise.all(
    Array.from({ length: clients }, () =>
      mysql.createConnection({
        host: '127.0.0.1',
        port: product().mysqlPort,
        user: 'root@trade#obdemo',
        database: 'trade',
      }),
    ),
  );
  let stopping = false;
  const work = connections.map(async (connection, client) => {
    for (let turn = client; !stopping; turn += 1) {
      await connection.query<RowDataPacket[]>(statements[turn % statements.length] ?? 'SELECT 1');
      await new Promise((done) => setTimeout(done, 25));
    }
    await connection.end();
  });
  return {
    stop: async () => {
      stopping = true;
      await Promise.all(work);
    },
  };
}
