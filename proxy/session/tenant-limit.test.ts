import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConfigOverride, OverrideScope } from '../config/config-level.ts';
import { until } from '../testing/proxy.ts';
import { errorLine } from '../testing/raw-client.ts';
import { COM } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { PacketWriter } from '../wire/writer.ts';
import { ConnectionCount } from './connection-count.ts';
import { TenantCounts } from './tenant-counts.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

const none = { cluster: '', tenant: '', vip: '', vport: 0, vid: -1 };
const limited = (scope: Partial<OverrideScope> & Pick<OverrideScope, 'level'>, limit: number): ConfigOverride => ({
  ...none,
  ...scope,
  name: 'resource_max_connections',
  text: String(limit),
});
const inTenant = { level: 'LEVEL_TENANT', cluster: 'c1', tenant: 't1' } as const;

describe('resource_max_connections', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;

  beforeEach(async () => {
    server = await startScriptedServer();
    proxy = startSessionProxy([server]);
  });
  afterEach(async () => {
    proxy.close();
    await server.close();
  });

  const limit = (...rows: ConfigOverride[]): void => proxy.context.levels.setOverrides(rows);
  const ofTenant = (tenant: string): number => proxy.tenantCounts.of(JSON.stringify(['c1', tenant]));
  const untilFree = (tenant: string, count: number): Promise<void> =>
    until(`${count} are counted`, () => ofTenant(tenant) === count);

  it('case B89 the next client of a full tenant is refused with 1040 before a server is asked, others are not', async () => {
    limit(limited(inTenant, 2));
    const clients = [await proxy.client(), await proxy.client({ user: 'u2@T1#c1' })];
    const asked = server.connections.size;
    await expect(proxy.client()).rejects.toThrow(/^1040 Too many connections: tenant 't1' of cluster 'c1' may have 2$/);
    expect(server.connections.size).toBe(asked);
    await proxy.client({ user: 'u1@t2#c1' });
    await proxy.client({ user: 'root@proxysys' });
    clients[0]?.destroy();
    await untilFree('t1', 1);
    await proxy.client();
    expect([ofTenant('t1'), ofTenant('t2')]).toEqual([2, 1]);
  });

  it('case B89 log-ins that a server refuses are not counted, nor are tenants that nobody has', async () => {
    server.onLogin = (connection) =>
      connection.send([buildErr({ errno: 1045, sqlState: '42000', message: 'Access denied' })], 2);
    for (const tenant of ['t1', 't7']) {
      await expect(proxy.client({ user: `u1@${tenant}#c1` })).rejects.toThrow(/^1045 /);
      expect(ofTenant(tenant)).toBe(0);
    }
  });

  it('case B89 of two log-ins under way at once for the last place one gets it', async () => {
    limit(limited(inTenant, 1));
    const waiting: (() => void)[] = [];
    server.onLogin = (connection) => void waiting.push(() => connection.send([Buffer.from([0, 0, 0, 2, 0, 0, 0])], 2));
    const outcomes = Promise.allSettled([proxy.client(), proxy.client()]);
    await until('both wait for the server', () => waiting.length === 2);
    for (const letGo of waiting) letGo();
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused.map((outcome) => String('reason' in outcome && outcome.reason))).toEqual([
      expect.stringMatching(/1040 Too many connections/),
    ]);
    await until('its server session is closed', () => server.connections.size === 1);
    expect(ofTenant('t1')).toBe(1);
  });

  it('sessions that were there before the limit count, and 0 lets nobody in', async () => {
    const clients = [await proxy.client(), await proxy.client()];
    limit(limited(inTenant, 2));
    await expect(proxy.client()).rejects.toThrow(/^1040 /);
    for (const client of clients) client.destroy();
    await untilFree('t1', 0);
    limit(limited(inTenant, 0));
    await expect(proxy.client()).rejects.toThrow(/^1040 .* may have 0$/);
    limit();
    await proxy.client();
  });

  it('a value for an address counts what came to that address, and stands before the tenant’s', async () => {
    limit(limited(inTenant, 1), limited({ ...inTenant, level: 'LEVEL_VIP', vip: '127.0.0.1' }, 1));
    await proxy.client();
    await expect(proxy.client()).rejects.toThrow(/^1040 .* may have 1$/);
    limit(limited(inTenant, 1), limited({ ...inTenant, level: 'LEVEL_VIP', vip: '127.0.0.1' }, 2));
    await proxy.client();
    limit(limited(inTenant, 3), limited({ ...inTenant, level: 'LEVEL_VIP', vip: '127.0.0.9' }, 0));
    await proxy.client();
    await expect(proxy.client()).rejects.toThrow(/^1040 .* may have 3$/);
  });

  it('COM_CHANGE_USER moves the place: within a full tenant it works, into one it does not', async () => {
    limit(limited(inTenant, 1), limited({ ...inTenant, tenant: 't2' }, 0));
    const client = await proxy.client();
    const change = async (user: string): Promise<Buffer> => {
      client.command(COM.CHANGE_USER, new PacketWriter(64).nullString(user).u8(0).nullString('').finish());
      return (await client.packet()).payload;
    };
    expect((await change('u2@t1#c1'))[0]).toBe(0);
    expect([ofTenant('t1'), ofTenant('t2')]).toEqual([1, 0]);
    expect((await change('u2@t3#c1'))[0]).toBe(0);
    expect([ofTenant('t1'), ofTenant('t3')]).toEqual([0, 1]);
    expect(errorLine(await change('u2@t2#c1'))).toMatch(/^1040 /);
    await client.closed;
    await untilFree('t3', 0);
    expect(ofTenant('t2')).toBe(0);
  });
});

