/** The bytes of a client while it logs in: packets go to the log-in, what comes behind them waits for its verdict. */
import { OdpError } from '../errors/odp-error.ts';
import { PacketSplitter } from '../wire/stream.ts';
import { framePackets } from '../wire/writer.ts';
import type { ClientLogin } from './client-login.ts';

/** A log-in packet of this size is already odd; more is an attack (case B28 a). */
const MAX_LOGIN_BYTES = 64 * 1024;

const NONE = Buffer.alloc(0);

export interface LoginInputOwner {
  readonly closed: boolean;
  /** The log-in under way; null as soon as it is over. */
  readonly login: ClientLogin | null;
  /** A request sent along with the log-in (case B06 b), framed. */
  keepRequest(frame: Buffer): void;
}

export class LoginInput {
  readonly #owner: LoginInputOwner;
  #splitter: PacketSplitter | null = null;
  #reading = false;

  constructor(owner: LoginInputOwner) {
    this.#owner = owner;
  }

  /** Bytes are being taken: what the log-in ends in is looked at behind them. */
  get reading(): boolean {
    return this.#reading;
  }

  /** @throws OdpError BAD_HANDSHAKE for more bytes than any log-in has */
  take(chunk: Buffer, length: number): void {
    this.#splitter ??= new PacketSplitter(MAX_LOGIN_BYTES);
    this.#reading = true;
    try {
      // What follows a request for TLS are no packets.
      const limit = this.#owner.login?.mayStartTls ? 1 : Number.POSITIVE_INFINITY;
      this.#takePackets(this.#splitter, chunk, length, limit);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new OdpError('BAD_HANDSHAKE', { detail: `a log-in packet of more than ${MAX_LOGIN_BYTES} bytes` });
    } finally {
      this.#reading = false;
    }
  }

  /** Bytes that are no whole packet; from now on it begins anew. */
  takePending(): Buffer {
    const pending = this.#splitter?.takePending() ?? NONE;
    this.#splitter = null;
    return pending;
  }

  #takePackets(splitter: PacketSplitter, chunk: Uint8Array, length: number, limit: number): void {
    const packets = splitter.push(chunk, length, limit);
    for (const { payload, sequence } of packets) {
      if (this.#owner.closed) return;
      const { login } = this.#owner;
      if (login?.awaitsPacket) login.onPacket(payload, sequence);
      else this.#owner.keepRequest(framePackets(payload, sequence));
    }
    if (packets.length === limit && this.#splitter === splitter && !this.#owner.closed) {
      this.#takePackets(splitter, NONE, 0, Number.POSITIVE_INFINITY);
    }
  }
}
