import { expect, it } from 'vitest';
import { type ProxiedBackend, runEverywhere, testDatabase } from '../../testing/backends.ts';
import { until } from '../../testing/proxy.ts';
import { commandFrame, errorLine, type RawClient, textRows } from '../../testing/raw-client.ts';
import { COM } from '../../wire/constants.ts';
import { framePackets } from '../../wire/writer.ts';

const MEGABYTE = 1_000_000;

/** Much data in either direction: memory stays bounded (C1's proxies are small machines, R1). */
export function bulkSuite(px: ProxiedBackend): void {
  const { isOceanBase } = px.backend;
  const [first] = px.tables;
  // The kernel is a small one: its own memory is the limit there.
  const rowCount = isOceanBase ? 81 : px.tls ? 200 : 1000;
  const result = isOceanBase
    ? `SELECT REPEAT('x', ${MEGABYTE}) FROM ${first} a, ${first} b, ${first} c, ${first} d WHERE a.id < 4 AND b.id < 4 AND c.id < 4 AND d.id < 4`
    : `SELECT REPEAT('x', ${MEGABYTE}) FROM seq_1_to_${rowCount}`;
  const endsInMark = (byteCount: number, piece: Buffer): boolean =>
    byteCount > rowCount * MEGABYTE && piece.length >= 9 && piece[piece.length - 5] === 0xfe;

  /** The most memory that the proxy has while something runs. */
  const peakDuring = async (run: () => Promise<unknown>): Promise<number> => {
    let most = px.proxy.rssBytes();
    const timer = setInterval(() => {
      most = Math.max(most, px.proxy.rssBytes());
    }, 5);
    try {
      await run();
    } finally {
      clearInterval(timer);
    }
    return most;
  };

  /** The same, above what it had before. */
  const growthDuring = async (run: () => Promise<unknown>): Promise<number> => {
    const before = px.proxy.rssBytes();
    return (await peakDuring(run)) - before;
  };

  it(`a result of ${rowCount} MB passes in constant memory`, async () => {
    const client = await px.raw();
    const peak = await peakDuring(async () => {
      client.command(COM.QUERY, result);
      expect(await client.discard(endsInMark)).toBeGreaterThan(rowCount * MEGABYTE);
    });
    // In TLS each record is a buffer of its own, freed when the collector comes by.
    expect(peak).toBeLessThan((px.tls ? 300 : 200) * 1024 * 1024);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
  });

  it('case B18 a client that does not read holds its server up, and nobody else', async () => {
    const client = await px.raw();
    const other = await px.raw();
    const growth = await growthDuring(async () => {
      client.command(COM.QUERY, result);
      await client.packet();
      client.pauseReading();
      for (let count = 0; count < 200; count++) expect(textRows(await other.query('SELECT 5'))).toEqual([['5']]);
    });
    expect(growth).toBeLessThan(40 * MEGABYTE);
    client.resumeReading();
    await client.discard(endsInMark);
    expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
    client.destroy();
    other.destroy();
  });

  it('requests and results that stand half read, when the next command is there already, are answered in order', async () => {
    const client = await px.raw();
    client.pauseReading();
    const row = `SELECT REPEAT('y', 3000000)`;
    client.write(Buffer.concat([commandFrame(COM.QUERY, row), commandFrame(COM.PING), commandFrame(COM.QUERY, row)]));
    client.command(COM.QUERY, 'SELECT 7');
    client.resumeReading();
    expect((await client.reply())[3]?.payload.length).toBeGreaterThan(3_000_000);
    expect((await client.packet()).payload[0]).toBe(0x00);
    expect((await client.reply())[3]?.payload.length).toBeGreaterThan(3_000_000);
    expect(textRows(await client.query('SELECT 8'))).toEqual([['7']]);
    expect(textRows(await client.reply())).toEqual([['8']]);
    client.destroy();
  });

  it('case B59 LOAD DATA LOCAL in packets and pieces of any size, and without any', async () => {
    const client = await px.raw();
    await runEverywhere(
      px,
      `DROP TABLE IF EXISTS ${testDatabase}.loaded`,
      `CREATE TABLE ${testDatabase}.loaded (id bigint, v varchar(100))`,
    );
    const load = `LOAD DATA LOCAL INFILE '/nowhere/file' INTO TABLE loaded FIELDS TERMINATED BY ','`;
    const asked = async (): Promise<boolean> => {
      // LOAD DATA names no table to route by (R20): it goes to the server of the statement before.
      await client.query('SELECT COUNT(*) FROM loaded');
      client.command(COM.QUERY, load);
      const { payload } = await client.packet();
      if (payload[0] === 0xff) expect(errorLine(payload)).toMatch(/^\d/);
      else expect(payload.toString('latin1')).toBe('\xfb/nowhere/file');
      return payload[0] === 0xfb;
    };
    // A busy machine must not decide whether so many rows are in time.
    if (px.backend.isOceanBase) await client.query('SET ob_query_timeout = 600000000');
    if (!(await asked())) return client.destroy();
    // More packets than there are sequence ids (case B05).
    for (let line = 0; line < 300; line++)
      client.write(framePackets(Buffer.from(`${line},v${line}\n`), (line + 2) & 0xff));
    client.write(framePackets(Buffer.alloc(0), 302 & 0xff));
    const done = await client.packet();
    expect([done.payload[0], done.sequence]).toEqual([0x00, 303 & 0xff]);
    expect(textRows(await client.query('SELECT COUNT(*), MAX(id) FROM loaded'))).toEqual([['300', '299']]);
    expect(await asked()).toBe(true);
    client.write(framePackets(Buffer.alloc(0), 2));
    const empty = await client.packet();
    expect([empty.payload[0], empty.sequence]).toEqual([0x00, 3]);
    expect(await asked()).toBe(true);
    await sendFile(client, 20 * MEGABYTE);
    expect((await client.packet()).payload[0]).toBe(0x00);
    expect(await asked()).toBe(true);
    await client.flush(framePackets(Buffer.from('9,left'), 2));
    client.reset();
    const other = await px.raw();
    expect(textRows(await other.query(`SELECT COUNT(*) FROM loaded WHERE v = 'left'`))).toEqual([['0']]);
    other.destroy();
  });

  it('an upload passes in constant memory', async () => {
    const client = await px.raw();
    const size = isOceanBase ? 15 : 200;
    const text = Buffer.concat([
      Buffer.from("SELECT LENGTH('"),
      Buffer.alloc(size * MEGABYTE, 0x61),
      Buffer.from("')"),
    ]);
    const growth = await growthDuring(async () => {
      client.command(COM.QUERY, text);
      expect(textRows(await client.reply())).toEqual([[String(size * MEGABYTE)]]);
    });
    expect(growth).toBeLessThan(60 * MEGABYTE);
    client.destroy();
  });

  it('memory of an idle connection with one server session', async () => {
    const count = 300;
    const before = px.proxy.rssBytes();
    const clients: RawClient[] = [];
    for (let index = 0; index < count; index++) clients.push(await px.raw());
    const kibEach = (px.proxy.rssBytes() - before) / 1024 / count;
    // The reference takes 91 KiB.
    expect(kibEach).toBeLessThan(91);
    for (const client of clients) client.destroy();
    await until('all are gone', async () => (await px.raw().then((client) => client.destroy())) === undefined);
  });

  if (isOceanBase) return;
  it('rows of more than 16 MiB', async () => {
    const client = await px.raw();
    for (const size of [16777210, 16777211, 16777215, 40_000_000]) {
      const packets = await client.query(`SELECT REPEAT('z', ${size}) AS a, 1 AS b`);
      const bytes = packets.slice(4, -1).reduce((sum, { payload }) => sum + payload.length, 0);
      expect(bytes).toBe(size + (size > 0xffffff ? 9 : 4) + 2);
      expect(packets.map(({ sequence }) => sequence)).toEqual(packets.map((_, index) => index + 1));
    }
    client.destroy();
  });
}

async function sendFile(client: RawClient, size: number): Promise<void> {
  const line = Buffer.from(`7,${'w'.repeat(90)}\n`);
  const chunk = Buffer.concat(Array.from({ length: 10_000 }, () => line));
  let sequence = 2;
  for (let sent = 0; sent < size; sent += chunk.length) await client.flush(framePackets(chunk, sequence++ & 0xff));
  await client.flush(framePackets(Buffer.alloc(0), sequence & 0xff));
}
