import { isIP } from 'node:net';
import { getSystemErrorName } from 'node:util';
import {
  adopted,
  lastReadResult,
  lastWriteWasAsync,
  newConnectRequest,
  newSocketHandle,
  newWriteRequest,
  sendable,
} from './handles.ts';
import {
  type ConnectionHandle,
  closeHandle,
  type SocketAddress,
  type TcpHandle,
  UV_EOF,
  type WriteRequest,
} from './raw-handles.ts';
import { copySpace, giveReadBuffer, isShared, lasting, sharedBuffer, takeReadBuffer } from './read-buffers.ts';
import { applySocketOptions, type SocketOptions, USUAL_SOCKET_OPTIONS } from './socket-options.ts';

/** Who is told what happens on a transport. One object for a connection's whole life; no closure per event. */
export interface TransportHandler {
  /**
   * Bytes have come in: `chunk[0, length)`. They are good only until this returns: other connections read into the same
   * buffer. What is written of them may be written from there, whether it leaves at once or not.
   */
  onData(chunk: Buffer, length: number): void;
  /** All earlier writes have left this process. */
  onDrain(): void;
  /** The connection is gone; told once. `reason` is the system's error name, or `ended` when the peer closed. */
  onClose(reason: string): void;
}

/** As above, for a connection that this process opens. */
export interface ConnectHandler extends TransportHandler {
  onConnect(): void;
}

/** A connection that stands, plain or in TLS: what sessions send with. */
export interface Channel {
  readonly closed: boolean;
  /** Whether a write has answered false and `onDrain` is still to come. */
  readonly draining: boolean;
  /** See Transport for all of these. */
  write(bytes: Uint8Array): boolean;
  writeRange(chunk: Buffer, start: number, end: number): boolean;
  writeAll(chunks: readonly Uint8Array[]): boolean;
  pause(): void;
  resume(): void;
  end(): void;
  destroy(): void;
}

let lastHost = '';
let lastVersion = 0;

/** 4, 6, or 0 for no address. Mostly it is that of the connection before, and the expression costs what opening does. */
function versionOf(host: string): number {
  if (host !== lastHost) {
    lastVersion = isIP(host);
    lastHost = host;
  }
  return lastVersion;
}

/** A write request that is free: nearly all writes complete at once, so one serves all transports of a thread. */
let spareRequest: WriteRequest | null = null;

/**
 * One TCP connection: reads into the thread's buffer, or its own under load, writes whole chunks, and tells when the peer
 * is slower than the source (write returns false → pause the source → onDrain).
 */
export class Transport implements Channel {
  readonly #handle: ConnectionHandle;
  #handler: TransportHandler;
  readonly #options: SocketOptions;
  #readBuffer: Buffer = sharedBuffer;
  /** The connection stands: before that, `pause` and `resume` only say how it is to begin. */
  #started = false;
  #paused = false;
  #pendingWrites = 0;
  #closed = false;
  #endWhenDrained = false;

  private constructor(handle: ConnectionHandle, handler: TransportHandler, options: SocketOptions) {
    this.#handle = handle;
    this.#handler = handler;
    this.#options = options;
    handle.onread = () => this.#onRead();
  }

  /** Wraps an accepted connection and starts to read, or, paused, waits for `resume`. */
  static accepted(
    handle: ConnectionHandle,
    handler: TransportHandler,
    options = USUAL_SOCKET_OPTIONS,
    paused = false,
  ): Transport {
    const transport = new Transport(adopted(handle), handler, options);
    transport.#paused = paused;
    transport.#start();
    return transport;
  }

