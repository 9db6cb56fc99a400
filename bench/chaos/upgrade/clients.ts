/** Client connections of every kind, each of which notices when it is broken. */
import type { Connection, PreparedStatementInfo } from 'mysql2/promise';

export interface ClientKind {
  readonly name: string;
  readonly overTls: boolean;
  /** Statements are sent on it at its turn; else it only waits. */
  readonly works: boolean;
  /** What a turn sends, given how many turns there were before. @throws what the proxy answers */
  turn(client: Client): Promise<void>;
}

export interface Tally {
  statements: number;
  failed: number;
  broken: number;
  /** What was said, and how often. */
  readonly errors: Map<string, number>;
}

export interface Sample {
  readonly endedAtMs: number;
  readonly tookMs: number;
}

export const newTally = (): Tally => ({ statements: 0, failed: 0, broken: 0, errors: new Map() });

/** One connection that comes back when it is broken, so that the load goes on. */
export class Client {
  readonly kind: ClientKind;
  readonly number: number;
  readonly #connect: (client: Client) => Promise<Connection>;
  readonly #tally: Tally;
  readonly #samples: Sample[];
  #connection: Connection | null = null;
  #work: Promise<void> | null = null;
  /** Rejects when the connection is broken: the driver leaves whoever waits on it without an answer. */
  #end = Promise.withResolvers<never>();
  #closing = false;
  turns = 0;
  statement: PreparedStatementInfo | null = null;

  constructor(
    kind: ClientKind,
    number: number,
    connect: (client: Client) => Promise<Connection>,
    tally: Tally,
    samples: Sample[],
  ) {
    this.kind = kind;
    this.number = number;
    this.#connect = connect;
    this.#tally = tally;
    this.#samples = samples;
  }

  get connection(): Connection {
    if (this.#connection === null) throw new Error('the connection is broken');
    return this.#connection;
  }

  async open(): Promise<void> {
    const connection = await this.#connect(this);
    this.#connection = connection;
    this.#end = Promise.withResolvers<never>();
    this.#end.promise.catch(() => undefined);
    this.statement = null;
    const id = connection.threadId;
    connection.on('error', (error: Error) => this.#broken(connection, error));
    connection.on('end', () => this.#broken(connection, new Error('ended')));
    // What has to be there after every move.
    await connection.query(`SET @mark = ${id}`);
  }

  /** Sends a statement and notes how long it took. */
  async send(sql: string): Promise<unknown> {
    return await this.timed(() => this.connection.query(sql));
  }

  async timed<Result>(work: () => Promise<Result>): Promise<Result> {
    const beganAtMs = performance.now();
    this.#tally.statements += 1;
    const result = await work();
    const endedAtMs = performance.now();
    this.#samples.push({ endedAtMs, tookMs: endedAtMs - beganAtMs });
    return result;
  }

  /** Its turn has come; nothing happens while an earlier one is under way. */
  take(): void {
    if (this.#work !== null || this.#closing) return;
    this.#work = this.#run().finally(() => {
      this.#work = null;
    });
  }

  /** Whether the session is still the one that was logged in. */
  async check(): Promise<void> {
    await this.#work;
    try {
      const [rows] = await Promise.race([this.connection.query('SELECT @mark AS mark'), this.#end.promise]);
      const { mark } = (rows as { mark: number }[])[0] ?? {};
      if (Number(mark) === this.connection.threadId) return;
      this.#note(new Error(`@mark is ${mark}, not ${this.connection.threadId}`));
    } catch (error) {
      this.#note(error);
    }
    this.#tally.failed += 1;
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#work;
    this.#connection?.destroy();
  }

  async #run(): Promise<void> {
    try {
      if (this.#connection === null) await this.open();
      await Promise.race([this.kind.turn(this), this.#end.promise]);
      this.turns += 1;
    } catch (error) {
      this.#tally.failed += 1;
      this.#note(error);
      if ((error as { fatal?: boolean }).fatal && this.#connection !== null) this.#broken(this.#connection, error);
    }
  }

  #broken(connection: Connection, error: unknown): void {
    if (this.#closing || this.#connection !== connection) return;
    this.#connection = null;
    this.#tally.broken += 1;
    this.#note(error);
    connection.destroy();
    this.#end.reject(error instanceof Error ? error : new Error(String(error)));
  }

  #note(error: unknown): void {
    const text = `${this.kind.name}: ${error instanceof Error ? error.message : String(error)}`;
    this.#tally.errors.set(text, (this.#tally.errors.get(text) ?? 0) + 1);
  }
}
