import type { RowDataPacket } from 'mysql2/promise';
import { afterAll, expect, it } from 'vitest';
import { behindProxy, demoBackend, type ProxiedBackend } from '../testing/backends.ts';
import { describeWith } from '../testing/part.ts';
import { until } from '../testing/proxy.ts';
import { errorLine, RawClient, textRows } from '../testing/raw-client.ts';
import { COM } from '../wire/constants.ts';

const demo = await behindProxy(await demoBackend());
afterAll(() => demo.close());

const idOf = (client: RawClient): number => client.greeting?.connectionId ?? 0;
/** COM_PROCESS_KILL of an id. */
const idBytes = (id: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(id);
  return bytes;
};
/** C19: the client is freed, and nothing of it goes on at a server, whatever the target was at. */
function killSuite(px: ProxiedBackend): void {
  const [table] = px.tables;
  /** Whether such a statement runs at a server, as they tell it themselves: each lists the sessions of all. */
  const isRunning = async (start: string): Promise<boolean> => {
    let found = false;
    for (const index of px.backend.servers.keys()) {
      const direct = await px.backend.direct(index);
      const [rows] = await direct.query<RowDataPacket[]>('SHOW FULL PROCESSLIST');
      await direct.end();
      found ||= rows.some((row) => String(row.Info).startsWith(start));
    }
    return found;
  };

  it('case B80 waits for a lock: its statement has no effect', async () => {
    const [holder, waiting, killer] = [await px.raw(), await px.raw(), await px.raw()];
    await holder.query('BEGIN');
    await holder.query(`UPDATE ${table} SET v = 'held' WHERE id = 1`);
    await waiting.query('BEGIN');
    waiting.command(COM.QUERY, `UPDATE ${table} SET v = 'waited' WHERE id = 1`);
    await until('it waits', () => isRunning(`UPDATE ${table} SET v = 'waited'`));
    killer.command(COM.PROCESS_KILL, idBytes(idOf(waiting)));
    expect((await killer.packet()).payload[0]).toBe(0);
    await waiting.closed;
    await until('it is over at its server', async () => !(await isRunning('UPDATE')));
    await holder.query('COMMIT');
    expect(textRows(await killer.query(`SELECT v FROM ${table} WHERE id = 1`))).toEqual([['held']]);
    await killer.query(`UPDATE ${table} SET v = 'one' WHERE id = 1`);
    for (const client of [holder, killer]) client.destroy();
  });

  it('case B80 streams rows to a client that does not read', async () => {
    const [target, killer] = [await px.raw(), await px.raw()];
    target.pauseReading();
    const rows = `SELECT REPEAT('x', 8000000) AS a, REPEAT('y', 8000000) AS b, id FROM ${table}`;
    target.command(COM.QUERY, rows);
    const admin = await px.proxy.admin();
    await until('it is at it', async () => {
      const [list] = await admin.query<RowDataPacket[]>('SHOW PROCESSLIST');
      return list.some(({ Id, state }) => Id === idOf(target) && state === 'MCS_ACTIVE_READER');
    });
    await admin.end();
    await killer.query(`/* by hand */ KiLL 0x${idOf(target).toString(16)};`);
    const packets = await killer.query(`KILL ${idOf(target)}`);
    expect(errorLine(packets[0]?.payload)).toBe(`1094 Unknown thread id: ${idOf(target)}`);
    target.resumeReading();
    await target.closed;
    killer.destroy();
  });

  it('case B80 has not logged in yet: only the administrator sees it', async () => {
    const [target, killer] = [await RawClient.connect(px.proxy.port), await px.raw()];
    const packets = await killer.query(`KILL ${idOf(target)}`);
    expect(errorLine(packets[0]?.payload)).toMatch(/^1094 /);
    const admin = await px.proxy.admin();
    const [rows] = await admin.query<RowDataPacket[]>('SHOW FULL PROCESSLIST');
    expect(rows.find(({ Id }) => Id === idOf(target))).toMatchObject({ state: 'MCS_INIT', User: '' });
    await admin.query(`KILL ${idOf(target)}`);
    await target.closed;
    await admin.end();
    killer.destroy();
  });

  it('case B80 is one’s own, by name', async () => {
    const client = await px.raw();
    expect(errorLine((await client.query('KILL CONNECTION_ID()'))[0]?.payload)).toMatch(/^1317 /);
    await client.closed;
  });

  it('case B80 belongs to another proxy: unknown, and its ids are told apart', async () => {
    const admin = await px.proxy.admin();
    await admin.query('ALTER PROXYCONFIG SET proxy_id = 3');
    const there = await px.raw();
    await admin.query('ALTER PROXYCONFIG SET proxy_id = 0');
    const here = await px.raw();
    expect([idOf(there) >>> 23, idOf(here) >>> 23]).toEqual([3, 0]);
    const packets = await here.query(`KILL ${idOf(here) + (9 << 23)}`);
    expect(errorLine(packets[0]?.payload)).toMatch(/^1094 /);
    // Ids that were given out before the change are still found.
    await here.query(`KILL ${idOf(there)}`);
    await there.closed;
    await admin.end();
    here.destroy();
  });
}

describeWith(demo, 'KILL of a session that', killSuite);
