import type { ClientSession } from './client-session.ts';

/** Bits of a connection id that count sessions inside one worker; the worker's number stands above them. */
const SEQUENCE_BITS = 21;
const SEQUENCE_MASK = (1 << SEQUENCE_BITS) - 1;

/** The client sessions of one worker, and their connection ids (`cs_id`): small numbers on worker 0, as in the reference. */
export class SessionRegistry {
  readonly #sessions = new Map<number, ClientSession>();
  readonly #workerIndex: number;
  #sequence = 0;

  constructor(workerIndex: number) {
    this.#workerIndex = workerIndex;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Which worker an id belongs to. */
  static workerOf(id: number): number {
    return id >>> SEQUENCE_BITS;
  }

  /** The next id that is not in use. */
  nextId(): number {
    for (;;) {
      this.#sequence = this.#sequence >= SEQUENCE_MASK ? 1 : this.#sequence + 1;
      const id = ((this.#workerIndex << SEQUENCE_BITS) | this.#sequence) >>> 0;
      if (!this.#sessions.has(id)) return id;
    }
  }

  add(session: ClientSession): void {
    this.#sessions.set(session.id, session);
  }

  delete(session: ClientSession): void {
    this.#sessions.delete(session.id);
  }

  find(id: number): ClientSession | undefined {
    return this.#sessions.get(id);
  }

  [Symbol.iterator](): IterableIterator<ClientSession> {
    return this.#sessions.values();
  }
}
