/**
 * A single kernel has none of the views from which a proxy learns of a cluster's servers and zones. They are made as
 * ordinary tables here, the same rows in every kernel, so that several kernels pose as the servers of one cluster.
 */
import type { Connection } from 'mysql2/promise';

export interface PosedServer {
  /** `ip:port` of the SQL port. */
  readonly address: string;
  readonly zone: string;
}

interface PosedZone {
  readonly name: string;
  readonly region: string;
  readonly idc: string;
}

/** Placement of requirement R28 as far as three servers go. Zones beyond the third repeat the last place. */
const places: readonly [PosedZone, ...PosedZone[]] = [
  { name: 'zone1', region: 'SHANGHAI', idc: 'idc1' },
  { name: 'zone2', region: 'SHANGHAI', idc: 'idc1' },
  { name: 'zone3', region: 'SHANGHAI', idc: 'idc2' },
];

/**
 * The password of the account `proxyro`, which the proxy's own queries use, is known to both sides only as hashes. This
 * is the second stage, SHA1 of SHA1 of the password, as MySQL's native authentication keeps it.
 */
const proxyPasswordHash = 'E9C2BCDC178A99B7B08DD25DB58DED2EE5BFF050';

/** Columns as OceanBase 4 documents them for the views of the same names. */
const tableStatements = [
  `CREATE TABLE IF NOT EXISTS oceanbase.DBA_OB_SERVERS (
     svr_ip varchar(46) NOT NULL, svr_port bigint NOT NULL, id bigint NOT NULL, zone varchar(128) NOT NULL,
     sql_port bigint NOT NULL, with_rootserver varchar(3) NOT NULL, status varchar(64) NOT NULL,
     start_service_time timestamp(6) NULL, stop_time timestamp(6) NULL, block_migrate_in_time timestamp(6) NULL,
     create_time timestamp(6) NULL, modify_time timestamp(6) NULL, build_version varchar(256) NULL)`,
  `CREATE TABLE IF NOT EXISTS oceanbase.DBA_OB_ZONES (
     zone varchar(128) NOT NULL, create_time timestamp(6) NULL, modify_time timestamp(6) NULL,
     status varchar(64) NOT NULL, idc varchar(64) NOT NULL, region varchar(64) NOT NULL, type varchar(64) NOT NULL)`,
];

/** Zone of the server at `index` of the cluster. */
export function zoneOf(index: number): string {
  return places[index]?.name ?? `zone${index + 1}`;
}

/** Name of the cluster that the kernels pose as. */
export const kernelClusterName = 'obdemo';

/** Makes a kernel one of the servers of a cluster. It refuses a log-in through a proxy that names another cluster. */
export async function joinKernelCluster(connection: Connection, servers: readonly PosedServer[]): Promise<void> {
  await connection.query(`ALTER SYSTEM SET \`cluster\` = '${kernelClusterName}'`);
  await poseAsCluster(connection, servers);
}

/**
 * Writes the servers and zones into one server (again when called again) and makes the proxy's account. A server that
 * does not take the tenant off a user's name, as an OBServer does, needs it in the account's: `proxyro@sys`.
 */
export async function poseAsCluster(
  connection: Connection,
  servers: readonly PosedServer[],
  proxyAccount = 'proxyro',
): Promise<void> {
  for (const statement of tableStatements) await connection.query(statement);
  await connection.query('DELETE FROM oceanbase.DBA_OB_SERVERS');
  await connection.query('DELETE FROM oceanbase.DBA_OB_ZONES');
  for (const [index, server] of servers.entries()) {
    const separator = server.address.lastIndexOf(':');
    const port = Number(server.address.slice(separator + 1));
    // Nothing answers on an RPC port here, but the proxy's queries leave out servers whose svr_port is not positive.
    await connection.query(
      `INSERT INTO oceanbase.DBA_OB_SERVERS
         (svr_ip, svr_port, id, zone, sql_port, with_rootserver, status, start_service_time, create_time, modify_time)
       VALUES (?, ?, ?, ?, ?, ?, 'ACTIVE', now(6), now(6), now(6))`,
      [server.address.slice(0, separator), port + 1, index + 1, server.zone, port, index === 0 ? 'YES' : 'NO'],
    );
    const place = places[Math.min(index, places.length - 1)] ?? places[0];
    await connection.query(
      `INSERT INTO oceanbase.DBA_OB_ZONES (zone, create_time, modify_time, status, idc, region, type)
       VALUES (?, now(6), now(6), 'ACTIVE', ?, ?, 'ReadWrite')`,
      [server.zone, place.idc, place.region],
    );
  }
  await connection.query(`CREATE USER IF NOT EXISTS '${proxyAccount}' IDENTIFIED BY PASSWORD '*${proxyPasswordHash}'`);
  await connection.query(`GRANT SELECT ON oceanbase.* TO '${proxyAccount}'`);
}
