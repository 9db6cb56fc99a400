/** Who answers a statement that goes through a proxy to the demo cluster: the server says it itself. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { DemoCluster } from '../../demo/demo-cluster.ts';
import { until } from '../../testing/proxy.ts';

/** For statements whose table is orders: the name of the server that answers. */
export const READ_HOST = 'select @@hostname as host from orders limit 1';
export const WEAK = '/*+ read_consistency(weak) */';
export const READ_HOST_WEAKLY = `select ${WEAK} @@hostname as host from orders limit 1`;

/** Zone of the server that answers a read of its own name, called `host`. */
export async function zoneOf(connection: Connection, read: string): Promise<string> {
  const [rows] = await connection.query<RowDataPacket[]>(read);
  return /zone\d/.exec(String(rows[0]?.host))?.[0] ?? '';
}

/** Zones that answer a session's statement, tried often enough to see all equals. */
export async function zonesOf(connection: Connection, read: string): Promise<string[]> {
  const zones = new Set<string>();
  for (let turn = 0; turn < 24; turn++) zones.add(await zoneOf(connection, read));
  return [...zones].sort();
}

/** EXPLAIN ROUTE, a line a fact. */
export async function explainRoute(connection: Connection, sql: string): Promise<string> {
  const [rows] = await connection.query<RowDataPacket[]>(`explain route ${sql}`);
  return rows.map((row) => String(row['Route Plan'])).join('\n');
}

/** The proxy has read the cluster's zones. */
export const untilZonesAreKnown = (connection: Connection): Promise<void> =>
  until('the proxy knows the zones', async () => /zone\d: /.test(await explainRoute(connection, 'select 1')));

/** All servers of the demo are active again, and on no list of this proxy. @param admin a session of the proxy's administrator */
export async function unlistAll(demo: DemoCluster, admin: Connection): Promise<void> {
  await demo.faults.clear();
  await until('all servers are seen as active', async () => {
    const [rows] = await admin.query<RowDataPacket[]>('show proxycongestion all');
    return rows.length === demo.servers.length && rows.every((row) => /^ACTIVE/.test(String(row.server_state)));
  });
  // B17: below 0 every server is taken off every list.
  for (const value of [-1, 5]) await admin.query(`alter proxyconfig set congestion_failure_threshold = ${value}`);
}
