/** The generations as processes: carries out what the state machine of upgrades wants, and tells it what happens. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type {
  DemoServers,
  GenerationReady,
  ToGeneration,
  ToSupervisor,
  UpgradeRecord,
} from '../coordinator/supervisor-link.ts';
import { errorText } from '../errors/odp-error.ts';
import type { StartOptions } from '../options.ts';
import { firstStart, initialState, needsTicks, reduce } from '../upgrade/reduce.ts';
import type { Moment, Reduced, Refusal, UpgradeEffect, UpgradeEvent, UpgradeOrder } from '../upgrade/types.ts';
import { type UpgradeView, viewOf } from '../upgrade/view.ts';
import { BoundSockets } from './bound-sockets.ts';
import { checkTree, nodeOf } from './check-tree.ts';
import { endChild, startChild } from './child.ts';
import type { DemoKind } from './demo-process.ts';

const TICK_MS = 100;

export interface GenerationsOptions {
  readonly options: StartOptions;
  /** Tree of the first generation. */
  readonly directory: string;
  readonly print: (line: string) => void;
  /** The stand-in cluster, running. */
  readonly demo: (kind: DemoKind) => Promise<DemoServers>;
  /** A generation serves from another tree than before. */
  readonly onTree: (directory: string) => void;
  /** The whole product is to end. */
  readonly onExit: () => void;
}

interface Process {
  readonly child: ChildProcess;
  /** Null: it has not said yet that it is ready. */
  ready: GenerationReady | null;
  /** Why it could not start, as it has told; empty: it has told nothing. */
  failure: string;
  /** Sockets where it takes the sessions of another one. */
  paths: readonly string[];
}

export class Generations {
  readonly #options: GenerationsOptions;
  readonly #processes = new Map<number, Process>();
  readonly #sockets = new BoundSockets();
  readonly #watchers = new Set<(view: UpgradeView) => void>();
  /** Records that no generation has confirmed yet, in their order. */
  readonly #records = new Map<string, UpgradeRecord>();
  readonly #startedAtMs = Date.now();
  #state = initialState();
  #ticks: NodeJS.Timeout | null = null;
  #first: { resolve(ready: GenerationReady): void; reject(error: Error): void } | null = null;
  #stopping = false;

  constructor(options: GenerationsOptions) {
    this.#options = options;
  }

  /** Resolves when the first generation serves. @throws Error with what keeps it from it */
  start(): Promise<GenerationReady> {
    return new Promise((resolve, reject) => {
      this.#first = { resolve, reject };
      this.#take(firstStart(this.#state, this.#options.directory, now()));
    });
  }

  /** @returns why it cannot be done; null: it is under way */
  order(order: UpgradeOrder): Refusal | null {
    return this.#tell(order);
  }

