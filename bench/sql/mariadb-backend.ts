/** A MariaDB that looks, to the proxy, like a cluster of one OBServer. */
import { createConnection } from 'mysql2/promise';
import { poseAsCluster } from '../../proxy/demo/kernel/pose-as-cluster.ts';
import { startMariaDb } from '../../proxy/testing/mariadb.ts';
import { versionOf } from '../conditions.ts';
import type { Backend } from './backend.ts';
import { prepareTables, type TableSize } from './sysbench.ts';

const account = 'sb@sys';
const database = 'sbtest';

/**
 * The view the proxy asks for the place of a table and for the servers of a tenant. The host is the only server and
 * leads everything.
 */
const locationTable = `CREATE TABLE oceanbase.__all_virtual_proxy_schema (
  tenant_name varchar(128) NOT NULL, database_name varchar(128) NOT NULL, table_name varchar(256) NOT NULL,
  tablet_id bigint NOT NULL DEFAULT 0, table_id bigint NOT NULL, svr_ip varchar(46) NOT NULL, sql_port bigint NOT NULL,
  role bigint NOT NULL DEFAULT 1, part_num bigint NOT NULL DEFAULT 1, replica_num bigint NOT NULL DEFAULT 1,
  table_type bigint NOT NULL DEFAULT 3, schema_version bigint NOT NULL DEFAULT 1, replica_type bigint NOT NULL DEFAULT 0,
  dup_replica_type bigint NOT NULL DEFAULT 0, PRIMARY KEY (tenant_name, database_name, table_name, tablet_id))`;

/** Starts and fills it. @param port null: any. @throws Error when mariadb-server is not installed */
export async function startMariaDbBackend(size: TableSize, port: number | null): Promise<Backend> {
  const options = ['--max-connections=500', '--innodb-buffer-pool-size=512M', '--skip-log-bin'];
  const server = await startMariaDb(options, port);
  if (!server.available) throw new Error(server.reason);
  const connection = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
  try {
    const address = `127.0.0.1:${server.port}`;
    await connection.query('CREATE DATABASE oceanbase');
    await poseAsCluster(connection, [{ address, zone: 'zone1' }], 'proxyro@sys');
    await connection.query(locationTable);
    const tables = Array.from({ length: size.tables }, (_, index) => [database, `sbtest${index + 1}`]);
    for (const [index, [inDatabase, table]] of [['oceanbase', '__all_dummy'], ...tables].entries()) {
      await connection.query(
        `INSERT INTO oceanbase.__all_virtual_proxy_schema
           (tenant_name, database_name, table_name, table_id, svr_ip, sql_port) VALUES ('sys', ?, ?, ?, '127.0.0.1', ?)`,
        [inDatabase, table, 500_001 + index, server.port],
      );
    }
    await connection.query(`CREATE DATABASE ${database}`);
    await connection.query(`CREATE USER '${account}'`);
    await connection.query(`GRANT ALL ON ${database}.* TO '${account}'`);
    await prepareTables({ port: server.port, user: account, database }, size);
    return {
      name: 'mariadb',
      port: server.port,
      user: account,
      clusterName: 'bench',
      database,
      version: await versionOf('MariaDB', 'mariadbd', '--version'),
      conflicts: [1213, 1020, 1205],
      close: () => server.close(),
    };
  } catch (error) {
    await server.close();
    throw error;
  } finally {
    connection.destroy();
  }
}
