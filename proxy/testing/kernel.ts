/** A genuine OceanBase kernel for integration tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Connection, createConnection } from 'mysql2/promise';
import { startKernelProcess } from '../demo/kernel/kernel-process.ts';
import { joinKernelCluster, type PosedServer, zoneOf } from '../demo/kernel/pose-as-cluster.ts';
import { findKernelPython } from '../demo/kernel/python-environment.ts';
import { loadTradeData } from '../demo/kernel/trade-data.ts';
import { type AvailablePart, type UnavailablePart, unavailable } from './part.ts';

/** Where `npm test` puts the kernel's Python environment; git ignores it. */
export const testKernelEnvironment = fileURLToPath(new URL('../../.cache/kernel-venv', import.meta.url));

export interface TestKernel extends AvailablePart {
  /** `127.0.0.1:port`; `root@sys` has no password. */
  readonly address: string;
  readonly port: number;
  readonly pid: number;
  readonly ended: Promise<void>;
}

/**
 * Starts a kernel with data of its own in a temporary folder (1 to 3 s, about 800 MB of memory). It stands alone until
 * `prepareKernel` has been called.
 */
export async function startKernel(): Promise<TestKernel | UnavailablePart> {
  const python = findKernelPython(testKernelEnvironment);
  if (python === null)
    return unavailable('the OceanBase kernel is not installed in .cache/kernel-venv; npm test does it');
  const folder = await mkdtemp(join(tmpdir(), 'odp-kernel-'));
  const kernel = await startKernelProcess(python, join(folder, 'data'));
  const close = async () => {
    await kernel.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { available: true, address: kernel.address, port: kernel.port, pid: kernel.pid, ended: kernel.ended, close };
}

/**
 * Makes a kernel ready for a proxy: cluster name `obdemo`, account `proxyro`, the server and zone tables, and database
 * `trade` with the data of the kernel demo. `servers` are all the servers of the posed cluster; by default this kernel alone in zone1.
 */
export async function prepareKernel(kernel: TestKernel, servers?: readonly PosedServer[]): Promise<void> {
  const cluster = servers ?? [{ address: kernel.address, zone: zoneOf(0) }];
  const zone = cluster.find((server) => server.address === kernel.address)?.zone ?? zoneOf(0);
  const connection = await connectAsRoot(kernel);
  try {
    await joinKernelCluster(connection, cluster);
    await loadTradeData(connection, kernel.address, zone);
  } finally {
    await connection.end();
  }
}

/** A direct connection, past any proxy. */
export function connectAsRoot(kernel: TestKernel): Promise<Connection> {
  return createConnection({ host: '127.0.0.1', port: kernel.port, user: 'root@sys' });
}
