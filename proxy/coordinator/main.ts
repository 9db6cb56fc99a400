/** The body of a generation's process. The supervisor starts it and speaks to it over the process channel. */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { createLogger } from '../log/logger.ts';
import type { TcpHandle } from '../net/raw-handles.ts';
import { type Coordinator, type SupervisorServices, startCoordinator } from './coordinator.ts';
import type { DemoServers, GenerationStart, ToGeneration, ToSupervisor } from './supervisor-link.ts';

const log = createLogger('coordinator');
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The supervisor could not give what was asked of it, and says why. */
class Refusal extends Error {}

const isForPeople = (error: unknown): boolean => error instanceof OdpError || error instanceof Refusal;

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** Questions to the supervisor that are still open; it answers those of one kind in their order. */
const listenWaiting: Waiting<{ fd: number; host: string; port: number }>[] = [];
const demoWaiting: Waiting<DemoServers>[] = [];
/** What was told before somebody could take it. */
const early: ToGeneration[] = [];
let take = (message: ToGeneration): void => {
  early.push(message);
};
/**
 * Never closed and never collected: the threads that listen on these descriptors close them, and the numbers may belong
 * to other connections afterwards.
 */
const listenHandles: TcpHandle[] = [];

/** A supervisor that is gone needs nothing more: this process is about to end as well. */
const tell = (message: ToSupervisor): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

const services: SupervisorServices = {
  listen: (address, port) =>
    new Promise((resolve, reject) => {
      listenWaiting.push({ resolve, reject });
      tell({ type: 'listen', ...address, port });
    }),
  demo: (kind) =>
    new Promise((resolve, reject) => {
      demoWaiting.push({ resolve, reject });
      tell({ type: 'demo-wanted', kind });
    }),
  tell,
  subscribe: (listener) => {
    take = listener;
    for (const message of early.splice(0)) listener(message);
  },
};

process.on('message', (message: ToGeneration, handle?: unknown) => {
  switch (message.type) {
    case 'start':
      void run(message);
      break;
    case 'listening':
      onListening(handle as TcpHandle, message.host, message.port);
      break;
    case 'demo':
      demoWaiting.shift()?.resolve(message);
      break;
    case 'refused':
      (message.wanted === 'listen' ? listenWaiting : demoWaiting).shift()?.reject(new Refusal(message.message));
      break;
    case 'stop':
      void stop();
      break;
    default:
      take(message);
  }
});
// Without a supervisor nobody could stop this process any more.
process.on('disconnect', () => void stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());

function onListening(handle: TcpHandle, host: string, port: number): void {
  listenHandles.push(handle);
  listenWaiting.shift()?.resolve({ fd: handle.fd, host, port });
}

let coordinator: Coordinator | null = null;

async function run(start: GenerationStart): Promise<void> {
  try {
    coordinator = await startCoordinator(start, services, manifest.version, log);
    tell(coordinator.ready);
    // Not left to the end of the process, which may be a kill.
    flushCompileCache();
  } catch (error) {
    // What the person who starts it can mend is told in one line; where it came from is for those who look for it.
    log[isForPeople(error) ? 'debug' : 'error']({ err: error }, 'the generation could not start');
    process.send?.({ type: 'failed', message: errorText(error) } satisfies ToSupervisor, () => process.exit(1));
  }
}

async function stop(): Promise<void> {
  try {
    await coordinator?.close();
  } catch (error) {
    log.error({ err: error }, 'the generation did not end cleanly');
  }
  process.exit(0);
}
