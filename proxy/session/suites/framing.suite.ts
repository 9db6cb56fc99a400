import type { RowDataPacket } from 'mysql2/promise';
import { afterEach, expect, it } from 'vitest';
import { type ProxiedBackend, readAt } from '../../testing/backends.ts';
import { until } from '../../testing/proxy.ts';

type Framing = 'plain' | 'frames' | 'zlib';

/** How the replies of a server begin. */
function framingOf(chunk: Buffer): Framing {
  if (chunk.length > 9 && chunk.readUInt16LE(7) === 0x20ab) return 'frames';
  return chunk.length > 9 && chunk.readUInt16LE(7) === 0x9c78 ? 'zlib' : 'plain';
}

/** Protocol 2.0 between proxy and servers. The client sees nothing of it. */
export function framingSuite(px: ProxiedBackend, wanted: Framing): void {
  const gates = px.backend.servers.map(({ gate }) => gate);

  afterEach(() => {
    for (const gate of gates) gate.onReply = null;
  });

  /** What the first server's replies are like from now on. */
  function watch(): Framing[] {
    const seen: Framing[] = [];
    const gate = gates[0];
    if (gate !== undefined) gate.onReply = (chunk) => seen.push(framingOf(chunk));
    return seen;
  }

  it(`speaks ${wanted} behind the log-in`, async () => {
    const connection = await px.connect();
    await readAt(px, connection, 0, '1 AS one');
    const seen = watch();
    expect(await readAt(px, connection, 0, '2 AS two')).toEqual({ two: 2 });
    expect(new Set(seen)).toEqual(new Set([wanted]));
    await connection.end();
  });

  // Compressed, what is held says nothing of its length.
  if (wanted !== 'zlib') {
    it('C11 brings a server session up to date in one round trip', async () => {
      const [gate] = gates;
      if (gate === undefined) throw new Error('no gate');
      const connection = await px.connect();
      await readAt(px, connection, 0, '1 AS one');
      await readAt(px, connection, 1, '1 AS one');
      // By the collation it depends how the literal of the variable is read: two statements.
      await connection.query('SET @@session.collation_connection = utf8mb4_bin');
      await connection.query("SET @a = REPEAT('x', 3000)");
      gate.hold();
      const answer = readAt(px, connection, 0, 'LENGTH(@a) AS a, @@collation_connection AS c');
      await until('both are on the way, and none is answered', () => gate.heldBytes > 3000);
      gate.letGo();
      expect(await answer).toEqual({ a: 3000, c: 'utf8mb4_bin' });
      await connection.end();
    });
  }

  it('session state of both servers is the same whichever has been told of it', async () => {
    const connection = await px.connect();
    await connection.query("SET @a = 'x', @@session.ob_query_timeout = 12000000");
    await readAt(px, connection, 0, '1 AS one');
    await readAt(px, connection, 1, '1 AS one');
    await connection.query('SET @a = 7');
    for (const server of [0, 1] as const) {
      expect(await readAt(px, connection, server, '@a + 1 AS a, @@ob_query_timeout AS t')).toEqual({
        a: 8,
        t: 12000000,
      });
    }
    await connection.end();
  });
}

/** Replies that arrive changed. Servers that lose requests are asked for their tables anew: no other suite should follow. */
export function changedReplySuite(px: ProxiedBackend): void {
  const [first] = px.tables;
  const gates = px.backend.servers.map(({ gate }) => gate);

  afterEach(() => {
    for (const gate of gates) gate.onReply = null;
  });

  const flipOnce = (): { readonly flipped: () => boolean } => {
    const gate = gates[0];
    let isDone = false;
    if (gate === undefined) throw new Error('no gate');
    gate.onReply = (chunk) => {
      gate.onReply = null;
      chunk[chunk.length - 6] = (chunk[chunk.length - 6] ?? 0) ^ 1;
      isDone = true;
    };
    return { flipped: () => isDone };
  };

  it('B10 a read whose reply arrives changed is repeated at another server, and the connection stays', async () => {
    const connection = await px.connect();
    await readAt(px, connection, 0, '1 AS one');
    const { flipped } = flipOnce();
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT v FROM ${first} WHERE id = 3`);
    expect(rows).toEqual([{ v: 'three' }]);
    expect(flipped()).toBe(true);
    await connection.end();
  });

  it('B10 a write whose reply arrives changed is reported, not repeated, and the connection stays', async () => {
    const connection = await px.connect();
    await readAt(px, connection, 0, '1 AS one');
    flipOnce();
    const write = connection.query(`UPDATE ${first} SET v = 'three' WHERE id = 3`);
    const message = expect.stringContaining('OB_PACKET_CHECKSUM_ERROR');
    await expect(write).rejects.toMatchObject({ errno: 10014, message });
    const [rows] = await connection.query<RowDataPacket[]>('SELECT 5 AS five');
    expect(rows).toEqual([{ five: 5 }]);
    await connection.end();
  });
}
