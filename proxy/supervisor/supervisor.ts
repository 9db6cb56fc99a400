/**
 * Tiny and stable: holds the listening socket, starts generations and the console, and restarts what dies. It knows
 * neither protocol nor configuration; the generations ask it for what they need.
 */
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DemoServers, GenerationReady } from '../coordinator/supervisor-link.ts';
import { errorText } from '../errors/odp-error.ts';
import type { StartOptions } from '../options.ts';
import { endChild } from './child.ts';
import { consoleReady, spawnConsole } from './console-process.ts';
import { type DemoKind, demoReady, spawnDemo } from './demo-process.ts';
import { Generations } from './generations.ts';
import { OrderSocket } from './order-socket.ts';

/** A part that dies at once must not be restarted in a loop that eats the machine. */
const RESTART_PAUSE_MS = 1000;

/** The tree that this process runs from. */
const ownTree = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

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
  /** All that run beside the generations, also those that are not ready yet: `stop` leaves none behind. */
  readonly #children = new Set<ChildProcess>();
  readonly #generations: Generations;
  readonly #orders: OrderSocket;
  #demo: Promise<DemoServers> | null = null;
  #console: ChildProcess | null = null;
  #consoleTree = ownTree;
  #stopping = false;

  /**
   * @param print takes a line for the person who started the product
   * @param onExit called when a client has ordered the whole product to end
   */
  constructor(options: StartOptions, print: (line: string) => void, onExit: () => void) {
    this.#options = options;
    this.#print = print;
    this.#generations = new Generations({
      options,
      directory: ownTree,
      print,
      demo: (kind) => {
        this.#demo ??= this.#startDemo(kind);
        return this.#demo;
      },
      onTree: (directory) => this.#consoleFollows(directory),
      onExit,
    });
    this.#orders = new OrderSocket(this.#generations);
  }

  /** Resolves when both doors answer. @throws Error with what keeps it from starting */
  async start(): Promise<Running> {
    await this.#orders.listen(this.#options.home);
    const ready = await this.#generations.start();
    const { withConsole, consolePort } = this.#options;
    const consoleUrl = withConsole ? await this.#startConsole(ready.controlSocket, consolePort) : null;
    return { ready, consoleUrl };
  }

  /** Ends every part; resolves when all are gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const parts = [...this.#children].map((child) => endChild(child));
    await Promise.all([...parts, this.#generations.stop(), this.#orders.close()]);
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
    const child = this.#keep(
      spawnConsole({ tree: this.#consoleTree, host: this.#options.consoleHost, port, controlSocket }),
    );
    this.#console = child;
    const url = await consoleReady(child);
    // A port that was chosen freely is kept over a restart: browsers have its address.
    const keptPort = Number(new URL(url).port) || port;
    const restart = async (): Promise<void> => {
      await this.#startConsole(controlSocket, keptPort);
    };
    child.once('exit', (code, signal) => this.#again('the console', how(code, signal), restart));
    return url;
  }

  /** A console of another version speaks to the control API by its own contract: it is started anew from the same tree. */
  #consoleFollows(directory: string): void {
    this.#consoleTree = directory;
    if (this.#console !== null) void endChild(this.#console);
  }
}

function how(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ?? `code ${code}`;
}
