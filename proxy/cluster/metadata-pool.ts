/** The proxy's own connections to one OBServer: few, reused, and bounded. */

import type { ServerAddress } from '../config/server-address.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { MetadataConnection, type MetadataRow, ServerError } from './metadata-connection.ts';

/** Read at each use, so that an ALTER PROXYCONFIG works without a restart (case B99). */
export interface MetadataSettings {
  /** Internal account, e.g. `proxyro@sys`. */
  readonly user: string;
  /** Passwords to try in order: SHA1 as 40 hex characters, or empty text for an account without password. */
  readonly passwords: () => readonly string[];
  readonly connectTimeoutMs: () => number;
  readonly queryTimeoutMs: () => number;
  /** Connections per server at most. */
  readonly maxConnections: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** A connection that has been idle for longer is closed rather than used: a firewall may have forgotten it. */
const MAX_IDLE_MS = 120_000;
/** A refused account is not tried again for so long, unless a password has been changed. */
const REFUSAL_REST_MS = 5_000;

const ER_ACCESS_DENIED = 1045;
const ER_ACCESS_DENIED_NO_PASSWORD = 1698;
/** Database, table, column and column-level "denied". */
const privilegeErrnos: ReadonlySet<number> = new Set([1044, 1142, 1143, 1227]);

interface Idle {
  readonly connection: MetadataConnection;
  readonly sinceMs: number;
}

/** Lends connections to one server for one query each; who finds none free waits, within the time limit. */
export class MetadataPool {
  readonly #server: ServerAddress;
  readonly #settings: MetadataSettings;
  #idle: Idle[] = [];
  readonly #busy = new Set<MetadataConnection>();
  #slotsTaken = 0;
  readonly #waiting: { grant: () => void; fail: (error: Error) => void }[] = [];
  #accepted = '';
  #refusal: { passwords: string; untilMs: number; error: OdpError } | null = null;
  #closedBy: OdpError | null = null;

  constructor(server: ServerAddress, settings: MetadataSettings) {
    this.#server = server;
    this.#settings = settings;
  }

  /** Throws METADATA_LOGIN_REFUSED, METADATA_FORBIDDEN, METADATA_TIMEOUT, ServerError or METADATA_QUERY_FAILED. */
  async query(sql: string): Promise<MetadataRow[]> {
    await this.#takeSlot();
    try {
      return await this.#queryOnce(sql);
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#freeSlot();
    }
  }

  /** Closes connections that have idled too long. */
  sweep(): void {
    const oldestMs = this.#settings.now() - MAX_IDLE_MS;
    const tooOld = this.#idle.filter((idle) => idle.sinceMs < oldestMs);
    this.#idle = this.#idle.filter((idle) => idle.sinceMs >= oldestMs);
    for (const { connection } of tooOld) void connection.end();
  }

