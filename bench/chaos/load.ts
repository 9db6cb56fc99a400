/** A steady load of client sessions that keep to a timetable, whatever the servers do. */
import type { Connection, RowDataPacket } from 'mysql2/promise';

type RequestKind = 'read' | 'write' | 'transaction';

/** One request as its client has seen it. Times: those of `performance.now()`; the wall clock may be set meanwhile. */
export interface RequestSample {
  readonly kind: RequestKind;
  /** When its transaction began; of others when it was sent. */
  readonly begunAtMs: number;
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  /** Which server answered, as far as the answer says so. */
  readonly server: string | null;
  /** Error number and text; null: it worked. */
  readonly error: { readonly errno: number; readonly text: string } | null;
}

/** What the sessions send. */
export interface LoadStatements {
  /** A SELECT with the answering server's name in column `server`. */
  read(random: () => number): string;
  /** One that changes a row, for outside and inside of transactions. */
  write(random: () => number): string;
}

export interface LoadOptions extends LoadStatements {
  readonly sessions: number;
  /** Of all sessions together; a transaction counts as four. */
  readonly requestsPerSecond: number;
  readonly connect: () => Promise<Connection>;
}

export interface Load {
  /** In the order of their ends. */
  readonly samples: readonly RequestSample[];
  /** Client connections that ended without the client's doing. */
  readonly lostConnections: number;
  /** Turns at which a session was still waiting for an earlier answer. */
  readonly missedTurns: number;
  /** Forgets what was sampled and counted. */
  clear(): void;
  /** Resolves when every request has ended and every connection is closed. */
  stop(): Promise<void>;
}

/** What the turns of a session are used for; the four of a transaction are one and three left out. */
const turns: readonly (RequestKind | 'rest')[] = [
  ...Array<RequestKind>(7).fill('read'),
  'write',
  'transaction',
  'rest',
  'rest',
  'rest',
  ...Array<RequestKind>(7).fill('read'),
  'write',
];

/** Opens all sessions, then begins. @throws Error when one of them cannot log in */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const state = { samples: [] as RequestSample[], lostConnections: 0, missedTurns: 0 };
  const sessions: LoadSession[] = [];
  for (let index = 0; index < options.sessions; index++) {
    const record = (sample: RequestSample) => state.samples.push(sample);
    const onLost = () => {
      state.lostConnections += 1;
    };
    sessions.push(new LoadSession(await options.connect(), options, { record, onLost, firstTurn: index * 3 }));
  }
  const turnMs = (1000 * options.sessions) / options.requestsPerSecond;
  let next = 0;
  const beganAtMs = performance.now();
  // One timer for all: each session's turn comes at its own place within the interval.
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - beganAtMs) / turnMs) * sessions.length);
    for (; next < due; next++) if (sessions[next % sessions.length]?.turn() === false) state.missedTurns += 1;
  }, turnMs / sessions.length);
  return {
    get samples() {
      return state.samples;
    },
    get lostConnections() {
      return state.lostConnections;
    },
    get missedTurns() {
      return state.missedTurns;
    },
    clear: () => {
      state.samples = [];
      state.lostConnections = 0;
      state.missedTurns = 0;
    },
    stop: async () => {
      clearInterval(timer);
      await Promise.all(sessions.map((session) => session.close()));
    },
  };
}

interface SessionHooks {
  readonly record: (sample: RequestSample) => void;
  readonly onLost: () => void;
  /** So that not all sessions are at the same place of their programme. */
  readonly firstTurn: number;
}

class LoadSession {
  #connection: Connection | null;
  readonly #options: LoadOptions;
  readonly #hooks: SessionHooks;
  #turn: number;
  #work: Promise<void> | null = null;

  constructor(connection: Connection, options: LoadOptions, hooks: SessionHooks) {
    this.#connection = connection;
    this.#options = options;
    this.#hooks = hooks;
    this.#turn = hooks.firstTurn;
  }

  /** False: it still waits for the answer of an earlier one. */
  turn(): boolean {
    const what = turns[this.#turn++ % turns.length];
    if (what === 'rest' || what === undefined) return true;
    if (this.#work !== null) return false;
    this.#work = this.#run(what).finally(() => {
      this.#work = null;
    });
    return true;
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#connection?.end();
  }

  async #run(kind: RequestKind): Promise<void> {
    this.#connection ??= await this.#options.connect();
    const { read, write } = this.#options;
    const begunAtMs = performance.now();
    if (kind !== 'transaction') {
      await this.#send(kind, kind === 'read' ? read(Math.random) : write(Math.random), begunAtMs);
      return;
    }
    for (const sql of ['BEGIN', read(Math.random), write(Math.random), 'COMMIT']) {
      if (await this.#send(kind, sql, begunAtMs)) continue;
      // Whatever the error was: the session begins anew.
      await this.#connection?.query('ROLLBACK').catch(() => this.#lost());
      return;
    }
  }

  async #send(kind: RequestKind, sql: string, begunAtMs: number): Promise<boolean> {
    const { record } = this.#hooks;
    const sentAtMs = performance.now();
    try {
      const answer = await this.#connection?.query<RowDataPacket[]>(sql);
      const rows = answer?.[0];
      const server = Array.isArray(rows) ? String(rows[0]?.server ?? '') : null;
      record({ kind, begunAtMs, sentAtMs, endedAtMs: performance.now(), server, error: null });
      return true;
    } catch (caught) {
      const { errno = 0, message, fatal = false } = caught as { errno?: number; message: string; fatal?: boolean };
      record({
        kind,
        begunAtMs,
        sentAtMs,
        endedAtMs: performance.now(),
        server: null,
        error: { errno, text: message },
      });
      if (fatal) this.#lost();
      return false;
    }
  }

  #lost(): void {
    this.#connection?.destroy();
    this.#connection = null;
    this.#hooks.onLost();
  }
}
