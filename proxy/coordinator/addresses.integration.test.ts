/** A proxy that listens on IPv6 and knows its cluster by an IPv6 address. */
import { connect, createServer, type Server } from 'node:net';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoCluster, startDemoCluster } from '../demo/demo-cluster.ts';
import { startProxy, type TestProxy, until } from '../testing/proxy.ts';

describe('case B100 clients and servers of IPv6', () => {
  let demo: DemoCluster;
  let gate: Server;
  let proxy: TestProxy;
  let admin: Connection;
  const show = async (sql: string) => (await admin.query<RowDataPacket[]>(sql))[0];

  beforeAll(async () => {
    demo = await startDemoCluster({ port: 0 });
    const { ip, port } = demo.servers[0] ?? { ip: '', port: 0 };
    // The demo cluster's own servers have IPv4 addresses: one of them can be reached over IPv6 as well.
    gate = createServer((socket) => {
      const onward = connect(port, ip);
      socket.pipe(onward).pipe(socket);
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => gate.listen(0, '::1', resolve));
    const address = gate.address();
    const gatePort = typeof address === 'object' ? address?.port : 0;
    proxy = await startProxy({
      rsList: `[::1]:${gatePort}`,
      clusterName: demo.clusterName,
      clientHost: '::1',
      parameters: { ip_listen_mode: 2, local_bound_ipv6_ip: '::1', server_state_refresh_interval: '100ms' },
    });
    admin = await proxy.admin();
  });
  afterAll(async () => {
    await proxy?.close();
    gate?.close();
    await demo?.close();
  });

  it('a server in brackets is enough to find the cluster', async () => {
    await until('the cluster has told its servers', async () => {
      const rows = await show('SHOW PROXYCONGESTION ALL');
      return rows.length === 5 && rows.every((row) => !String(row.server_ip).includes('::1'));
    });
    const [row] = await show("SHOW PROXYCONFIG LIKE 'rootservice_list'");
    expect(row?.value).toMatch(/^\[::1\]:\d+$/);
  });

  it('a client of ::1 gets in and is shown in brackets; IPv4 is not listened to', async () => {
    const client = await proxy.connect({ user: 'root@trade', database: 'trade' });
    await client.query('SELECT COUNT(*) FROM orders');
    const hosts = (await show('SHOW PROXYSESSION')).map((row) => String(row.Host));
    expect(hosts).toHaveLength(2);
    for (const host of hosts) expect(host).toMatch(/^\[::1\]:\d+$/);
    for (const { Host } of await show('SHOW PROCESSLIST')) expect(Host).toMatch(/^\[::1\]:\d+$/);
    await expect(proxy.connect({ user: 'root@trade', host: '127.0.0.1' })).rejects.toThrow('ECONNREFUSED');
  });

  it('values for the address that clients connect to: by any spelling of it', async () => {
    const client = await proxy.connect({ user: 'root@trade' });
    await admin.query(
      'REPLACE INTO proxy_config(vip, name, config_level, value) VALUES ' +
        "('0:0:0::1', 'proxy_idc_name', 'LEVEL_VIP', 'six'), ('::ffff:127.0.0.1', 'proxy_idc_name', 'LEVEL_VIP', 'four')",
    );
    const [rows] = await client.query<RowDataPacket[]>("SHOW PROXYSESSION ATTRIBUTE LIKE 'idc_name'");
    expect(rows[0]?.value).toBe('six');
    const [kept] = await admin.query<RowDataPacket[]>("SELECT vip FROM proxy_config WHERE config_level = 'LEVEL_VIP'");
    expect(kept.map(({ vip }) => vip).sort()).toEqual(['127.0.0.1', '::1']);
  });
});