  view(): UpgradeView {
    return viewOf(this.#state, now());
  }

  /** Tells every change. @returns the function that ends it */
  watch(listener: (view: UpgradeView) => void): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#ticks ?? undefined);
    await Promise.all([...this.#processes.values()].map(({ child }) => endChild(child)));
    this.#sockets.close();
  }

  #tell(event: UpgradeEvent): Refusal | null {
    return this.#take(reduce(this.#state, event, now()));
  }

  #take({ state, effects, refusal }: Reduced): Refusal | null {
    const before = this.#state;
    this.#state = state;
    for (const effect of effects) if (!this.#stopping) this.#do(effect);
    if (state.directory !== before.directory && before.directory !== '') this.#options.onTree(state.directory);
    if (state.phase === 'idle' && before.phase !== 'idle') this.#sockets.keepFor([...this.#processes.keys()]);
    if (needsTicks(this.#state)) this.#ticks ??= setInterval(() => this.#tell({ type: 'tick' }), TICK_MS);
    else {
      clearInterval(this.#ticks ?? undefined);
      this.#ticks = null;
    }
    if (!this.#stopping) this.#publish();
    return refusal;
  }

  #publish(): void {
    const view = this.view();
    for (const id of this.#processes.keys()) this.#send(id, { type: 'upgrade-state', view });
    for (const listener of this.#watchers) listener(view);
  }

  #do(effect: UpgradeEffect): void {
    switch (effect.type) {
      case 'start':
        this.#startProcess(effect);
        break;
      case 'hand-over':
        this.#send(effect.from, { type: 'hand-over', paths: this.#processes.get(effect.to)?.paths ?? [] });
        break;
      case 'stop-hand-over':
        this.#send(effect.from, { type: 'stop-hand-over' });
        break;
      case 'close-rest':
        this.#send(effect.generation, { type: 'close-rest', reason: effect.reason });
        break;
      case 'accept':
      case 'stop-accepting':
        this.#send(effect.generation, { type: effect.type });
        break;
      case 'end':
        this.#end(effect.generation, effect.delayMs);
        break;
      case 'kill':
        this.#processes.get(effect.generation)?.child.kill('SIGKILL');
        break;
      case 'record': {
        const { run, step, reason } = effect;
        const record = { key: `upgrade-${this.#startedAtMs}-${run}-${step.number}`, run, step, reason };
        this.#records.set(record.key, record);
        if (this.#state.active !== null) this.#send(this.#state.active, { type: 'record', record });
        break;
      }
      case 'say':
        this.#options.print(`odp: ${effect.text}`);
        break;
    }
  }

  #end(id: number, delayMs: number): void {
    const child = this.#processes.get(id)?.child;
    if (child !== undefined) setTimeout(() => void endChild(child), delayMs);
  }

  #startProcess({ generation, directory, trial, md5 }: Extract<UpgradeEffect, { type: 'start' }>): void {
    const { home, parameters, demo, resetAdmin } = this.#options.options;
    const isFirst = generation === 1;
    const isOther = directory !== this.#options.directory;
    const unusable = trial ? checkTree(directory, md5) : null;
    if (unusable !== null) {
      // In the next turn: an effect must not bring about an event while others of its kind wait.
      setImmediate(() => this.#tell({ type: 'unusable', generation, ...unusable }));
      return;
    }
    let child: ChildProcess;
    try {
      child = startChild(join(directory, 'proxy/coordinator/main.ts'), {
        tree: directory,
        isFrugal: true,
        ...(isOther ? { node: nodeOf(directory) } : {}),
      });
    } catch (error) {
      // The tree's Node is none for this machine: as if it had ended at once.
      setImmediate(() => this.#tell({ type: 'ended', generation, how: errorText(error) }));
      return;
    }
    this.#processes.set(generation, { child, ready: null, failure: '', paths: [] });
    child.on('message', (message: ToSupervisor) => void this.#onMessage(generation, message));
    child.on('error', (error) => {
      this.#options.print(`odp: generation ${generation}: ${error.message}`);
      // A process that could not be started does not exit.
      if (child.pid === undefined) this.#onExit(generation, error.message);
    });
    child.once('exit', (code, signal) => this.#onExit(generation, signal ?? `code ${code}`));
    this.#send(generation, {
      type: 'start',
      home,
      // Start options are stored by the first generation; one that replaces it must not undo later changes.
      parameters: isFirst ? parameters : [],
      demo,
      resetAdmin: isFirst && resetAdmin,
      generation,
      trial,
    });
    this.#tell({ type: 'started', generation, pid: child.pid ?? 0 });
  }

  #onExit(generation: number, status: string): void {
    const failure = this.#processes.get(generation)?.failure ?? '';
    const how = failure === '' ? status : `${status}: ${failure}`;
    this.#processes.delete(generation);
    if (this.#first !== null) {
      this.#first.reject(new Error(`the proxy ended with ${how} while starting`));
      return;
    }
    if (this.#stopping) return;
    this.#tell({ type: 'ended', generation, how });
  }

  async #onMessage(generation: number, message: ToSupervisor): Promise<void> {
    const process = this.#processes.get(generation);
    if (process === undefined) return;
    switch (message.type) {
      case 'listen':
      case 'demo-wanted':
        await this.#serve(generation, message);
        break;
      case 'ready':
        process.ready = message;
        this.#tell({ type: 'ready', generation });
        this.#first?.resolve(message);
        this.#first = null;
        this.#resendRecords();
        break;
      case 'failed':
        process.failure = message.message;
        if (this.#first === null) this.#options.print(`odp: ${message.message}`);
        else this.#first.reject(new Error(message.message));
        break;
      case 'accepting':
        process.paths = message.paths;
        this.#tell({ type: 'accepting', generation });
        this.#resendRecords();
        break;
      case 'stopped':
        this.#tell({ type: 'stopped', generation });
        break;
      case 'report':
        this.#tell({ type: 'report', generation, report: message.report });
        break;
      case 'order':
        this.#send(generation, { type: 'order-answer', id: message.id, refusal: this.#tell(message.order) });
        break;
      case 'recorded':
        this.#records.delete(message.key);
        break;
      case 'peer':
        this.#send(message.to, { type: 'peer', from: generation, message: message.message });
        break;
      case 'exit':
        this.#options.onExit();
        break;
    }
  }

  /** What was not confirmed by the generation before may not have been written. */
  #resendRecords(): void {
    const { active } = this.#state;
    if (active === null) return;
    for (const record of this.#records.values()) this.#send(active, { type: 'record', record });
  }

  /** Answers a generation that asks for the bound port or for the demo cluster. */
  async #serve(id: number, message: Extract<ToSupervisor, { type: 'listen' | 'demo-wanted' }>): Promise<void> {
    try {
      if (message.type === 'listen') {
        const { host, port, handle } = this.#sockets.get(id, message);
        this.#send(id, { type: 'listening', host, port }, handle);
        return;
      }
      this.#send(id, { type: 'demo', ...(await this.#options.demo(message.kind)) });
    } catch (error) {
      const hint = message.type === 'listen' ? ' (-p takes another port)' : '';
      this.#send(id, { type: 'refused', wanted: message.type, message: `${errorText(error)}${hint}` });
    }
  }

  /** One that has ended meanwhile needs nothing, and its end is told by itself. */
  #send(id: number, message: ToGeneration, handle?: unknown): void {
    const child = this.#processes.get(id)?.child;
    if (child?.connected) child.send(message, handle as never, () => undefined);
  }
}

const now = (): Moment => ({ nowMs: performance.now(), wallMs: Date.now() });
