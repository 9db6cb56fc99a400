/**
 * A generation in a process of its own, before one server. Tells its port, and the number of its sessions whenever that
 * has changed; hands them over when it is told where to.
 */
import { HandOver } from '../handover/hand-over.ts';
import { startSessionProxy } from './session-proxy.ts';

const LOOK_MS = 10;

const proxy = startSessionProxy([{ address: process.argv[2] ?? '' }]);
const handOver = new HandOver(proxy.context, () => performance.now());
let told = -1;
setInterval(() => {
  handOver.tick();
  const { size } = proxy.context.registry;
  if (size !== told) process.send?.({ port: proxy.port, size });
  told = size;
}, LOOK_MS);
process.on('message', (paths: string[]) => handOver.begin(paths));
process.on('disconnect', () => process.exit());
