import { errorText } from '../../errors/odp-error.ts';
import type { LoadConnection, LoadTarget } from './load-connection.ts';
import { type LoadKind, LoadNumbers, type LoadReport, type Noted } from './load-numbers.ts';

export interface LoadOrder extends LoadTarget {
  /** It ends by itself after so long. */
  readonly forMs: number;
}

/** The sample load as the fault door tells it. */
export interface SampleLoadReport extends LoadReport {
  readonly running: boolean;
  readonly startedAt: string;
  /** When it ends by itself, or ended. */
  readonly endsAt: string;
  /** Statements that are waited for. */
  readonly waiting: number;
}

/** A turn every so often: of two turns come three statements, so that there are 20 in a second. */
const EVERY_MS = 75;
/** As many as a small application's pool; when all of them wait for an answer nothing more is sent. */
const CONNECTIONS = 16;
/** Rows of its own table. */
const ROWS = 60;
const ORDERS = 400;

const TABLE = `CREATE TABLE IF NOT EXISTS lab_writes (id INT PRIMARY KEY, host VARCHAR(64) NOT NULL, turn BIGINT NOT NULL)
  PARTITION BY HASH(id) PARTITIONS 6`;

const write = (row: number, turn: number): string =>
  `REPLACE INTO lab_writes (id, host, turn) VALUES (${row}, @@hostname, ${turn})`;
const readBack = (row: number): string => `SELECT host, @@hostname AS here FROM lab_writes WHERE id = ${row}`;
const weakRead = (order: number): string =>
  `SELECT /*+ READ_CONSISTENCY(WEAK) */ status, @@hostname AS host FROM orders WHERE id = ${order}`;

/** One place of the pool. */
interface Line {
  connection: LoadConnection | null;
  isBusy: boolean;
}

/**
 * A small application: writes rows, reads them back, and reads orders from any replica, each answer telling the server
 * that it came from. It knows of no proxy and no fault, and tries nothing again.
 */
export class SampleLoad {
  readonly #open: (target: LoadTarget) => Promise<LoadConnection>;
  readonly #zoneOf: (hostName: string) => string | null;
  #run: { readonly order: LoadOrder; readonly startedAtMs: number; endsAtMs: number } | null = null;
  #numbers = new LoadNumbers();
  #lines: Line[] = [];
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;
  #hasTable = false;

  /** @param zoneOf zone of a server by its host name; null: there is none */
  constructor(open: (target: LoadTarget) => Promise<LoadConnection>, zoneOf: (hostName: string) => string | null) {
    this.#open = open;
    this.#zoneOf = zoneOf;
  }

  /** Starts from zero; one that runs is ended. */
  start(order: LoadOrder): void {
    this.stop();
    const nowMs = Date.now();
    this.#run = { order, startedAtMs: nowMs, endsAtMs: nowMs + order.forMs };
    this.#numbers = new LoadNumbers();
    this.#lines = Array.from({ length: CONNECTIONS }, () => ({ connection: null, isBusy: false }));
    this.#hasTable = false;
    this.#timer = setInterval(() => this.#tick(), EVERY_MS);
  }

  /** Closes its connections; what it has counted can still be read. */
  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const line of this.#lines) line.connection?.destroy();
    this.#lines = [];
    if (this.#run !== null) this.#run.endsAtMs = Math.min(this.#run.endsAtMs, Date.now());
  }

  /** Null: it has not been started yet. */
  report(): SampleLoadReport | null {
    if (this.#run === null) return null;
    return {
      running: this.#timer !== undefined,
      startedAt: new Date(this.#run.startedAtMs).toISOString(),
      endsAt: new Date(this.#run.endsAtMs).toISOString(),
      waiting: this.#lines.filter(({ isBusy }) => isBusy).length,
      ...this.#numbers.report(Date.now()),
    };
  }

  #tick(): void {
    if (this.#run === null || Date.now() >= this.#run.endsAtMs) return this.stop();
    const line = this.#lines.find(({ isBusy }) => !isBusy);
    if (line === undefined) return;
    // The table comes first, and nothing beside it.
    if (!this.#hasTable && this.#lines.some(({ isBusy }) => isBusy)) return;
    line.isBusy = true;
    void this.#use(line, this.#run.order).finally(() => {
      line.isBusy = false;
    });
  }

  /** Never fails: what goes wrong is counted. */
  async #use(line: Line, order: LoadOrder): Promise<void> {
    const turn = ++this.#turn;
    const numbers = this.#numbers;
    // Half of it writes and reads back, half reads weakly.
    let kind: LoadKind = turn % 2 === 0 ? 'weak' : 'write';
    let beganMs = performance.now();
    const note = (zone: string | null, failure: string | null): Noted =>
      numbers.note(Date.now(), { kind, tookMs: performance.now() - beganMs, zone, failure });
    try {
      const connection = line.connection ?? (await this.#open(order));
      if (!this.#lines.includes(line)) {
        // It has ended while this one was logging in: nobody else would close it.
        connection.destroy();
        return;
      }
      line.connection = connection;
      if (!this.#hasTable) {
        await connection.query(TABLE);
        this.#hasTable = true;
      }
      beganMs = performance.now();
      if (kind === 'weak') {
        const [row] = await connection.query(weakRead(1 + (turn % ORDERS)));
        note(this.#zone(row?.host), null);
        return;
      }
      await connection.query(write(turn % ROWS, turn));
      const written = note(null, null);
      kind = 'read';
      beganMs = performance.now();
      const [row] = await connection.query(readBack(turn % ROWS));
      note(this.#zone(row?.here), null);
      // The row itself says where it was written.
      written.zone = this.#zone(row?.host);
    } catch (error) {
      // One that `stop` has ended has nothing to tell.
      if (!this.#lines.includes(line)) return;
      line.connection?.destroy();
      line.connection = null;
      note(null, errorText(error));
    }
  }

  #zone(hostName: unknown): string | null {
    return typeof hostName === 'string' ? this.#zoneOf(hostName) : null;
  }
}