  /**
   * Opens a connection. `host` is an IPv4 or IPv6 address (names are resolved by the caller).
   * A failure is told by `onClose` with the system's error name, e.g. `ECONNREFUSED`, never thrown.
   */
  static connect(host: string, port: number, handler: ConnectHandler, options = USUAL_SOCKET_OPTIONS): Transport {
    const handle = newSocketHandle();
    const transport = new Transport(handle, handler, options);
    const request = newConnectRequest();
    request.oncomplete = (status) => {
      if (transport.#closed) return;
      if (status < 0) return transport.#fail(getSystemErrorName(status));
      transport.#start();
      handler.onConnect();
    };
    const version = versionOf(host);
    const status = version === 6 ? handle.connect6(request, host, port) : handle.connect(request, host, port);
    if (version === 0 || status < 0) {
      queueMicrotask(() => transport.#fail(version === 0 ? 'EADDRNOTAVAIL' : getSystemErrorName(status)));
    }
    return transport;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Whether bytes of earlier writes are still in this process. */
  get draining(): boolean {
    return this.#pendingWrites > 0;
  }

  /** Hands the events to another object (from log-in to data path). */
  set handler(handler: TransportHandler) {
    this.#handler = handler;
  }

  /**
   * Sends bytes. True: they have left this process and the buffer may be reused. False: they have not; unless they were
   * given by `onData`, the buffer must stay unchanged until `onDrain`, and the source should be paused till then.
   */
  write(bytes: Uint8Array): boolean {
    if (!isShared(bytes)) return this.#write(bytes);
    const start = bytes.byteOffset - sharedBuffer.byteOffset;
    return this.#writeCopy(start, start + bytes.length);
  }

  /** As `write`, of `chunk[start, end)`: of what `onData` gives without a view of it. */
  writeRange(chunk: Buffer, start: number, end: number): boolean {
    if (chunk === sharedBuffer) return this.#writeCopy(start, end);
    return this.write(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end));
  }

  /** Sends several buffers in one system call. Same answer as `write`. */
  writeAll(chunks: readonly Uint8Array[]): boolean {
    return this.#write(lasting(chunks));
  }

  /** No more `onData` until `resume`. A peer that goes away is not noticed meanwhile, unless a write tells. */
  pause(): void {
    if (this.#paused || this.#closed) return;
    this.#paused = true;
    if (this.#started) this.#handle.readStop();
  }

  resume(): void {
    if (!this.#paused || this.#closed) return;
    this.#paused = false;
    if (this.#started) this.#handle.readStart();
  }

  /**
   * Closes once everything written has left. Tells nobody. A peer that never reads holds this back: the owner keeps a
   * deadline and calls `destroy` then.
   */
  end(): void {
    if (this.#closed) return;
    if (this.#pendingWrites === 0) return this.destroy();
    this.#endWhenDrained = true;
    this.pause();
  }

  /** Closes at once; bytes not yet sent are lost. Tells nobody. */
  destroy(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeHandle(this.#handle);
  }

  /**
   * Gives the connection away: this transport is closed from now on, the connection is not, and nobody is told.
   * @returns null when it is closed, or bytes of earlier writes have not left yet
   */
  release(): ConnectionHandle | null {
    if (this.#closed || this.#pendingWrites > 0) return null;
    this.#closed = true;
    this.#handle.readStop();
    return this.#handle;
  }

  /**
   * The connection, to be sent to another process: this transport keeps it all the same.
   * @returns null when it is closed or not there yet, bytes of earlier writes have not left yet, or it is a public socket
   */
  lend(): TcpHandle | null {
    return this.#closed || !this.#started || this.#pendingWrites > 0 ? null : sendable(this.#handle);
  }

  #start(): void {
    applySocketOptions(this.#handle, this.#options);
    this.#handle.useUserBuffer(this.#readBuffer);
    this.#started = true;
    if (!this.#paused) this.#handle.readStart();
  }

  /** @returns the buffer to read into from now on, or undefined to go on with the same one (the handle's convention) */
  #onRead(): Buffer | undefined {
    const result = lastReadResult();
    if (result === 0 || this.#closed) return undefined;
    if (result < 0) {
      this.#fail(result === UV_EOF ? 'ended' : getSystemErrorName(result));
      return undefined;
    }
    const buffer = this.#readBuffer;
    this.#handler.onData(buffer, result);
    if (this.#closed) return undefined;
    if (result < buffer.length) {
      // Of what a paused connection has been given something may still be on its way to the other side.
      if (buffer === sharedBuffer || this.#paused) return undefined;
      giveReadBuffer(buffer);
      this.#readBuffer = sharedBuffer;
      return sharedBuffer;
    }
    if (buffer !== sharedBuffer) return undefined;
    // A full buffer means that more is waiting, and it may come faster than the other side takes it.
    this.#readBuffer = takeReadBuffer();
    return this.#readBuffer;
  }

  /** The shared buffer is read into again before all may have left. */
  #writeCopy(start: number, end: number): boolean {
    const space = copySpace(end - start);
    const isWritten = this.#write(space.copy(start, end));
    if (!isWritten) space.leave();
    return isWritten;
  }

  #write(bytes: Uint8Array | readonly Uint8Array[]): boolean {
    if (this.#closed) return true;
    const request = spareRequest ?? newWriteRequest();
    spareRequest = null;
    const status = Array.isArray(bytes)
      ? this.#handle.writev(request, bytes as readonly Uint8Array[], true)
      : this.#handle.writeBuffer(request, bytes as Uint8Array);
    if (status < 0) {
      queueMicrotask(() => this.#fail(getSystemErrorName(status)));
      return true;
    }
    if (!lastWriteWasAsync()) {
      spareRequest = request;
      return true;
    }
    this.#pendingWrites++;
    // The caller may use its list again; libuv still needs what was in it.
    request.bytes = Array.isArray(bytes) ? [...bytes] : bytes;
    request.oncomplete = (written) => {
      request.bytes = null;
      this.#onWritten(written);
    };
    return false;
  }

  #onWritten(status: number): void {
    this.#pendingWrites--;
    if (this.#closed) return;
    if (status < 0) return this.#fail(getSystemErrorName(status));
    if (this.#pendingWrites > 0) return;
    if (this.#endWhenDrained) return this.destroy();
    this.#handler.onDrain();
  }

  #fail(reason: string): void {
    if (this.#closed) return;
    this.destroy();
    if (!this.#endWhenDrained) this.#handler.onClose(reason);
  }
}

/** Addresses and ports of both ends of a connection; empty when it is gone. */
export function endsOf(handle: ConnectionHandle): { host: string; port: number; vip: { host: string; port: number } } {
  return {
    ...readAddress((out) => handle.getpeername(out)),
    vip: readAddress((out) => handle.getsockname(out)),
  };
}

function readAddress(read: (out: SocketAddress) => number): { host: string; port: number } {
  const out: SocketAddress = {};
  if (read(out) < 0) return { host: '', port: 0 };
  // An IPv4 peer of a dual-stack socket is shown, and matched against allow-lists, as IPv4.
  return { host: (out.address ?? '').replace(/^::ffff:/, ''), port: out.port ?? 0 };
}