describe('counts over all workers', () => {
  /** Threads that count, and do not take back all that they have counted. */
  const counting = (memories: { tenants: SharedArrayBuffer; connections: SharedArrayBuffer }): Worker[] => {
    const body = `
      const { workerData } = require('node:worker_threads');
      Promise.all(workerData.modules.map((module) => import(module))).then(([{ TenantCounts }, { ConnectionCount }]) => {
        const tenants = new TenantCounts(workerData.tenants, workerData.worker);
        const connections = new ConnectionCount(workerData.connections, workerData.worker);
        for (let round = 0; round < 300; round++) {
          connections.add(1);
          for (let tenant = 0; tenant < 10; tenant++) tenants.add('t' + tenant, 1);
          if (round % 3 > 0) continue;
          connections.add(-1);
          for (let tenant = 0; tenant < 10; tenant++) tenants.add('t' + tenant, -1);
        }
      });`;
    const modules = ['./tenant-counts.ts', './connection-count.ts'].map((file) => new URL(file, import.meta.url).href);
    return [0, 1, 2].map((worker) => new Worker(body, { eval: true, workerData: { ...memories, modules, worker } }));
  };

  it('case B89 are exact when threads count at the same time, and lose the part of one that has died', async () => {
    const memories = { tenants: TenantCounts.memory(3), connections: ConnectionCount.memory(3) };
    await Promise.all(counting(memories).map((worker) => once(worker, 'exit')));
    const tenants = new TenantCounts(memories.tenants, 0);
    for (let tenant = 0; tenant < 10; tenant++) expect(tenants.of(`t${tenant}`)).toBe(3 * 200);
    expect(ConnectionCount.total(memories.connections)).toBe(3 * 200);
    TenantCounts.forget(memories.tenants, 1);
    ConnectionCount.forget(memories.connections, 1);
    for (let tenant = 0; tenant < 10; tenant++) expect(tenants.of(`t${tenant}`)).toBe(2 * 200);
    expect(new ConnectionCount(memories.connections, 1).add(0)).toBe(2 * 200);
    expect(tenants.of('never seen')).toBe(0);
  });

  it('of tenants go on without what has no place any more', () => {
    const counts = new TenantCounts(TenantCounts.memory(1), 0);
    for (let tenant = 0; tenant < 20_000; tenant++) counts.add(`t${tenant}`, 1);
    expect(counts.of('t0')).toBe(1);
    expect(counts.add('t19999', 1)).toBe(0);
    expect(counts.add('t0', 1)).toBe(2);
  });
});
