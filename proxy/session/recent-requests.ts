/**
 * The last requests of one client session that servers were asked, for people who look into it. A ring whose slots are
 * used again and again: in the steady state a request costs two readings of the clock and a copy of its first bytes.
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
const STEP_BYTES = 64;
const NO_TEXT = Buffer.alloc(0);

/** One request; the object and its buffer are overwritten when its slot is needed again. */
export interface RequestTrace {
  command: number;
  info: StatementInfo | null;
  /** Beginning of the text in its first `textLength` bytes; longer than TRACE_TEXT_BYTES: it goes on. */
  text: Buffer;
  textLength: number;
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
    slot.info = request.info;
    slot.database = database;
    slot.address = '';
    slot.tookMs = null;
    slot.errno = 0;
    takeText(slot, request);
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
      info: null,
      text: NO_TEXT,
      textLength: 0,
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
function takeText(slot: RequestTrace, { command, bytes, statement }: ClientRequest): void {
  const source = statement === null ? bytes : statement.text;
  const from = statement === null ? HEADER_LENGTH + 1 : 0;
  const isText = statement !== null || command === COM.QUERY || command === COM.INIT_DB;
  const length = isText ? Math.min(COPIED_BYTES, Math.max(0, source.length - from)) : 0;
  if (slot.text.length < length) {
    slot.text = Buffer.allocUnsafeSlow(Math.min(COPIED_BYTES, Math.ceil(length / STEP_BYTES) * STEP_BYTES));
  }
  if (length > 0) source.copy(slot.text, 0, from, from + length);
  slot.textLength = length;
}
