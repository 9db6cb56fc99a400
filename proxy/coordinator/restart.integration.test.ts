/** Values over a restart of the real product: those that wait for it, and those that could not be stored. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../demo/kernel/free-port.ts';
import { startProxy, type TestProxy } from '../testing/proxy.ts';

const run = promisify(execFile);

describe('values over a restart', () => {
  let home: string;
  let proxy: TestProxy;
  let admin: Connection;

  /** @param storedPort the port that the proxy should take by itself */
  const start = async (storedPort?: number): Promise<void> => {
    const options = { rsList: null, clusterName: 'obdemo', home };
    proxy = await startProxy(storedPort === undefined ? options : { ...options, storedPort });
    admin = await proxy.admin();
  };
  const shown = async (name: string) => {
    const [rows] = await admin.query<RowDataPacket[]>(`SHOW PROXYCONFIG LIKE '${name}'`);
    return { value: String(rows[0]?.value), info: String(rows[0]?.info) };
  };
  const login = (port: number) => proxy.connect({ user: 'root@trade', port });

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'odp-restart-'));
    await start();
  });
  afterAll(async () => {
    await proxy?.close();
    await rm(home, { recursive: true, force: true });
  });

  it('case B95 a new listen_port waits for the restart, and says so; the old one is in force until then', async () => {
    const { port } = proxy;
    const next = await findFreePort();
    await admin.query(`ALTER PROXYCONFIG SET LISTEN_PORT = ${next}`);
    const { value, info } = await shown('listen_port');
    expect(value).toBe(String(next));
    expect(info).toContain(`Waits for a restart; in force: '${port}'`);
    await (await login(port)).query('SELECT 1');
    await expect(login(next)).rejects.toThrow('ECONNREFUSED');
    await proxy.close();
    await start(next);
    await (await login(next)).query('SELECT 1');
    await expect(login(port)).rejects.toThrow('ECONNREFUSED');
    expect((await shown('listen_port')).info).not.toContain('restart');
  });

  it('case B96 no room for the file: an error, the old value in force and after a restart; room again, and it works', async () => {
    const { value: old } = await shown('congestion_fail_window');
    // No file of the process can grow, nor be written behind its first byte: as on a full disk, for every user alike.
    const limitFiles = (bytes: string) => run('prlimit', [`--pid=${proxy.workerPid}`, `--fsize=${bytes}:`]);
    await limitFiles('1');
    const alter = admin.query("ALTER PROXYCONFIG SET congestion_fail_window = '77s'");
    await expect(alter).rejects.toMatchObject({ errno: 10902 });
    const many =
      'REPLACE INTO proxy_config(cluster_name, tenant_name, name, config_level, value) VALUES ' +
      "('obdemo', 'trade', 'proxy_idc_name', 'LEVEL_TENANT', 'a'), ('obdemo', 'sys', 'proxy_idc_name', 'LEVEL_TENANT', 'b')";
    await expect(admin.query(many)).rejects.toMatchObject({ errno: 10902 });
    expect((await shown('congestion_fail_window')).value).toBe(old);
    await (await login(proxy.port)).query('SELECT 1');
    await proxy.close();
    await start(proxy.port);
    expect((await shown('congestion_fail_window')).value).toBe(old);
    const [rows] = await admin.query<RowDataPacket[]>("SHOW PROXYCONFIG ALL LIKE 'proxy_idc_name'");
    expect(rows.map((row) => row.config_level)).toEqual(['LEVEL_GLOBAL']);

    await limitFiles('1');
    await expect(admin.query("ALTER PROXYCONFIG SET congestion_fail_window = '77s'")).rejects.toThrow();
    await limitFiles('unlimited');
    await admin.query("ALTER PROXYCONFIG SET congestion_fail_window = '78s'");
    expect((await shown('congestion_fail_window')).value).toBe('78s');
  });
});
