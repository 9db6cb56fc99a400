/**
 * Both ends of a load in one process, so that they cost as little as may be: clients that ask as soon as they are
 * answered, and the server behind the proxy. Started with an IPC channel; its argument: how many servers it poses as.
 */
import { IdleClient } from '../idle/idle-client.ts';
import { startListening } from '../stub/start-listening.ts';
import { LoadClient, type LoadState } from './load-client.ts';
import type { LoadAnswer, LoadOrder } from './messages.ts';
import { requests } from './requests.ts';

/** Log-ins under way at a time. */
const AT_ONCE = 50;

const { port, connections } = startListening(Number(process.argv[2] ?? '1'));
const tell = (answer: LoadAnswer): void => {
  process.send?.(answer);
};
const state: LoadState = {
  isRunning: false,
  replies: 0,
  open: 0,
  onQuiet: () => undefined,
  onFailure: (reason) => {
    tell({ type: 'failed', reason });
    process.exit(1);
  },
};
let clients: LoadClient[] = [];

process.on('message', (order: LoadOrder) => {
  obey(order).catch((error: unknown) => state.onFailure(error instanceof Error ? error.message : String(error)));
});
process.once('disconnect', () => process.exit(0));
tell({ type: 'started', port });

async function obey(order: LoadOrder): Promise<void> {
  if (order.type === 'connect') return connectAll(order);
  if (order.type === 'run') return run(order);
  for (const connection of [...connections]) connection.drop();
  tell({ type: 'dropped' });
}

async function connectAll(order: LoadOrder & { type: 'connect' }): Promise<void> {
  for (const client of clients) client.close();
  clients = [];
  while (clients.length < order.connections) {
    const some = Math.min(AT_ONCE, order.connections - clients.length);
    const made = await Promise.all(Array.from({ length: some }, () => IdleClient.connect(order.port, order.user)));
    clients.push(...made.map((client) => new LoadClient(client, state)));
  }
  tell({ type: 'connected' });
}

async function run({ request, ms }: LoadOrder & { type: 'run' }): Promise<void> {
  const quiet = Promise.withResolvers<void>();
  state.onQuiet = quiet.resolve;
  state.replies = 0;
  state.isRunning = true;
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  setTimeout(() => {
    state.isRunning = false;
  }, ms);
  for (const client of clients) client.begin(requests[request]);
  // What is under way then is answered, and counts: so nobody's last request weighs on the next run.
  await quiet.promise;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuSeconds = (user + system) / 1e6;
  tell({ type: 'ran', replies: state.replies, ms: performance.now() - began, cpuSeconds });
}
