/** `npm start -- --demo kernel`: three genuine kernels that pose as one cluster. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { type KernelProcess, startKernelProcess } from './kernel-process.ts';
import { joinKernelCluster, kernelClusterName, type PosedServer, zoneOf } from './pose-as-cluster.ts';
import { ensureKernelPython } from './python-environment.ts';
import { loadTradeData } from './trade-data.ts';

const serverCount = 3;

export interface KernelClusterOptions {
  /** Folder of this installation's state (ODP_HOME): gets `kernel-venv/` and, while the cluster runs, `kernel/`. */
  readonly home: string;
  /** Told, line by line, what takes time. */
  readonly log: (line: string) => void;
}

export interface KernelCluster {
  readonly clusterName: string;
  readonly servers: readonly PosedServer[];
  /** Ends the kernels and removes their data. */
  close(): Promise<void>;
}

/**
 * Starts the kernels on free ports of 127.0.0.1, each with the same accounts and data (`root@sys` has no password,
 * database `trade`). They do not replicate: a row written through one server is not seen through another.
 * @throws OdpError KERNEL_UNAVAILABLE with what is missing; nothing is left running then.
 */
export async function startKernelCluster({ home, log }: KernelClusterOptions): Promise<KernelCluster> {
  const python = await ensureKernelPython(join(home, 'kernel-venv'), log);
  await mkdir(join(home, 'kernel'), { recursive: true });
  const kernels: KernelProcess[] = [];
  let closing = false;
  const close = async () => {
    closing = true;
    await Promise.all(kernels.map((kernel) => kernel.close()));
  };
  try {
    // One after the other: each keeps both cores of a small machine busy while it starts.
    for (let index = 0; index < serverCount; index += 1) {
      const kernel = await startKernelProcess(python, join(home, 'kernel', String(index + 1)));
      kernels.push(kernel);
      log(`kernel ${index + 1} of ${serverCount} runs on ${kernel.address}`);
      void kernel.ended.then(() => {
        if (!closing) log(`the kernel on ${kernel.address} has ended by itself`);
      });
    }
    const servers = kernels.map((kernel, index) => ({ address: kernel.address, zone: zoneOf(index) }));
    await Promise.all(kernels.map((kernel, index) => fill(kernel, servers, zoneOf(index))));
    return { clusterName: kernelClusterName, servers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(kernel: KernelProcess, servers: readonly PosedServer[], zone: string): Promise<void> {
  const connection = await createConnection({ host: '127.0.0.1', port: kernel.port, user: 'root@sys' });
  try {
    await joinKernelCluster(connection, servers);
    await loadTradeData(connection, kernel.address, zone);
  } finally {
    await connection.end();
  }
}
