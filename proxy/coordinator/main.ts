/** The body of a generation's process. The supervisor starts it and speaks to it over the process channel. */
import { readFileSync } from 'node:fs';
import { errorText } from '../errors/odp-error.ts';
import { createLogger } from '../log/logger.ts';
import type { TcpHandle } from '../net/raw-handles.ts';
import { type Coordinator, type SupervisorServices, startCoordinator } from './coordinator.ts';
import type { DemoServers, GenerationStart, ToGeneration, ToSupervisor } from './supervisor-link.ts';

const log = createLogger('coordinator');
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

let listening: ((socket: { fd: number; host: string; port: number }) => void) | null = null;
let demoStarted: ((servers: DemoServers) => void) | null = null;
let refused: ((error: Error) => void) | null = null;
let coordinator: Coordinator | null = null;
/** Kept so that the descriptor stays open. */
let listenHandle: TcpHandle | null = null;

const tell = (message: ToSupervisor): void => {
  process.send?.(message);
};

const services: SupervisorServices = {
  listen: (host, port) =>
    new Promise((resolve, reject) => {
      listening = resolve;
      refused = reject;
      tell({ type: 'listen', host, port });
    }),
  demo: (kind) =>
    new Promise((resolve, reject) => {
      demoStarted = resolve;
      refused = reject;
      tell({ type: 'demo-wanted', kind });
    }),
};

process.on('message', (message: ToGeneration, handle?: unknown) => {
  switch (message.type) {
    case 'start':
      void run(message);
      break;
    case 'listening':
      listenHandle = handle as TcpHandle;
      listening?.({ fd: listenHandle.fd, host: message.host, port: message.port });
      break;
    case 'demo':
      demoStarted?.(message);
      break;
    case 'refused':
      refused?.(new Error(message.message));
      break;
    case 'stop':
      void stop();
      break;
  }
});
// Without a supervisor nobody could stop this process any more.
process.on('disconnect', () => void stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());

async function run(start: GenerationStart): Promise<void> {
  try {
    coordinator = await startCoordinator(start, services, manifest.version, log);
    tell(coordinator.ready);
  } catch (error) {
    log.error({ err: error }, 'the generation could not start');
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
