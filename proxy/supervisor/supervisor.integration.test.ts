/** The real product: parts that die come back, and nothing is left when it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../demo/kernel/free-port.ts';
import { until } from '../testing/proxy.ts';

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url));

let home = '';
let port = 0;
let product: ChildProcess;
let said = '';

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'odp-supervisor-'));
  port = await findFreePort();
  said = '';
  product = spawn(process.execPath, [mainFile, '-p', String(port), '--no-console'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ODP_HOME: home, ODP_LOG_LEVEL: 'error' },
  });
  product.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
});

afterEach(async () => {
  if (product.exitCode === null && product.signalCode === null) {
    product.kill('SIGKILL');
    await once(product, 'exit');
  }
  await until('all parts are gone', () => parts().length === 0);
  await rm(home, { recursive: true, force: true });
});

describe('the supervisor', () => {
  it('restarts a killed generation, which has kept every acknowledged change', async () => {
    await until('it is ready', () => /^odp ready/m.test(said));
    await query('root@proxysys', "ALTER PROXYCONFIG SET proxy_idc_name = 'idc1'");
    process.kill(part('/coordinator/main.ts'), 'SIGKILL');
    await until('it is back', () => said.includes('odp: the proxy runs again'));
    expect(said).toContain('odp: the proxy ended with SIGKILL; it is started again');
    expect(await query('root@proxysys', "SHOW PROXYCONFIG LIKE 'proxy_idc_name'")).toMatchObject([{ value: 'idc1' }]);
    expect(await query('root@trade#obdemo', 'SELECT COUNT(*) AS n FROM trade.orders')).toEqual([{ n: 400 }]);
  });

  it('restarts a killed demo cluster; the proxy finds it again', async () => {
    await until('it is ready', () => /^odp ready/m.test(said));
    process.kill(part('/demo/main.ts'), 'SIGKILL');
    await until('it is back', () => said.includes('odp: the demo cluster runs again'));
    expect(await query('root@trade#obdemo', 'SELECT COUNT(*) AS n FROM trade.orders')).toEqual([{ n: 400 }]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends every part, and the port is free', async (signal) => {
    await until('it is ready', () => /^odp ready/m.test(said));
    product.kill(signal);
    expect(await once(product, 'exit')).toEqual([0, null]);
    expect(parts()).toEqual([]);
    await expect(query('root@proxysys', 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('ends every part also while it starts', async () => {
    await until('the demo cluster starts', () => parts().some(({ command }) => command.includes('/demo/main.ts')));
    product.kill('SIGTERM');
    expect(await once(product, 'exit')).toEqual([0, null]);
    expect(parts()).toEqual([]);
    expect(said).toBe('');
  });

  it('leaves no part behind when it is killed itself', async () => {
    await until('it is ready', () => /^odp ready/m.test(said));
    product.kill('SIGKILL');
    await until('all parts are gone', () => parts().length === 0);
  });
});

async function query(user: string, sql: string): Promise<unknown> {
  const connection = await createConnection({ host: '127.0.0.1', port, user });
  try {
    const [rows] = await connection.query(sql);
    return rows;
  } finally {
    await connection.end();
  }
}

/** Processes of this product other than the supervisor: those that were started with its home in their environment. */
function parts(): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry) || Number(entry) === product.pid) return [];
    try {
      if (!readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').includes(`ODP_HOME=${home}`)) return [];
      return [{ pid: Number(entry), command: readFileSync(`/proc/${entry}/cmdline`, 'utf8') }];
    } catch (error) {
      // It has ended since the folder was listed, or is another account's.
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return [];
      throw error;
    }
  });
}

function part(module: string): number {
  const found = parts().find(({ command }) => command.includes(module));
  if (found === undefined) throw new Error(`no process runs ${module}`);
  return found.pid;
}
