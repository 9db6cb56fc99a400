import { OdpError } from '../errors/odp-error.ts';
import type { ClientSession } from './client-session.ts';
import { type IdPlace, idRange } from './session-ids.ts';

/** The client sessions of one worker, and their connection ids. */
export class SessionRegistry {
  /** Requests of all sessions that the proxy answered with an error because it could not serve them. */
  failedRequests = 0;
  readonly #sessions = new Map<number, ClientSession>();
  readonly #place: () => IdPlace;
  /** Ids of sessions that are elsewhere: none of them is given out, for as long as this worker lives. */
  readonly #reserved = new Set<number>();
  #sequence = 0;

  /** @param place asked for every id: parameters may change */
  constructor(place: () => IdPlace) {
    this.#place = place;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** The next id that is not in use. @throws OdpError TOO_MANY_SESSIONS when all are */
  nextId(): number {
    const { base, sequenceMask } = idRange(this.#place());
    for (let tries = 0; tries < sequenceMask; tries++) {
      this.#sequence = this.#sequence >= sequenceMask ? 1 : this.#sequence + 1;
      const id = base + this.#sequence;
      if (!this.#sessions.has(id) && !this.#reserved.has(id)) return id;
    }
    throw new OdpError('TOO_MANY_SESSIONS', { limit: sequenceMask });
  }

  add(session: ClientSession): void {
    this.#sessions.set(session.id, session);
  }

  delete(session: ClientSession): void {
    this.#sessions.delete(session.id);
  }

  /** Ids that are in use somewhere else: at another generation, or at another worker that has them from one. */
  reserve(ids: Iterable<number>): void {
    for (const id of ids) this.#reserved.add(id);
  }

  find(id: number): ClientSession | undefined {
    return this.#sessions.get(id);
  }

  [Symbol.iterator](): IterableIterator<ClientSession> {
    return this.#sessions.values();
  }
}
