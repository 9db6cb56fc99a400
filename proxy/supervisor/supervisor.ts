/**
 * Tiny and stable: holds the listening socket, starts a generation and the console, and restarts what dies. It knows
 * neither protocol nor configuration; the generation asks it for what it needs.
 */
import type { ChildProcess } from 'node:child_process';
import type {
  DemoServers,
  GenerationReady,
  GenerationStart,
  ToGeneration,
  ToSupervisor,
} from '../coordinator/supervisor-link.ts';
import { errorText } from '../errors/odp-error.ts';
import { type BoundSocket, bindSocket } from '../net/listener.ts';
import type { StartOptions } from '../options.ts';
import { endChild, startChild } from './child.ts';
import { consoleReady, spawnConsole } from './console-process.ts';
import { type DemoKind, demoReady, spawnDemo } from './demo-process.ts';

/** A part that dies at once must not be restarted in a loop that eats the machine. */
const RESTART_PAUSE_MS = 1000;

/** What is known once both doors answer. */
export interface Running {
  readonly ready: GenerationReady;
  /** The console's address for browsers; null without a console. */
  readonly consoleUrl: string | null;
}

/** Starts the parts of the product, each in a process of its own, and keeps them running until `stop`. */
export class Supervisor {
  readonly #options: StartOptions;
  readonly #print: (line: string) => void;
  /** All that run, also those that are not ready yet: `stop` leaves none behind. */
  readonly #children = new Set<ChildProcess>();
  #socket: BoundSocket | null = null;
  #demo: Promise<DemoServers> | null = null;
  #stopping = false;

  /** @param print takes a line for the person who started the product */
  constructor(options: StartOptions, print: (line: string) => void) {
    this.#options = options;
    this.#print = print;
  }

  /** Resolves when both doors answer. @throws Error with what keeps it from starting */
  async start(): Promise<Running> {
    const ready = await this.#startGeneration(true);
    const { withConsole, consolePort } = this.#options;
    const consoleUrl = withConsole ? await this.#startConsole(ready.controlSocket, consolePort) : null;
    return { ready, consoleUrl };
  }

  /** Ends every part; resolves when all are gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#children].map((child) => endChild(child)));
    this.#socket?.close();
  }

  #keep(child: ChildProcess): ChildProcess {
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** Tells that a part has ended, and starts it again after a pause, as often as it takes. */
  #again(part: string, ended: string, start: () => Promise<void>): void {
    if (this.#stopping) return;
    this.#print(`odp: ${part} ended with ${ended}; it is started again`);
    const attempt = (): void => {
      if (this.#stopping) return;
      start().then(
        () => this.#print(`odp: ${part} runs again`),
        (error: unknown) => {
          if (this.#stopping) return;
          this.#print(`odp: ${errorText(error)}`);
          setTimeout(attempt, RESTART_PAUSE_MS);
        },
      );
    };
    setTimeout(attempt, RESTART_PAUSE_MS);
  }

  // ---- generation ------------------------------------------------------------------------------------------------

  async #startGeneration(first: boolean): Promise<GenerationReady> {
    const child = this.#keep(startChild('../coordinator/main.ts', [], {}, 'inherit', true));
    const { home, parameters, demo, resetAdmin } = this.#options;
    tell(child, {
      type: 'start',
      home,
      // Start options are stored by the first generation; one that replaces it must not undo later changes.
      parameters: first ? parameters : [],
      demo,
      resetAdmin: first && resetAdmin,
    } satisfies GenerationStart);
    const ready = await new Promise<GenerationReady>((resolve, reject) => {
      child.on('message', (message: ToSupervisor) => {
        if (message.type === 'ready') resolve(message);
        else if (message.type === 'failed') reject(new Error(message.message));
        else void this.#serve(child, message);
      });
      child.once('exit', (code, signal) =>
        reject(new Error(`the proxy ended with ${how(code, signal)} while starting`)),
      );
    });
    const restart = async (): Promise<void> => {
      await this.#startGeneration(false);
    };
    child.once('exit', (code, signal) => this.#again('the proxy', how(code, signal), restart));
    return ready;
  }

  /** Answers a generation that asks for the bound port or for the demo cluster. */
  async #serve(child: ChildProcess, message: Exclude<ToSupervisor, { type: 'ready' | 'failed' }>): Promise<void> {
    try {
      if (message.type === 'listen') {
        this.#socket ??= bindSocket(message.host, message.port, message.ipv6Only);
        const { host, port, handle } = this.#socket;
        tell(child, { type: 'listening', host, port }, handle);
        return;
      }
      this.#demo ??= this.#startDemo(message.kind);
      tell(child, { type: 'demo', ...(await this.#demo) });
    } catch (error) {
      const hint = message.type === 'listen' ? ' (-p takes another port)' : '';
      tell(child, { type: 'refused', wanted: message.type, message: `${errorText(error)}${hint}` });
    }
  }

  // ---- demo cluster ----------------------------------------------------------------------------------------------

  async #startDemo(kind: DemoKind): Promise<DemoServers> {
    const child = this.#keep(spawnDemo(kind, this.#options.home));
    const servers = await demoReady(child, kind);
    const restart = async (): Promise<void> => {
      this.#demo = Promise.resolve(await this.#startDemo(kind));
    };
    child.once('exit', (code, signal) => this.#again('the demo cluster', how(code, signal), restart));
    return servers;
  }

  // ---- console ---------------------------------------------------------------------------------------------------

  async #startConsole(controlSocket: string, port: number): Promise<string> {
    const child = this.#keep(spawnConsole({ host: this.#options.consoleHost, port, controlSocket }));
    const url = await consoleReady(child);
    // A port that was chosen freely is kept over a restart: browsers have its address.
    const keptPort = Number(new URL(url).port) || port;
    const restart = async (): Promise<void> => {
      await this.#startConsole(controlSocket, keptPort);
    };
    child.once('exit', (code, signal) => this.#again('the console', how(code, signal), restart));
    return url;
  }
}

/** Sends to a generation; one that has ended meanwhile needs no answer, and its end is seen elsewhere. */
function tell(child: ChildProcess, message: ToGeneration, handle?: unknown): void {
  if (child.connected) child.send(message, handle as never, () => undefined);
}

function how(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ?? `code ${code}`;
}
