/** Values at levels end to end: set with SQL as root@proxysys, seen by sessions that are open already. */
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy } from '../testing/proxy.ts';

describe('values for parts of the sessions', () => {
  let demo: DemoCluster;
  let proxy: TestProxy;
  let admin: Connection;
  let client: Connection;

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    const rsList = demo.servers.map(({ address }) => address).join(';');
    proxy = await startProxy({ rsList, clusterName: demo.clusterName, parameters: { proxy_idc_name: 'everybody' } });
    admin = await proxy.admin();
    client = await proxy.connect({ user: 'app@trade', password: 'app-secret', database: 'trade' });
  });
  afterAll(async () => {
    await proxy.close();
    await demo.close();
  });

  /** What the open session goes by, as SHOW PROXYSESSION ATTRIBUTE tells it. */
  async function idc(): Promise<unknown> {
    const [rows] = await client.query<RowDataPacket[]>("show proxysession attribute like 'idc_name'");
    return rows[0]?.value;
  }

  const affected = async (sql: string) => (await admin.query<ResultSetHeader>(sql))[0].affectedRows;
  const replace = (columns: string, values: string) =>
    `REPLACE INTO proxy_config(${columns}, name, config_level, value) VALUES ${values}`;

  it('case B96: the narrowest level counts at once, and after each removal the next wider one', async () => {
    expect(await idc()).toBe('everybody');
    const name = demo.clusterName;
    expect(
      await affected(
        replace(
          'cluster_name, tenant_name',
          `('${name}', '', 'proxy_idc_name', 'LEVEL_CLUSTER', 'cluster'), ('${name}', 'trade', 'proxy_idc_name', 'LEVEL_TENANT', 'tenant')`,
        ),
      ),
    ).toBe(2);
    expect(await idc()).toBe('tenant');
    const vip = `('127.0.0.1', ${proxy.port}, '${name}', 'trade', 'proxy_idc_name', 'LEVEL_VIP', 'vip')`;
    expect(await affected(replace('vip, vport, cluster_name, tenant_name', vip))).toBe(1);
    expect(await idc()).toBe('vip');
    const [rows] = await admin.query<RowDataPacket[]>("show proxyconfig all like 'proxy_idc_name'");
    expect(rows.map(({ value, config_level }) => [value, config_level])).toEqual([
      ['everybody', 'LEVEL_GLOBAL'],
      ['cluster', 'LEVEL_CLUSTER'],
      ['tenant', 'LEVEL_TENANT'],
      ['vip', 'LEVEL_VIP'],
    ]);
    expect(await affected("DELETE FROM proxy_config WHERE tenant_name = 'nobody'")).toBe(0);
    expect(await affected("DELETE FROM proxy_config WHERE config_level = 'LEVEL_TENANT'")).toBe(1);
    expect(await idc()).toBe('vip');
    expect(await affected("DELETE FROM proxy_config WHERE vip = '127.0.0.1'")).toBe(1);
    expect(await idc()).toBe('cluster');
    expect(await affected("DELETE FROM proxy_config WHERE config_level <> 'LEVEL_GLOBAL'")).toBe(1);
    expect(await idc()).toBe('everybody');
  });

  it('the version that clients are greeted with may depend on the address they connect to', async () => {
    const version = "('127.0.0.1', 'mysql_version', 'LEVEL_VIP', '8.0.36')";
    expect(await affected(replace('vip', version))).toBe(1);
    const raw = await proxy.raw();
    expect(raw.greeting?.serverVersion).toBe('8.0.36');
    raw.destroy();
    expect(await affected("DELETE FROM proxy_config WHERE vip = '127.0.0.1'")).toBe(1);
  });

  it('case B95: what cannot be is refused with what is wrong', async () => {
    await expect(
      admin.query(replace('cluster_name', "('c1', 'listen_port', 'LEVEL_CLUSTER', '3000')")),
    ).rejects.toThrow('listen_port cannot be set at LEVEL_CLUSTER, only down to LEVEL_GLOBAL');
    await expect(admin.query('DELETE FROM proxy_config')).rejects.toThrow('LEVEL_GLOBAL row');
  });
});
