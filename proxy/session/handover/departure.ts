/** One channel over which client sessions leave, one at a time; see hand-over-states.ts. */
import type { ChannelHandler, HandleChannel } from '../../net/handle-channel.ts';
import type { ClientSession } from '../client-session.ts';
import type { ServerSession } from '../server-session.ts';
import { noteMove } from '../session-states.ts';
import { type DepartureState, departureStates } from './hand-over-states.ts';
import { saveSession } from './save-session.ts';
import { encodeState } from './session-state.ts';

/** A client waits so long at most; the other side may be busy. */
const ANSWER_TIMEOUT_MS = 2000;

/** Told what became of a session that was offered. */
export interface DepartureOwner {
  moved(session: ClientSession): void;
  /** It is about to go on here. @param forGood the other side does not want it, in words; null: another try may do */
  stays(session: ClientSession, forGood: string | null): void;
  /** The next one may be offered. */
  departureFree(): void;
  departureBroken(departure: Departure, reason: string): void;
}

interface Offered {
  readonly session: ClientSession;
  readonly servers: readonly ServerSession[];
  readonly atMs: number;
}

export class Departure implements ChannelHandler {
  readonly path: string;
  readonly #owner: DepartureOwner;
  #channel: HandleChannel | null = null;
  #state: DepartureState = departureStates.first;
  #offered: Offered | null = null;
  #movedCount = 0;

  /** @param path where the other side listens */
  constructor(path: string, owner: DepartureOwner) {
    this.path = path;
    this.#owner = owner;
  }

  /** The channel stands. */
  set channel(channel: HandleChannel) {
    this.#channel = channel;
  }

  get #phase(): DepartureState {
    return this.#state;
  }

  set #phase(next: DepartureState) {
    noteMove(departureStates, this.#state, next);
    this.#state = next;
  }

  get isFree(): boolean {
    return this.#channel !== null && this.#phase === 'idle';
  }

  /** No session depends on the other side's next word. */
  get isIdle(): boolean {
    return this.#offered === null;
  }

  get movedCount(): number {
    return this.#movedCount;
  }

  /** Offers a session for which there is no reason to stay. @returns whether it is on its way */
  offer(session: ClientSession, nowMs: number): boolean {
    const channel = this.#channel;
    if (channel === null || this.#phase !== 'idle') return false;
    const servers = session.servers.all().filter((server) => server.lend() !== null);
    const handle = session.freeze();
    if (handle === null) return false;
    try {
      channel.send(`offer ${servers.length} ${encodeState(saveSession(session, servers))}`, handle);
    } catch (error) {
      session.context.log.error({ session: session.id, err: error }, 'the state of a session cannot be written');
      this.#owner.stays(session, 'its state cannot be written');
      session.settle();
      return false;
    }
    for (const server of servers) channel.send('server', server.lend());
    this.#offered = { session, servers, atMs: nowMs };
    this.#phase = 'offered';
    return true;
  }

  /** To be called now and then. */
  tick(nowMs: number): void {
    if (this.#offered !== null && nowMs - this.#offered.atMs >= ANSWER_TIMEOUT_MS) this.withdraw();
  }

  /** The session that is on offer goes on here, unless it is given already. */
  withdraw(): void {
    if (this.#phase !== 'offered') return;
    this.#phase = 'withdrawn';
    this.#stay(null);
  }

  /** Only when it `isIdle`. */
  close(): void {
    this.#phase = 'broken';
    this.#channel?.close();
  }

  onMessage(text: string): void {
    if (text === 'taken') return this.#taken();
    if (text === 'started') return this.#started();
    if (!text.startsWith('refused ') || (this.#phase !== 'offered' && this.#phase !== 'withdrawn'))
      return this.#fault(text);
    this.#phase = 'idle';
    this.#stay(text.slice('refused '.length));
    this.#owner.departureFree();
  }

  onChannelClosed(reason: string): void {
    this.#phase = 'broken';
    this.#stay(null);
    this.#owner.departureBroken(this, reason);
  }

  #taken(): void {
    if (this.#phase !== 'offered' && this.#phase !== 'withdrawn') return this.#fault('taken');
    const offered = this.#offered;
    const isWhole = offered !== null && !offered.session.closed && offered.servers.every(({ closed }) => !closed);
    if (isWhole) {
      this.#phase = 'given';
      offered.session.giveAway();
      this.#channel?.send('go');
      return;
    }
    this.#phase = 'idle';
    this.#channel?.send('keep');
    this.#stay(null);
    this.#owner.departureFree();
  }

  #started(): void {
    const offered = this.#offered;
    if (this.#phase !== 'given' || offered === null) return this.#fault('started');
    this.#phase = 'idle';
    this.#offered = null;
    this.#movedCount++;
    offered.session.forget();
    this.#owner.moved(offered.session);
    this.#owner.departureFree();
  }

  #stay(forGood: string | null): void {
    const session = this.#offered?.session;
    this.#offered = null;
    if (session === undefined || session.closed) return;
    this.#owner.stays(session, forGood);
    session.settle();
  }

  /** The other side does not keep to the protocol: what it has not started is not its. */
  #fault(text: string): void {
    this.#channel?.close();
    this.onChannelClosed(`'${text.slice(0, 40)}' out of turn`);
  }
}
