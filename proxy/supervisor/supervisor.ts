/**
 * Tiny and stable: holds the listening socket, starts a generation and the console, and restarts what dies. It knows
 * neither protocol nor configuration; the generation asks it for what it needs.
 */
import type { ChildProcess } from 'node:child_process';
import type { GenerationReady, GenerationStart, ToGeneration, ToSupervisor } from '../coordinator/supervisor-link.ts';
import { type BoundSocket, bindSocket } from '../net/listener.ts';
import type { StartOptions } from '../options.ts';
import { endChild, startChild } from './child.ts';
import { startConsole } from './console-process.ts';
import { type DemoProcess, startDemo } from './demo-process.ts';

/** A part that dies at once must not be restarted in a loop that eats the machine. */
const RESTART_PAUSE_MS = 1000;

export interface Running {
  readonly ready: GenerationReady;
  readonly consoleUrl: string | null;
}

export class Supervisor {
  readonly #options: StartOptions;
  readonly #print: (line: string) => void;
  #socket: BoundSocket | null = null;
  #demo: DemoProcess | null = null;
  #generation: ChildProcess | null = null;
  #console: ChildProcess | null = null;
  #stopping = false;

  constructor(options: StartOptions, print: (line: string) => void) {
    this.#options = options;
    this.#print = print;
  }

  /** Resolves when both doors answer. @throws Error with what keeps it from starting */
  async start(): Promise<Running> {
    const ready = await this.#startGeneration(true);
    const consoleUrl = this.#options.withConsole ? await this.#startConsole(ready.controlSocket, null) : null;
    return { ready, consoleUrl };
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const children = [this.#console, this.#generation, this.#demo?.child ?? null];
    await Promise.all(children.map((child) => (child === null ? undefined : endChild(child))));
    this.#socket?.close();
  }

  // ---- generation ------------------------------------------------------------------------------------------------

  #startGeneration(first: boolean): Promise<GenerationReady> {
    const child = startChild('../coordinator/main.ts');
    this.#generation = child;
    const { home, parameters, demo, resetAdmin } = this.#options;
    const start: GenerationStart = {
      type: 'start',
      home,
      // Start options are stored by the first generation; one that replaces it must not undo later changes.
      parameters: first ? parameters : [],
      demo,
      resetAdmin: first && resetAdmin,
    };
    child.send(start);
    return new Promise((resolve, reject) => {
      let isReady = false;
      child.on('message', (message: ToSupervisor) => {
        if (message.type === 'ready') {
          isReady = true;
          resolve(message);
        } else if (message.type === 'failed') reject(new Error(message.message));
        else void this.#serve(child, message);
      });
      child.once('exit', (code, signal) => {
        if (this.#stopping) return;
        if (!isReady && first)
          return reject(new Error(`the proxy ended with ${signal ?? `code ${code}`} while starting`));
        this.#print(`odp: the proxy ended with ${signal ?? `code ${code}`}; it is started again`);
        setTimeout(() => this.#restartGeneration(), RESTART_PAUSE_MS);
      });
    });
  }

  #restartGeneration(): void {
    if (this.#stopping) return;
    this.#startGeneration(false).then(
      () => this.#print('odp: the proxy runs again'),
      (error: Error) => this.#print(`odp: ${error.message}`),
    );
  }

  async #serve(child: ChildProcess, message: Exclude<ToSupervisor, { type: 'ready' | 'failed' }>): Promise<void> {
    try {
      if (message.type === 'listen') {
        this.#socket ??= bindSocket(message.host, message.port);
        const { host, port, handle } = this.#socket;
        const reply: ToGeneration = { type: 'listening', host, port };
        child.send(reply, handle as never);
        return;
      }
      this.#demo ??= await this.#runDemo(message.kind);
      const { clusterName, demoUser, servers } = this.#demo;
      child.send({ type: 'demo', clusterName, demoUser, servers } satisfies ToGeneration);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      child.send({ type: 'refused', wanted: message.type, message: text } satisfies ToGeneration);
    }
  }

  // ---- demo cluster ----------------------------------------------------------------------------------------------

  async #runDemo(kind: 'embedded' | 'kernel'): Promise<DemoProcess> {
    const demo = await startDemo(kind, this.#options.home);
    demo.child.once('exit', (code, signal) => {
      if (this.#stopping) return;
      this.#demo = null;
      this.#print(`odp: the demo cluster ended with ${signal ?? `code ${code}`}; it is started again`);
      setTimeout(() => this.#restartDemo(kind), RESTART_PAUSE_MS);
    });
    return demo;
  }

  #restartDemo(kind: 'embedded' | 'kernel'): void {
    if (this.#stopping || this.#demo !== null) return;
    this.#runDemo(kind).then(
      (demo) => {
        this.#demo = demo;
      },
      (error: Error) => this.#print(`odp: ${error.message}`),
    );
  }

  // ---- console ---------------------------------------------------------------------------------------------------

  async #startConsole(controlSocket: string, port: number | null): Promise<string> {
    const { consoleHost, consolePort } = this.#options;
    const { child, url } = await startConsole({ host: consoleHost, port: port ?? consolePort, controlSocket });
    this.#console = child;
    // A port that was chosen freely is kept over a restart: browsers have its address.
    const keptPort = Number(new URL(url).port) || consolePort;
    child.once('exit', (code, signal) => {
      if (this.#stopping) return;
      this.#print(`odp: the console ended with ${signal ?? `code ${code}`}; it is started again`);
      setTimeout(() => this.#restartConsole(controlSocket, keptPort), RESTART_PAUSE_MS);
    });
    return url;
  }

  #restartConsole(controlSocket: string, port: number): void {
    if (this.#stopping) return;
    this.#startConsole(controlSocket, port).catch((error: Error) => {
      this.#print(`odp: ${error.message}`);
      setTimeout(() => this.#restartConsole(controlSocket, port), RESTART_PAUSE_MS);
    });
  }
}
