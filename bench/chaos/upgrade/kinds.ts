import type { Client, ClientKind } from './clients.ts';

const ids = 40;
const idOf = (client: Client): number => 1 + ((client.number * 7 + client.turns) % ids);

/** Waits, and must still be there at the end. */
export const idle: ClientKind = { name: 'idle', overTls: false, works: false, turn: () => Promise.resolve() };

const read = async (client: Client): Promise<void> => {
  await client.send(`SELECT id FROM orders WHERE id = ${idOf(client)}`);
};

const text: ClientKind = { name: 'text', overTls: false, works: true, turn: read };

const prepared: ClientKind = {
  name: 'prepared',
  overTls: false,
  works: true,
  turn: async (client) => {
    const statement = client.statement ?? (await client.connection.prepare('SELECT id FROM products WHERE id = ?'));
    client.statement = statement;
    await client.timed(() => statement.execute([idOf(client)]));
  },
};

const transaction: ClientKind = {
  name: 'short transaction',
  overTls: false,
  works: true,
  turn: async (client) => {
    await client.send('BEGIN');
    await client.send(`SELECT id FROM customers WHERE id = ${idOf(client)}`);
    await client.send('COMMIT');
  },
};

/** One begins when the run does and is committed at its end; a statement of it with every turn. */
export const longTransaction: ClientKind = {
  name: 'long transaction',
  overTls: false,
  works: true,
  turn: async (client) => {
    if (client.turns === 0) await client.send('BEGIN');
    await client.send('UPDATE products SET stock = stock + 1 WHERE id = 1');
  },
};

/** A result of some 40,000 rows. */
export const largeResult: ClientKind = {
  name: 'large result',
  overTls: false,
  works: true,
  turn: async (client) => {
    const [rows] = await client.connection.query(
      'SELECT a.id, b.id AS other FROM orders a, orders b WHERE b.id <= 100',
    );
    const count = (rows as unknown[]).length;
    if (count !== 40_000) throw new Error(`${count} rows of 40000 came`);
  },
};

export const tls: ClientKind = { name: 'TLS', overTls: true, works: true, turn: read };

/** Kinds that the steady load is made of. */
export const steady: readonly ClientKind[] = [text, prepared, text, transaction];
