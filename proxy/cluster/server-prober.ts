/** The detection's probe (B5): real SQL to the sys tenant of one server, as the proxy's internal account. */

import { parseServerAddress, type ServerAddress } from '../config/server-address.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';
import type { ProbeAnswer } from './detection.ts';
import { INTERNAL_USER } from './metadata-client.ts';
import { MetadataConnection, ServerError } from './metadata-connection.ts';

const PROBE_SQL = "select 'detect server alive' from dual";

/** A refused account is not tried again for so long, unless a password has been changed: servers lock accounts. */
const REFUSAL_REST_MS = 5_000;

/** Passwords, time limit and clock of the probes. */
export interface ServerProberOptions {
  /** Passwords to try in order: SHA1 as 40 hex characters, or empty text for an account without password. */
  readonly passwords: () => readonly string[];
  /** `detect_server_timeout`, milliseconds: connecting, log-in and SQL together. */
  readonly timeoutMs: () => number;
  /** Default `proxyro@sys`. */
  readonly user?: string;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** What is kept of one server between two probes. */
interface Line {
  connection: MetadataConnection | null;
  /** The password that worked last. */
  accepted: string;
  /** Passwords that were refused, and until when they are not tried again. */
  refused: { readonly key: string; readonly untilMs: number } | null;
}

/** Probes servers by address, over one kept connection each. */
export class ServerProber {
  readonly #options: ServerProberOptions;
  readonly #now: () => number;
  readonly #lines = new Map<string, Line>();

  constructor(options: ServerProberOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * One probe; ask for one at a time per server. Whatever the server *answers* proves it alive, an error as well: a
   * refused internal account is the account's fault (case B99), and whether a live server is of use is decided by
   * business SQL (case B84). Only silence, a cut or no connection is a failure. Null: the account was refused a moment
   * ago and nothing was sent.
   */
  async probe(address: string): Promise<ProbeAnswer | null> {
    const server = parseServerAddress(address);
    if (server === null) throw new OdpError('INVALID_ARGUMENT', { detail: `'${address}' is not a server's ip:port` });
    const line = this.#lineOf(address);
    const timeoutMs = this.#options.timeoutMs();
    const deadlineMs = this.#now() + timeoutMs;
    try {
      return (await this.#throughKept(line, deadlineMs)) ?? (await this.#throughNew(server, line, deadlineMs));
    } catch (error) {
      return { ok: false, detail: isTimeout(error) ? `no result within ${timeoutMs} ms` : errorText(error) };
    } finally {
      // A server that has left meanwhile has no line any more: nobody else would close this connection.
      if (this.#lines.get(address) !== line) await cut(line);
    }
  }

  /** Closes the connections to servers that are not in `addresses` any more; probes under way to them fail. */
  retainOnly(addresses: Iterable<string>): void {
    const kept = new Set(addresses);
    for (const [address, line] of this.#lines) {
      if (kept.has(address)) continue;
      this.#lines.delete(address);
      void cut(line);
    }
  }

  /** Resolves when no socket is left. */
  async close(): Promise<void> {
    const lines = [...this.#lines.values()];
    this.#lines.clear();
    await Promise.all(lines.map(cut));
  }

  /** Null: there is no connection from an earlier probe, or it turned out to be broken. */
  async #throughKept(line: Line, deadlineMs: number): Promise<ProbeAnswer | null> {
    if (line.connection === null || !line.connection.usable) return null;
    try {
      return await this.#ask(line, line.connection, deadlineMs);
    } catch (error) {
      // A cut may be the end of this connection only; a server that keeps silent would do so on a new one.
      if (isTimeout(error)) throw error;
      return null;
    }
  }

  async #throughNew(server: ServerAddress, line: Line, deadlineMs: number): Promise<ProbeAnswer | null> {
    const passwords = [...new Set(this.#options.passwords())];
    const key = passwords.join();
    if (line.refused?.key === key && this.#now() < line.refused.untilMs) return null;
    passwords.sort((a, b) => Number(b === line.accepted) - Number(a === line.accepted));
    let refusal = '';
    for (const password of passwords) {
      const stage1 = password === '' ? null : Buffer.from(password, 'hex');
      const connection = new MetadataConnection(server, { user: this.#options.user ?? INTERNAL_USER, stage1 });
      line.connection = connection;
      try {
        await connection.logIn(this.#remaining(deadlineMs));
        line.accepted = password;
        return await this.#ask(line, connection, deadlineMs);
      } catch (error) {
        await cut(line);
        if (!(error instanceof ServerError)) throw error;
        refusal = error.message;
      }
    }
    line.refused = { key, untilMs: this.#now() + REFUSAL_REST_MS };
    return { ok: true, detail: `the server answers, but does not let the proxy's own account in: ${refusal}` };
  }

  async #ask(line: Line, connection: MetadataConnection, deadlineMs: number): Promise<ProbeAnswer> {
    try {
      await connection.query(PROBE_SQL, this.#remaining(deadlineMs));
      return { ok: true, detail: '' };
    } catch (error) {
      if (error instanceof ServerError)
        return { ok: true, detail: `the server answers with an error: ${error.message}` };
      await cut(line);
      throw error;
    }
  }

  #remaining(deadlineMs: number): number {
    return Math.max(1, Math.ceil(deadlineMs - this.#now()));
  }

  #lineOf(address: string): Line {
    const known = this.#lines.get(address);
    if (known !== undefined) return known;
    const line: Line = { connection: null, accepted: '', refused: null };
    this.#lines.set(address, line);
    return line;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof OdpError && error.code === 'METADATA_TIMEOUT';
}

/** Without a goodbye: a probe must never wait for one, and the proxy's own probe leaves nothing behind. */
async function cut(line: Line): Promise<void> {
  const { connection } = line;
  line.connection = null;
  await connection?.destroy(new OdpError('SHUTTING_DOWN', { detail: 'the probe is over' }));
}
