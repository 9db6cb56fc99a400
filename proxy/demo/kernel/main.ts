/**
 * The kernel demo as a process: `node proxy/demo/kernel/main.ts --home FOLDER`. What it prints is for people, but for
 * one line of JSON once the servers answer: `{ "event": "ready", "clusterName": …, "servers": [{ address, zone }] }`.
 * Ends on SIGTERM, and when the process that started it with a message channel is gone.
 */
import { parseArgs } from 'node:util';
import { errorText } from '../../errors/odp-error.ts';
import { type KernelCluster, startKernelCluster } from './cluster.ts';

let cluster: KernelCluster | null = null;
const end = () => {
  // Kernels that are still starting end by themselves when this process is gone.
  (cluster?.close() ?? Promise.resolve()).then(
    () => process.exit(0),
    (error: unknown) => fail(error),
  );
};
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.once('disconnect', end);

try {
  const { home } = parseArgs({ options: { home: { type: 'string', default: 'data' } } }).values;
  cluster = await startKernelCluster({ home, log: (line) => console.log(line) });
  const { clusterName, servers } = cluster;
  console.log(JSON.stringify({ event: 'ready', clusterName, servers }));
} catch (error) {
  fail(error);
}

function fail(error: unknown): never {
  console.log(errorText(error));
  process.exit(1);
}
