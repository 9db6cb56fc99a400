/** Two generations of a worker in the test's own process, with a channel between them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HandleChannel, listenForChannels } from '../../net/handle-channel.ts';
import type { TcpHandle } from '../../net/raw-handles.ts';
import type { ClientSession } from '../client-session.ts';
import { Arrival } from '../handover/arrival.ts';
import { HandOver } from '../handover/hand-over.ts';
import type { SessionTls } from '../session-context.ts';
import { type SessionProxy, startSessionProxy } from './session-proxy.ts';

/** One message on its way, with the connection that goes along. */
interface Message {
  readonly text: string;
  readonly handle: TcpHandle | null;
}

export interface Generation {
  readonly proxy: SessionProxy;
  readonly handOver: HandOver;
  /** Where it takes sessions. */
  readonly path: string;
  /** Sessions that it has got. */
  readonly received: ClientSession[];
  /** The only session there is. */
  session(): ClientSession;
}

export interface TwoGenerations {
  readonly old: Generation;
  readonly next: Generation;
  close(): void;
}

export function startTwoGenerations(
  servers: readonly { readonly address: string }[],
  parameters: Readonly<Record<string, string>> = {},
  tls?: SessionTls,
): TwoGenerations {
  const folder = mkdtempSync(join(tmpdir(), 'generations-'));
  const cleanUps: (() => void)[] = [];
  const generation = (name: string, upgradeBit: 0 | 1): Generation => {
    const proxy = startSessionProxy(servers, parameters, tls, upgradeBit);
    const received: ClientSession[] = [];
    const { context } = proxy;
    const owner = {
      context,
      received: (session: ClientSession) => received.push(session),
      arrivalClosed: () => undefined,
    };
    const path = join(folder, name);
    const listener = listenForChannels(path, (fd) => new Arrival(fd, owner));
    cleanUps.push(() => listener.close(), proxy.close);
    return {
      proxy,
      handOver: new HandOver(context, () => context.deadlines.nowMs),
      path,
      received,
      session: () => {
        const [session] = context.registry;
        if (session === undefined) throw new Error('there is no session');
        return session;
      },
    };
  };
  return {
    old: generation('old', 0),
    next: generation('next', 1),
    close: () => {
      for (const cleanUp of cleanUps) cleanUp();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Stands between the two sides and passes on what they say, as long as the test lets it. */
export class Relay {
  readonly path: string;
  /** What was said, first words, by whoever. */
  readonly said: string[] = [];
  /** What becomes of a message: passed on, perhaps changed, or kept back for `release`, or the channel is cut. */
  onMessage: (text: string) => string | 'hold' | 'cut' = (text) => text;
  readonly #listener: { close(): void };
  readonly #ends = new Set<HandleChannel>();
  #release: (() => void) | null = null;

  constructor(to: Generation) {
    this.path = `${to.path}-relay`;
    this.#listener = listenForChannels(this.path, (fd) => void this.#join(fd, to.path));
  }

  /** Passes on what was kept back. */
  release(): void {
    this.#release?.();
    this.#release = null;
  }

  get holds(): boolean {
    return this.#release !== null;
  }

  close(): void {
    this.#listener.close();
    this.#cut();
  }

  async #join(fd: number, path: string): Promise<void> {
    const early: Message[] = [];
    let far: HandleChannel | null = null;
    const near = HandleChannel.open(fd, {
      onMessage: (text, handle) => {
        if (far === null) early.push({ text, handle });
        else this.#pass({ text, handle }, far);
      },
      onChannelClosed: () => this.#cut(),
    });
    this.#ends.add(near);
    far = await HandleChannel.connect(path, {
      onMessage: (text, handle) => this.#pass({ text, handle }, near),
      onChannelClosed: () => this.#cut(),
    });
    this.#ends.add(far);
    for (const message of early) this.#pass(message, far);
  }

  #pass({ text, handle }: Message, to: HandleChannel): void {
    this.said.push(text.split(' ')[0] ?? '');
    const passed = this.onMessage(text);
    if (passed === 'cut') {
      handle?.close();
      return this.#cut();
    }
    if (passed === 'hold') {
      this.#release = () => to.send(text, handle);
      return;
    }
    // This end's own of the connection must not keep it alive.
    to.send(passed, handle, () => handle?.close());
  }

  #cut(): void {
    for (const end of this.#ends) end.close();
    this.#ends.clear();
  }
}
