import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, expect, it } from 'vitest';
import { testKernelEnvironment } from '../../testing/kernel.ts';
import { describeWith, unavailable } from '../../testing/part.ts';
import { startKernelCluster } from './cluster.ts';
import { findKernelPython } from './python-environment.ts';

/** Three kernels on two cores that do other things too. */
const startLimitMs = 180_000;
const home = await mkdtemp(join(tmpdir(), 'odp-kernel-home-'));
const removeHome = () => rm(home, { recursive: true, force: true });
afterAll(removeHome);

/** The home with the environment that `npm test` has made, so that nothing is fetched here. */
async function homeWithKernel() {
  if (findKernelPython(testKernelEnvironment) === null) return unavailable('the OceanBase kernel is not installed');
  await symlink(testKernelEnvironment, join(home, 'kernel-venv'));
  return { available: true as const, close: removeHome };
}

async function queryRow(address: string, sql: string): Promise<RowDataPacket[]> {
  const port = Number(address.split(':')[1]);
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root@sys' });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql);
    return rows;
  } finally {
    connection.destroy();
  }
}

describeWith(await homeWithKernel(), 'kernel demo', () => {
  it(
    'runs three kernels that each tell of all three, with the same data, and leaves nothing behind',
    async () => {
      const said: string[] = [];
      const cluster = await startKernelCluster({ home, log: (line) => said.push(line) });
      const addresses = cluster.servers.map((server) => server.address);
      try {
        expect(cluster.clusterName).toBe('obdemo');
        expect(cluster.servers.map((server) => server.zone)).toEqual(['zone1', 'zone2', 'zone3']);
        expect(said).toHaveLength(3);
        for (const { address, zone } of cluster.servers) {
          const servers = await queryRow(
            address,
            "SELECT concat(svr_ip, ':', sql_port) AS address FROM oceanbase.DBA_OB_SERVERS ORDER BY zone",
          );
          expect(servers.map((row) => row.address)).toEqual(addresses);
          expect(await queryRow(address, 'SELECT server, zone FROM trade.whoami')).toEqual([{ server: address, zone }]);
          expect(await queryRow(address, 'SELECT count(*) AS n FROM trade.orders')).toEqual([{ n: 400 }]);
        }
      } finally {
        await cluster.close();
      }
      for (const address of addresses) await expect(queryRow(address, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
      expect(await readdir(join(home, 'kernel'))).toEqual([]);
    },
    startLimitMs,
  );
});
