/**
 * A connection that has gone over to TLS: Node's TLS socket on the handle of a Transport, with what sessions know of a
 * transport (docs/decisions/0001-raw-tcp-handles.md). Plain connections have no part in any of this.
 */
import { connect, type SecureContext, TLSSocket } from 'node:tls';
import { errorText } from '../errors/odp-error.ts';
import { socketOf } from './handles.ts';
import { isShared, lasting } from './read-buffers.ts';
import type { Channel, ConnectHandler, Transport } from './transport.ts';

/** Writes of up to this size are copied, so that small answers need not wait for their turn in the TLS machinery. */
const COPIED_BYTES = 16 * 1024;
/** Copies of so many bytes may wait; then the source is told to. */
const MAX_COPIES_BYTES = 64 * 1024;

export class TlsTransport implements Channel {
  readonly #socket: TLSSocket;
  readonly #handler: ConnectHandler;
  #secure = false;
  #closed = false;
  #ending = false;
  #pendingWrites = 0;
  #owesDrain = false;
  readonly #written = (): void => this.#onWritten();

  private constructor(socket: TLSSocket, handler: ConnectHandler) {
    this.#socket = socket;
    this.#handler = handler;
    socket.on('data', (chunk: Buffer) => {
      if (!this.#closed && !this.#ending) handler.onData(chunk, chunk.length);
    });
    socket.on('end', () => this.#fail('ended'));
    socket.on('error', (error) => this.#fail(reasonOf(error)));
    // Where nobody listens for connections Node tells faults of the TLS stream only so.
    socket.on('_tlsError', (error: Error) => this.#fail(reasonOf(error)));
    socket.on('close', () => this.#fail('ended'));
  }

  /**
   * Takes over a connection whose peer begins the handshake now. `onConnect` tells its end, `onClose` that it has failed.
   * @param early what the peer has sent behind its request for TLS
   * @returns null when the connection cannot be taken over: it has ended, or has not taken the greeting yet
   */
  static accept(plain: Transport, early: Buffer, context: SecureContext, handler: ConnectHandler): TlsTransport | null {
    const handle = plain.release();
    if (handle === null) return null;
    const socket = socketOf(handle);
    if (early.length > 0) socket.unshift(early);
    const tls = new TLSSocket(socket, { isServer: true, secureContext: context, requestCert: false });
    const transport = new TlsTransport(tls, handler);
    tls.on('secure', () => transport.#onSecure());
    return transport;
  }

  /** Begins the handshake on a connection to a server, whose certificate `context`'s authorities must have signed. */
  static connect(plain: Transport, context: SecureContext, handler: ConnectHandler): TlsTransport | null {
    const handle = plain.release();
    if (handle === null) return null;
    const tls = connect({
      socket: socketOf(handle),
      secureContext: context,
      // Servers are known by address, and their certificates are made out to names: who has signed them is checked.
      checkServerIdentity: () => undefined,
    });
    const transport = new TlsTransport(tls, handler);
    tls.on('secureConnect', () => transport.#onSecure());
    return transport;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get draining(): boolean {
    return this.#owesDrain;
  }

  /** What the two sides agreed on, as `TLSv1.3 TLS_AES_256_GCM_SHA384`. */
  get cipher(): string {
    return `${this.#socket.getProtocol() ?? ''} ${this.#socket.getCipher()?.standardName ?? ''}`.trim();
  }

  write(bytes: Uint8Array): boolean {
    if (this.#closed || this.#ending) return true;
    this.#pendingWrites++;
    const isCopied = bytes.length <= COPIED_BYTES;
    this.#socket.write(isCopied || isShared(bytes) ? Buffer.from(bytes) : bytes, this.#written);
    return this.#answer(isCopied);
  }

  writeRange(chunk: Buffer, start: number, end: number): boolean {
    return this.write(chunk.subarray(start, end));
  }

  writeAll(chunks: readonly Uint8Array[]): boolean {
    let length = 0;
    for (const chunk of chunks) length += chunk.length;
    if (length <= COPIED_BYTES) return this.write(Buffer.concat(chunks, length));
    if (this.#closed || this.#ending) return true;
    this.#socket.cork();
    for (const chunk of lasting(chunks)) {
      this.#pendingWrites++;
      this.#socket.write(chunk, this.#written);
    }
    this.#socket.uncork();
    return this.#answer(false);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#closed) this.#socket.resume();
  }

  end(): void {
    if (this.#closed || this.#ending) return;
    if (!this.#secure) return this.destroy();
    this.#ending = true;
    // What still comes is thrown away: unread, it would end the connection before the last answer is out.
    this.#socket.resume();
    this.#socket.destroySoon();
  }

  destroy(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.destroy();
  }

  #answer(isCopied: boolean): boolean {
    if (isCopied && !this.#owesDrain && this.#socket.writableLength <= MAX_COPIES_BYTES) return true;
    this.#owesDrain = this.#pendingWrites > 0;
    return !this.#owesDrain;
  }

  #onWritten(): void {
    this.#pendingWrites--;
    if (this.#pendingWrites > 0 || !this.#owesDrain) return;
    this.#owesDrain = false;
    if (!this.#closed && !this.#ending) this.#handler.onDrain();
  }

  #onSecure(): void {
    this.#secure = true;
    if (!this.#closed) this.#handler.onConnect();
  }

  #fail(reason: string): void {
    if (this.#closed) return;
    // Its last answer is on the way: `destroySoon` closes, and nobody waits to be told.
    if (this.#ending) {
      this.#closed = this.#socket.destroyed;
      return;
    }
    const wasSecure = this.#secure;
    this.destroy();
    this.#handler.onClose(wasSecure ? reason : `TLS handshake failed: ${reason}`);
  }
}

/** OpenSSL's own words, Node's about a certificate, or the system's name of an error. */
function reasonOf(error: unknown): string {
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  if (typeof reason === 'string') return reason;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : errorText(error);
}
