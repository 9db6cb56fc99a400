/** A genuine OceanBase kernel that poses as a cluster of one OBServer. */
import { createConnection } from 'mysql2/promise';
import { joinKernelCluster, kernelClusterName, zoneOf } from '../../proxy/demo/kernel/pose-as-cluster.ts';
import { startKernel } from '../../proxy/testing/kernel.ts';
import type { Backend } from './backend.ts';
import { prepareTables, type TableSize } from './sysbench.ts';

const account = 'root@sys';
const database = 'sbtest';

/** Starts and fills it. @throws Error when the kernel is not installed, with how to get it */
export async function startKernelBackend(size: TableSize): Promise<Backend> {
  const kernel = await startKernel();
  if (!kernel.available) throw new Error(kernel.reason);
  const connection = await createConnection({ host: '127.0.0.1', port: kernel.port, user: account });
  try {
    await joinKernelCluster(connection, [{ address: kernel.address, zone: zoneOf(0) }]);
    await connection.query(`CREATE DATABASE ${database}`);
    const [rows] = await connection.query('SELECT ob_version() AS version');
    const [row] = rows as { readonly version: string }[];
    await prepareTables({ port: kernel.port, user: account, database }, size);
    return {
      name: 'kernel',
      port: kernel.port,
      user: account,
      clusterName: kernelClusterName,
      database,
      version: `OceanBase ${row?.version ?? 'of unknown version'}`,
      // The kernel tells a transaction that met another one by 6002 at its next statement.
      conflicts: [1213, 1020, 1205, 6002],
      close: () => kernel.close(),
    };
  } catch (error) {
    await kernel.close();
    throw error;
  } finally {
    connection.destroy();
  }
}
