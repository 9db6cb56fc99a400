import { firstFew } from '../errors/first-few.ts';
import { OdpError } from '../errors/odp-error.ts';
import { errOf } from '../wire/err-packet.ts';
import type { ServerSession } from './server-session.ts';

/** The servers that one request may still be tried on, and why those before did not do. */
export class CandidateWalk {
  #candidates: readonly string[] = [];
  #next = 0;
  #failures: string[] = [];
  /** The request is kept to the candidates by their addresses. */
  isForced = false;
  /** Servers that had to be connected to. */
  attempts = 0;
  /** Servers whose sessions were lost with the request. */
  readonly #lost: string[] = [];
  /** ERR payload of the last server that refused a log-in or the request. */
  refusal: Buffer | null = null;
  /** Servers that have refused the request. */
  readonly #refused: string[] = [];

  /** A new request: nothing has been tried. */
  reset(): void {
    this.restart([]);
    this.attempts = 0;
    this.#lost.length = 0;
    if (this.#failures.length > 0) this.#failures = [];
    this.refusal = null;
    this.#refused.length = 0;
  }

  /** The router's answer, first choice first; those that have lost the request already come last. */
  restart(candidates: readonly string[], isForced = false): void {
    this.isForced = isForced;
    this.#candidates = candidates;
    this.#next = 0;
    if (this.#lost.length === 0) return;
    const isLost = (address: string) => this.#lost.includes(address);
    this.#candidates = [...candidates.filter((address) => !isLost(address)), ...candidates.filter(isLost)];
  }

  /** A server session is lost with the request. */
  lose(address: string): void {
    this.#lost.push(address);
  }

  /** So many server sessions were lost with the request. */
  get losses(): number {
    return this.#lost.length;
  }

  /** The router has been asked. */
  get started(): boolean {
    return this.#candidates.length > 0;
  }

  /** The next address, or undefined behind the last one. */
  take(): string | undefined {
    let address: string | undefined;
    do address = this.#candidates[this.#next++];
    while (address !== undefined && this.#refused.includes(address));
    return address;
  }

  fail(reason: string): void {
    this.#failures.push(reason);
  }

  refused(server: ServerSession, payload: Buffer | null): void {
    if (payload === null) {
      // Without the client's password a server that wants another method cannot be answered.
      const detail = `${server.address} wants another method than the log-in was made with`;
      this.refusal = errOf(new OdpError('AUTH_METHOD_NOT_SUPPORTED', { detail }));
      return this.fail(detail);
    }
    this.refusal = payload;
    this.fail(`${server.address} refused the log-in`);
  }

  /** A server is of no use for the request now. @param payload of its ERR packet */
  declined(address: string, payload: Buffer): void {
    this.#refused.push(address);
    this.refusal = payload;
    // It could be had: only servers that can't count towards giving up.
    this.attempts = 0;
  }

  /** ERR payload for the client when no server is left. */
  exhausted(cluster: string): Buffer {
    if (this.refusal !== null) return this.refusal;
    const detail = firstFew(this.#failures) || 'none is known';
    if (this.isForced) return errOf(new OdpError('TARGET_NOT_ALLOWED', { detail }));
    return errOf(new OdpError('NO_SERVER_CONNECTION', { cluster, detail }));
  }
}
