/** The process of `--demo kernel`: prints one JSON line when the kernels answer; ends with its parent. */
import { parseArgs } from 'node:util';
import { errorText } from '../../errors/odp-error.ts';
import { startKernelCluster } from './cluster.ts';

const { values } = parseArgs({ options: { home: { type: 'string' } } });
if (values.home === undefined) throw new Error('--home FOLDER is missing');

try {
  const cluster = await startKernelCluster({ home: values.home, log: (line) => console.log(line) });
  const stop = (): void => void cluster.close().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
  console.log(JSON.stringify({ event: 'ready', clusterName: cluster.clusterName, servers: cluster.servers }));
} catch (error) {
  console.error(`odp: ${errorText(error)}`);
  process.exit(1);
}
