/** One logged-in connection of the proxy's own to an OBServer, for small metadata queries. */
import { connect, type Socket } from 'node:net';
import mysql, { type Connection, type ConnectionOptions } from 'mysql2';
import type { ServerAddress } from '../config/server-address.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';

/** A row as text: column names in lower case, NULL as null. */
export type MetadataRow = Readonly<Record<string, string | null>>;

/** Whom to log in as. */
export interface MetadataLogin {
  readonly user: string;
  /** SHA1 of the password (mysql_native_password's stage 1, 20 bytes), or null for an account without password. */
  readonly stage1: Buffer | null;
}

/** How long a server may take to say goodbye before its socket is cut. */
const GOODBYE_MS = 500;

/** The server answered with an error packet; `errno` is its number. Anything else that fails is a broken connection. */
export class ServerError extends Error {
  readonly errno: number;

  constructor(errno: number, message: string) {
    super(message);
    this.name = 'ServerError';
    this.errno = errno;
  }
}

/** One connection: `logIn`, then one query at a time, then `close`. After any failure but a ServerError it is of no more use. */
export class MetadataConnection {
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #server: ServerAddress;
  #pendingReject: ((error: Error) => void) | null = null;

  /** Begins to connect; the log-in goes on in `logIn`. */
  constructor(server: ServerAddress, login: MetadataLogin) {
    this.#server = server;
    this.#socket = connect({ host: server.host, port: server.port, noDelay: true, keepAlive: true });
    // An idle connection must not keep the process alive; while something is waited for, the deadline's timer does.
    this.#socket.unref();
    const options: Omit<ConnectionOptions, 'passwordSha1'> & { passwordSha1?: Buffer } = {
      user: login.user,
      stream: this.#socket,
      charset: 'utf8mb4_general_ci',
      connectTimeout: 0,
      connectAttributes: { program_name: 'odp' },
      ...(login.stage1 === null ? {} : { passwordSha1: login.stage1 }),
    };
    // mysql2 types the SHA1 as text, but computes with its bytes.
    this.#connection = mysql.createConnection(options as unknown as ConnectionOptions);
    // An error without anybody waiting is the end of an idle connection; the socket's close event tells its owner.
    this.#connection.on('error', (error) => this.#pendingReject?.(error));
    this.#socket.once('close', () => this.#pendingReject?.(new Error('the server closed the connection')));
  }

  /**
   * Resolves when the server has let the account in. Throws ServerError when it answers with an error (1045: refused),
   * METADATA_TIMEOUT, or the network's error.
   */
  logIn(timeoutMs: number): Promise<void> {
    return this.#await<void>('log the proxy in', timeoutMs, (done) => this.#connection.once('connect', () => done()));
  }

  get usable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  /** One text query. Throws ServerError, METADATA_TIMEOUT or the network's error; only after the first it is usable again. */
  query(sql: string, timeoutMs: number): Promise<MetadataRow[]> {
    return this.#await('answer a metadata query', timeoutMs, (done, fail) => {
      // Text for every type: ids pass 2^53, and the views' types differ between versions.
      this.#connection.query({ sql, typeCast: (field) => field.string() }, (error, rows) => {
        if (error) fail(error);
        else done(Array.isArray(rows) ? rows.map(lowerCaseNames) : []);
      });
    });
  }

  /** Cuts the connection at once; whoever waits on it gets `reason`. Resolves when the socket is closed. */
  destroy(reason: Error): Promise<void> {
    this.#pendingReject?.(reason);
    this.#socket.destroy();
    return this.#closed();
  }

  /** Says COM_QUIT and resolves when the socket is closed (cut when that takes longer than half a second). */
  async end(): Promise<void> {
    const cut = setTimeout(() => this.#socket.destroy(), GOODBYE_MS);
    this.#connection.end();
    this.#socket.end();
    await this.#closed();
    clearTimeout(cut);
  }

  #closed(): Promise<void> {
    if (this.#socket.closed) return Promise.resolve();
    return new Promise((resolve) => this.#socket.once('close', () => resolve()));
  }

  /** Runs one exchange; whatever ends it (answer, error, cut, deadline) ends it once and clears the deadline. */
  #await<T>(
    what: string,
    timeoutMs: number,
    start: (done: (value: T) => void, fail: (error: Error) => void) => void,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let settled = false;
      const settle = (): boolean => {
        if (settled) return false;
        settled = true;
        clearTimeout(deadline);
        this.#pendingReject = null;
        return true;
      };
      const fail = (error: Error): void => {
        if (!settle()) return;
        const server = asServerError(error);
        if (server === null) this.#socket.destroy();
        reject(server ?? error);
      };
      const deadline = setTimeout(() => {
        fail(new OdpError('METADATA_TIMEOUT', { server: this.#server.text, what, timeoutMs }));
      }, timeoutMs);
      this.#pendingReject = fail;
      start((value) => {
        if (settle()) resolve(value);
      }, fail);
    });
  }
}

function asServerError(error: Error): ServerError | null {
  const { errno, sqlState } = error as { errno?: unknown; sqlState?: unknown };
  return typeof errno === 'number' && errno > 0 && typeof sqlState === 'string'
    ? new ServerError(errno, errorText(error))
    : null;
}

function lowerCaseNames(row: object): MetadataRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), toText(value)]));
}

function toText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
