/** One channel over which client sessions arrive, one at a time; see hand-over-states.ts. */
import { errorText } from '../../errors/odp-error.ts';
import { type ChannelHandler, HandleChannel } from '../../net/handle-channel.ts';
import type { TcpHandle } from '../../net/raw-handles.ts';
import type { ClientSession } from '../client-session.ts';
import type { SessionCluster, SessionContext } from '../session-context.ts';
import { noteMove } from '../session-states.ts';
import { type ArrivalState, arrivalStates } from './hand-over-states.ts';
import { restoreSession } from './restore-session.ts';
import { decodeState, type SessionState } from './session-state.ts';

export interface ArrivalOwner {
  readonly context: SessionContext;
  /** A session of another generation is this one's from now on. */
  received(session: ClientSession): void;
  arrivalClosed(arrival: Arrival): void;
}

interface Offer {
  readonly stateText: string;
  readonly client: TcpHandle;
  readonly servers: TcpHandle[];
  readonly serverCount: number;
}

const OFFER = /^offer (\d+) /;

export class Arrival implements ChannelHandler {
  readonly #owner: ArrivalOwner;
  readonly #channel: HandleChannel;
  #state: ArrivalState = arrivalStates.first;
  #offer: Offer | null = null;
  #session: ClientSession | null = null;

  /** @param fd of an accepted channel; it is this object's */
  constructor(fd: number, owner: ArrivalOwner) {
    this.#owner = owner;
    this.#channel = HandleChannel.open(fd, this);
  }

  get #phase(): ArrivalState {
    return this.#state;
  }

  set #phase(next: ArrivalState) {
    noteMove(arrivalStates, this.#state, next);
    this.#state = next;
  }

  onMessage(text: string, handle: TcpHandle | null): void {
    const head = OFFER.exec(text);
    if (head !== null && handle !== null && this.#phase === 'idle') {
      const stateText = text.slice(head[0].length);
      this.#offer = { stateText, client: handle, servers: [], serverCount: Number(head[1]) };
      this.#phase = 'collecting';
      return this.#collected(this.#offer);
    }
    if (text === 'server' && handle !== null && this.#phase === 'collecting' && this.#offer !== null) {
      this.#offer.servers.push(handle);
      return this.#collected(this.#offer);
    }
    const session = this.#session;
    if (handle === null && session !== null && text === 'go') return this.#start(session);
    if (handle === null && session !== null && text === 'keep') {
      this.#phase = 'idle';
      this.#session = null;
      return session.forget();
    }
    handle?.close();
    this.#channel.close();
    this.onChannelClosed(`'${text.slice(0, 40)}' out of turn`);
  }

  onChannelClosed(reason: string): void {
    this.#phase = 'broken';
    const session = this.#session;
    this.#session = null;
    session?.forget();
    this.#closeOffer();
    if (reason !== 'EOF')
      this.#owner.context.log.warn({ reason }, 'sessions can no longer be taken over from a worker');
    this.#owner.arrivalClosed(this);
  }

  #collected(offer: Offer): void {
    if (offer.servers.length < offer.serverCount) return;
    this.#phase = 'checking';
    this.#check(offer).catch((error: unknown) => {
      if (this.#phase !== 'checking') return;
      this.#phase = 'idle';
      this.#closeOffer();
      const reason = errorText(error);
      this.#owner.context.log.warn({ reason }, 'a session of another generation is left where it is');
      this.#channel.send(`refused ${reason.replaceAll('\n', ' ')}`);
    });
  }

  /** Rejects with the reason for which the session is not taken. */
  async #check(offer: Offer): Promise<void> {
    const { context } = this.#owner;
    const state = decodeState(offer.stateText);
    if (state.servers.length !== offer.serverCount || (offer.serverCount > 0 && state.credentials === null)) {
      throw new Error('the state does not fit the connections that came with it');
    }
    const cluster = await clusterOf(context, state);
    if (this.#phase !== 'checking') return;
    this.#session = restoreSession(context, state, cluster, offer);
    this.#offer = null;
    this.#phase = 'taken';
    this.#channel.send('taken');
  }

  #start(session: ClientSession): void {
    this.#phase = 'idle';
    this.#session = null;
    // First the word by which the other side gives it up: it must be on its way before the client is read.
    this.#channel.send('started');
    this.#owner.received(session);
    session.settle();
  }

  #closeOffer(): void {
    const offer = this.#offer;
    this.#offer = null;
    for (const handle of offer === null ? [] : [offer.client, ...offer.servers]) handle.close();
  }
}

/** @throws OdpError CLUSTER_NOT_EXIST, or why it cannot be served */
function clusterOf(
  context: SessionContext,
  { cluster }: SessionState,
): SessionCluster | Promise<SessionCluster> | null {
  if (cluster === null) return null;
  const [name = '', id = ''] = cluster.split(':');
  return context.findCluster(name, id);
}
