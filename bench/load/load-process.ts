import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Destination } from '../targets.ts';
import type { LoadAnswer, LoadOrder, LoadResult } from './messages.ts';
import type { RequestName } from './requests.ts';

/** Clients and server of a load; the proxy stands between. */
export class LoadProcess implements Destination {
  readonly port: number;
  readonly user = 'sb@sys';
  readonly clusterName = 'bench';
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** @param servers how many servers of a cluster it poses as */
  static async start(servers = 1): Promise<LoadProcess> {
    const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), [String(servers)]);
    const answer = (await once(child, 'message'))[0] as LoadAnswer;
    if (answer.type !== 'started') throw new Error('the load did not tell its port');
    return new LoadProcess(child, answer.port);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Logs clients in at a proxy, instead of those that were. */
  async connect(proxy: { readonly port: number; readonly user: string }, connections: number): Promise<void> {
    const { port, user } = proxy;
    await this.#order({ type: 'connect', port, user, connections });
  }

  /** Lets all clients ask for so long. */
  async run(request: RequestName, ms: number): Promise<LoadResult> {
    const answer = await this.#order({ type: 'run', request, ms });
    if (answer.type !== 'ran') throw new Error(`the load answered with ${answer.type}`);
    return answer;
  }

  /** The server ends all its connections. */
  async drop(): Promise<void> {
    await this.#order({ type: 'drop' });
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }

  async #order(order: LoadOrder): Promise<LoadAnswer> {
    const answered = once(this.#child, 'message');
    this.#child.send(order);
    const answer = (await answered)[0] as LoadAnswer;
    if (answer.type === 'failed') throw new Error(`the load broke off: ${answer.reason}`);
    return answer;
  }
}
