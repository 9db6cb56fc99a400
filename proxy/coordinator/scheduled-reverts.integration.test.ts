/** A change that goes back by itself, over a restart of the real product. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';

describe('a change that goes back by itself', () => {
  let home: string;
  let proxy: TestProxy;

  const start = async (): Promise<void> => {
    proxy = await startProxy({ rsList: null, clusterName: 'obdemo', home });
  };
  const shown = async (name: string): Promise<string> => {
    const admin = await proxy.admin();
    const [rows] = await admin.query<RowDataPacket[]>(`SHOW PROXYCONFIG LIKE '${name}'`);
    await admin.end();
    return String(rows[0]?.value);
  };
  const inDatabase = <Result>(work: (database: DatabaseSync) => Result): Result => {
    const database = new DatabaseSync(join(home, 'odp.db'));
    database.exec('PRAGMA busy_timeout = 5000');
    try {
      return work(database);
    } finally {
      database.close();
    }
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'odp-reverts-'));
    await start();
  });
  afterAll(async () => {
    await proxy?.close();
    await rm(home, { recursive: true, force: true });
  });

  it('whose time came while the proxy was down goes back at the start, what others have changed does not', async () => {
    const admin = await proxy.admin();
    await admin.query("ALTER PROXYCONFIG SET enable_congestion = 'False'");
    await admin.query("ALTER PROXYCONFIG SET congestion_fail_window = '60s'");
    await admin.query("ALTER PROXYCONFIG SET congestion_fail_window = '90s'");
    await proxy.close();
    inDatabase((database) => {
      const add = database.prepare(
        `INSERT INTO "ScheduledRevert" (change, name, value, revision, dueAt, setAt, setBy, reason)
         VALUES ('r1', ?, ?, 1, '2026-03-01T10:30:00.000+00:00', '2026-03-01T10:00:00.000+00:00', 'admin', 'maintenance')`,
      );
      add.run('enable_congestion', 'True');
      add.run('congestion_fail_window', '120s');
    });
    await start();
    await until('it has gone back', async () => (await shown('enable_congestion')).toLowerCase() === 'true');
    expect(await shown('congestion_fail_window')).toBe('90s');
    const rows = inDatabase((database) =>
      database
        .prepare(
          "SELECT action, parameter, actor, reason FROM \"HistoryRow\" WHERE requestId LIKE 'revert-%' AND action <> 'parameter.apply' ORDER BY id",
        )
        .all(),
    );
    expect(rows).toMatchObject([
      { action: 'parameter.change', parameter: 'enable_congestion', actor: 'odp' },
      { action: 'revert.leave', parameter: 'congestion_fail_window', actor: 'odp' },
    ]);
    expect(inDatabase((database) => database.prepare('SELECT * FROM "ScheduledRevert"').all())).toEqual([]);
  });
});
