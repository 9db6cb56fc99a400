/**
 * Connections by Node's public sockets, with the interface of its internal handles: for a Node whose internals are not
 * what `raw-handles.ts` knows. It costs a quarter more processor time and can do two things less: connections cannot be
 * sent to another process, and of keep-alive only the idle time can be set.
 */
import { Socket } from 'node:net';
import { constants } from 'node:os';
import {
  type ConnectionHandle,
  type ConnectRequest,
  type HandleKind,
  type SocketAddress,
  socketAround,
  UV_EOF,
  type WriteRequest,
} from './raw-handles.ts';
import { sharedBuffer } from './read-buffers.ts';

let readResult = 0;
let writeWasAsync = false;

const noRead = (): undefined => undefined;
/** libuv's number of an error; those that Node itself makes have none. */
const numberOf = (error: NodeJS.ErrnoException): number => error.errno ?? -constants.errno.ECONNABORTED;

/** One connection. */
export class SocketHandle implements ConnectionHandle {
  onread: () => Uint8Array | undefined = noRead;
  readonly #socket: Socket;
  #buffer: Uint8Array = sharedBuffer;
  #connecting: ConnectRequest | null = null;

  /** @param accepted a connection that stands, and does not read yet; left out: one to be opened */
  constructor(accepted?: Socket) {
    this.#socket = accepted ?? this.#newSocket();
    this.#socket.pause();
    if (accepted !== undefined) this.#socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    this.#socket.on('end', () => this.#tell(UV_EOF));
    this.#socket.on('error', (error) => this.#onError(error));
  }

  connect(request: ConnectRequest, host: string, port: number): number {
    this.#connecting = request;
    this.#socket.once('connect', () => {
      this.#connecting = null;
      request.oncomplete(0);
    });
    this.#socket.connect({ host, port, autoSelectFamily: false });
    return 0;
  }

  connect6(request: ConnectRequest, host: string, port: number): number {
    return this.connect(request, host, port);
  }

  readStart(): number {
    this.#socket.resume();
    return 0;
  }

  readStop(): number {
    this.#socket.pause();
    return 0;
  }

  useUserBuffer(buffer: Uint8Array): void {
    this.#buffer = buffer;
  }

  writeBuffer(request: WriteRequest, bytes: Uint8Array): number {
    let isAsync = false;
    this.#socket.write(bytes, (error) => {
      if (isAsync) request.oncomplete(error ? numberOf(error) : 0);
    });
    // What the system takes at once is not counted any more when `write` returns.
    isAsync = this.#socket.writableLength > 0;
    writeWasAsync = isAsync;
    return 0;
  }

  writev(request: WriteRequest, chunks: readonly Uint8Array[]): number {
    const last = chunks.at(-1);
    if (last === undefined) {
      writeWasAsync = false;
      return 0;
    }
    this.#socket.cork();
    for (const chunk of chunks.slice(0, -1)) this.#socket.write(chunk);
    let isAsync = false;
    this.#socket.write(last, (error) => {
      if (isAsync) request.oncomplete(error ? numberOf(error) : 0);
    });
    this.#socket.uncork();
    isAsync = this.#socket.writableLength > 0;
    writeWasAsync = isAsync;
    return 0;
  }

  setNoDelay(enable: boolean): number {
    this.#socket.setNoDelay(enable);
    return 0;
  }

  setKeepAlive(enable: boolean, idleSeconds: number): number {
    this.#socket.setKeepAlive(enable, idleSeconds * 1000);
    return 0;
  }

  getsockname(out: SocketAddress): number {
    const { localAddress, localPort, localFamily } = this.#socket;
    return fill(out, localAddress, localPort, localFamily);
  }

  getpeername(out: SocketAddress): number {
    const { remoteAddress, remotePort, remoteFamily } = this.#socket;
    return fill(out, remoteAddress, remotePort, remoteFamily);
  }

  close(): void {
    this.onread = noRead;
    this.#socket.destroy();
  }

  /** The socket, which is somebody else's from now on. */
  release(): Socket {
    this.onread = noRead;
    for (const event of ['data', 'end', 'error']) this.#socket.removeAllListeners(event);
    return this.#socket;
  }

  #newSocket(): Socket {
    const callback = (count: number): boolean => {
      this.#tell(count);
      return !this.#socket.isPaused();
    };
    const options = { onread: { buffer: () => this.#buffer, callback } };
    return new Socket(options as unknown as ConstructorParameters<typeof Socket>[0]);
  }

  /** An accepted socket's bytes come in buffers of its own, those of a peer that is faster in long ones. */
  #onData(chunk: Buffer): void {
    const count = Math.min(chunk.length, this.#buffer.length);
    this.#buffer.set(chunk.subarray(0, count));
    const rest = chunk.subarray(count);
    // Before anybody is told, who may want no more for the time being.
    if (rest.length > 0) this.#socket.unshift(rest);
    this.#tell(count);
  }

  #onError(error: NodeJS.ErrnoException): void {
    const request = this.#connecting;
    this.#connecting = null;
    if (request === null) this.#tell(numberOf(error));
    else request.oncomplete(numberOf(error));
  }

  #tell(result: number): void {
    readResult = result;
    const buffer = this.onread();
    if (buffer !== undefined) this.#buffer = buffer;
  }
}

function fill(out: SocketAddress, address?: string, port?: number, family?: string): number {
  if (address === undefined || port === undefined) return -constants.errno.ENOTCONN;
  Object.assign(out, { address, port, family });
  return 0;
}

export const socketHandles: HandleKind = {
  name: 'public sockets',
  newSocketHandle: () => new SocketHandle(),
  newConnectRequest: () => ({ oncomplete: () => undefined }),
  newWriteRequest: () => ({ oncomplete: () => undefined, bytes: null }),
  lastReadResult: () => readResult,
  lastWriteWasAsync: () => writeWasAsync,
  socketOf: (handle) => (handle instanceof SocketHandle ? handle.release() : socketAround(handle)),
  adopted: (handle) => (handle instanceof SocketHandle ? handle : new SocketHandle(socketAround(handle))),
  sendable: () => null,
};
