/**
 * The last requests of one client session that servers were asked, for people who look into it. A ring whose slots are
 * used again and again: in the steady state a request costs two readings of the clock and a short string.
 */
import type { StatementInfo } from '../sql/statement-info.ts';
import { COM, HEADER_LENGTH } from '../wire/constants.ts';
import type { ClientRequest } from './request.ts';
import { SessionCounters } from './session-counters.ts';

const SLOTS = 10;
/** Beginning of a text that is kept. */
export const TRACE_TEXT_BYTES = 256;
/** One more is copied, so that it shows that the text goes on. */
const COPIED_BYTES = TRACE_TEXT_BYTES + 1;

/** One request; the object is overwritten when its slot is needed again. */
export interface RequestTrace {
  command: number;
  /** What its text does, and the table that decides the route; null: none. All else of a text that comes once is let go. */
  kind: StatementInfo['kind'] | null;
  table: StatementInfo['table'];
  /**
   * Beginning of the text, its bytes in disguise (latin1): a tenth of what a buffer of its own would hold. Longer than
   * TRACE_TEXT_BYTES: it goes on.
   */
  text: string;
  /** Current database when it came. */
  database: string;
  /** Server that it was sent to last; empty: to none yet. */
  address: string;
  /** On the thread's clock, `performance.now()`. */
  beganAtMs: number;
  /** Null: it is running. */
  tookMs: number | null;
  /** Error number of the answer, 0 for success. */
  errno: number;
}

export class RecentRequests {
  /** Of all requests, not only the last ones. */
  readonly counters = new SessionCounters();
  readonly #slots: RequestTrace[] = [];
  #next = 0;
  #running: RequestTrace | null = null;

  /** The one that is being served. */
  get running(): RequestTrace | null {
    return this.#running;
  }

  /** The one that came last; null: none came yet. */
  get latest(): RequestTrace | null {
    return this.#slots[(this.#next + SLOTS - 1) % SLOTS] ?? null;
  }

  /** Newest first. */
  list(): RequestTrace[] {
    return [...this.#slots.slice(this.#next), ...this.#slots.slice(0, this.#next)].reverse();
  }

  begin(request: ClientRequest, database: string): void {
    this.counters.requested(request);
    const slot = this.#slots[this.#next] ?? this.#newSlot();
    this.#next = (this.#next + 1) % SLOTS;
    this.#running = slot;
    slot.command = request.command;
    slot.kind = request.info?.kind ?? null;
    slot.table = request.info?.table ?? null;
    slot.database = database;
    slot.address = '';
    slot.tookMs = null;
    slot.errno = 0;
    slot.text = textOf(request);
    slot.beganAtMs = performance.now();
  }

  sentTo(address: string): void {
    this.counters.serverRequests++;
    if (this.#running !== null) this.#running.address = address;
  }

  end(errno: number): void {
    const slot = this.#running;
    if (slot === null) return;
    this.#running = null;
    this.counters.completedRequests++;
    slot.errno = errno;
    slot.tookMs = performance.now() - slot.beganAtMs;
  }

  #newSlot(): RequestTrace {
    const slot: RequestTrace = {
      command: 0,
      kind: null,
      table: null,
      text: '',
      database: '',
      address: '',
      beganAtMs: 0,
      tookMs: null,
      errno: 0,
    };
    this.#slots.push(slot);
    return slot;
  }
}

/** Of a prepared statement its text, since EXECUTE has none. Only what is read as a text: other commands have secrets. */
function textOf({ command, bytes, statement }: ClientRequest): string {
  if (statement !== null) return statement.text.toString('latin1', 0, COPIED_BYTES);
  const isText = command === COM.QUERY || command === COM.INIT_DB;
  return isText ? bytes.toString('latin1', HEADER_LENGTH + 1, HEADER_LENGTH + 1 + COPIED_BYTES) : '';
}