  /** Running and waiting queries fail with `reason`; resolves when every socket is closed. */
  async close(reason: OdpError): Promise<void> {
    this.#closedBy = reason;
    for (const waiter of this.#waiting.splice(0)) waiter.fail(reason);
    await Promise.all([
      ...[...this.#busy].map((connection) => connection.destroy(reason)),
      ...this.#idle.splice(0).map(({ connection }) => connection.end()),
    ]);
  }

  async #queryOnce(sql: string): Promise<MetadataRow[]> {
    this.sweep();
    const reused = this.#idle.pop()?.connection;
    if (reused?.usable) {
      try {
        return await this.#run(reused, sql);
      } catch (error) {
        // Reads only: a kept connection that the server has dropped meanwhile is worth one fresh attempt.
        if (error instanceof ServerError || error instanceof OdpError) throw error;
      }
    }
    return await this.#run(await this.#login(), sql);
  }

  async #run(connection: MetadataConnection, sql: string): Promise<MetadataRow[]> {
    if (this.#closedBy !== null) {
      await connection.destroy(this.#closedBy);
      throw this.#closedBy;
    }
    this.#busy.add(connection);
    try {
      return await connection.query(sql, this.#settings.queryTimeoutMs());
    } finally {
      this.#busy.delete(connection);
      if (connection.usable) this.#keep(connection);
    }
  }

  #keep(connection: MetadataConnection): void {
    if (this.#closedBy !== null) void connection.end();
    else this.#idle.push({ connection, sinceMs: this.#settings.now() });
  }

  async #login(): Promise<MetadataConnection> {
    const passwords = this.#passwords();
    const key = passwords.join();
    if (this.#refusal?.passwords === key && this.#settings.now() < this.#refusal.untilMs) throw this.#refusal.error;
    let refusal = '';
    for (const password of passwords) {
      try {
        return await this.#openWith(password);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal = errorText(error);
      }
    }
    const { user } = this.#settings;
    const error = new OdpError('METADATA_LOGIN_REFUSED', { server: this.#server.text, user, detail: refusal });
    this.#refusal = { passwords: key, untilMs: this.#settings.now() + REFUSAL_REST_MS, error };
    throw error;
  }

  async #openWith(password: string): Promise<MetadataConnection> {
    if (this.#closedBy !== null) throw this.#closedBy;
    const stage1 = password === '' ? null : Buffer.from(password, 'hex');
    const connection = new MetadataConnection(this.#server, { user: this.#settings.user, stage1 });
    this.#busy.add(connection);
    try {
      await connection.logIn(this.#settings.connectTimeoutMs());
    } catch (error) {
      await connection.destroy(asError(error));
      throw error;
    } finally {
      this.#busy.delete(connection);
    }
    this.#accepted = password;
    connection.onClose(() => {
      this.#idle = this.#idle.filter((idle) => idle.connection !== connection);
    });
    return connection;
  }

  /** Each different password once; the one that worked last comes first, so that no failed log-in is caused each time. */
  #passwords(): string[] {
    const passwords = [...new Set(this.#settings.passwords())];
    for (const password of passwords) {
      if (password !== '' && !/^[0-9a-f]{40}$/i.test(password)) {
        const detail = 'it must be the SHA1 of the password as 40 hex characters, or empty for no password';
        throw new OdpError('INVALID_PARAMETER', { name: 'observer_sys_password', value: '******', detail });
      }
    }
    return passwords.sort((a, b) => Number(b === this.#accepted) - Number(a === this.#accepted));
  }

  #explain(error: unknown): unknown {
    if (error instanceof OdpError) return error;
    const { user } = this.#settings;
    if (!(error instanceof ServerError)) {
      return new OdpError(
        'METADATA_QUERY_FAILED',
        { server: this.#server.text, detail: errorText(error) },
        { cause: error },
      );
    }
    if (!privilegeErrnos.has(error.errno)) return error;
    return new OdpError(
      'METADATA_FORBIDDEN',
      { server: this.#server.text, user, detail: error.message },
      { cause: error },
    );
  }

  #takeSlot(): Promise<void> {
    if (this.#closedBy !== null) return Promise.reject(this.#closedBy);
    if (this.#slotsTaken < this.#settings.maxConnections) {
      this.#slotsTaken += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiter = {
        grant: () => {
          clearTimeout(deadline);
          resolve();
        },
        fail: (error: Error) => {
          clearTimeout(deadline);
          reject(error);
        },
      };
      const timeoutMs = this.#settings.queryTimeoutMs();
      const deadline = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        const what = `finish earlier metadata queries (${this.#settings.maxConnections} at a time)`;
        reject(new OdpError('METADATA_TIMEOUT', { server: this.#server.text, what, timeoutMs }));
      }, timeoutMs);
      this.#waiting.push(waiter);
    });
  }

  #freeSlot(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#slotsTaken -= 1;
    else next.grant();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(errorText(error));
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ServerError && (error.errno === ER_ACCESS_DENIED || error.errno === ER_ACCESS_DENIED_NO_PASSWORD)
  );
}
