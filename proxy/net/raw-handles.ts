/**
 * The one place that touches Node's internal TCP bindings. The public stream classes cost about a fifth more CPU per
 * query on this data path (docs/decisions/0001-raw-tcp-handles.md), so transports work on the handles below them.
 */

import { Socket, type SocketConstructorOpts } from 'node:net';

/** A connection, as far as `Transport` uses one: libuv's own handle, or what `socket-handles.ts` makes to look like it. */
export interface ConnectionHandle {
  /** What it returns replaces the user buffer; undefined keeps it. */
  onread: () => Uint8Array | undefined;
  connect(request: ConnectRequest, address: string, port: number): number;
  connect6(request: ConnectRequest, address: string, port: number): number;
  readStart(): number;
  readStop(): number;
  useUserBuffer(buffer: Uint8Array): void;
  writeBuffer(request: WriteRequest, bytes: Uint8Array): number;
  writev(request: WriteRequest, chunks: readonly Uint8Array[], allBuffers: true): number;
  setNoDelay(enable: boolean): number;
  /** The last two are not in Node's documentation: libuv has them since 1.52, and its own are 1 s and 10 probes. */
  setKeepAlive(enable: boolean, idleSeconds: number, intervalSeconds: number, probes: number): number;
  getsockname(out: SocketAddress): number;
  getpeername(out: SocketAddress): number;
  close(): void;
}

/** A libuv TCP handle, as far as it is used here. */
export interface TcpHandle extends ConnectionHandle {
  readonly fd: number;
  onconnection: (error: number, client: TcpHandle) => void;
  open(fd: number): number;
  bind(address: string, port: number): number;
  bind6(address: string, port: number, flags: number): number;
  listen(backlog: number): number;
}

/** Filled by `getsockname` and `getpeername`. */
export interface SocketAddress {
  address?: string;
  family?: string;
  port?: number;
}

export interface WriteRequest {
  oncomplete: (status: number) => void;
  /** Keeps the bytes alive while libuv still needs them. */
  bytes: Uint8Array | readonly Uint8Array[] | null;
}

export interface ConnectRequest {
  oncomplete: (status: number) => void;
}

interface TcpBinding {
  TCP: new (type: number) => TcpHandle;
  TCPConnectWrap: new () => ConnectRequest;
  constants: { SOCKET: number; SERVER: number };
}

interface StreamBinding {
  WriteWrap: new () => WriteRequest;
  streamBaseState: Int32Array;
  kReadBytesOrError: number;
  kLastWriteWasAsync: number;
}

/** The ways to have connections: `raw-handles.ts` and `socket-handles.ts` each are one, `handles.ts` picks it. */
export interface HandleKind {
  /** As the log and SHOW PROXYINFO BINARY tell it. */
  readonly name: 'raw handles' | 'public sockets';
  /** For one connection that this process opens. */
  newSocketHandle(): ConnectionHandle;
  /** For one `connect`. */
  newConnectRequest(): ConnectRequest;
  /** For one write at a time. */
  newWriteRequest(): WriteRequest;
  /** Bytes of the read that `onread` is being called for; negative: a libuv error number. */
  lastReadResult(): number;
  /** Whether the write just made is still under way. */
  lastWriteWasAsync(): boolean;
  /** A public socket instead of the handle, which is not used any more; it begins to read only when it is told to. */
  socketOf(handle: ConnectionHandle): Socket;
  /** A connection that has come from another process. */
  adopted(handle: ConnectionHandle): ConnectionHandle;
  /** What can be sent to another process; null: it cannot. */
  sendable(handle: ConnectionHandle): TcpHandle | null;
}

/** Raw handles also listen. */
export interface RawHandles extends HandleKind {
  /** A handle that can listen. */
  newServerHandle(): TcpHandle;
}

/** What is called of a handle, here or in `listener.ts`. */
const USED = [
  ...(['open', 'bind', 'bind6', 'listen', 'connect', 'connect6', 'readStart', 'readStop', 'useUserBuffer'] as const),
  ...(['writeBuffer', 'writev', 'setNoDelay', 'setKeepAlive', 'getsockname', 'getpeername', 'close'] as const),
] satisfies (keyof TcpHandle)[];

/** @returns what this Node lacks of them, in words, when it has not got all that is used */
export function loadRawHandles(): RawHandles | string {
  try {
    const tcp = internalBinding('tcp_wrap') as TcpBinding;
    const stream = internalBinding('stream_wrap') as StreamBinding;
    const lacking = lackingOf(tcp, stream);
    return lacking === null ? rawHandles(tcp, stream) : `Node ${process.version} has no ${lacking}`;
  } catch (error) {
    return `Node ${process.version} does not give its bindings: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** @throws Error when Node does not have it, or does not give it */
export const internalBinding = (name: string): unknown =>
  (process as unknown as { binding(name: string): unknown }).binding(name);

function lackingOf(tcp: TcpBinding, stream: StreamBinding): string | null {
  if (typeof tcp.TCPConnectWrap !== 'function') return 'tcp_wrap.TCPConnectWrap';
  if (typeof stream.WriteWrap !== 'function') return 'stream_wrap.WriteWrap';
  const { streamBaseState: state, kReadBytesOrError: read, kLastWriteWasAsync: wasAsync } = stream;
  if (typeof state?.[read] !== 'number' || typeof state[wasAsync] !== 'number') return 'stream_wrap.streamBaseState';
  const handle = new tcp.TCP(tcp.constants.SOCKET);
  const lacking = USED.find((method) => typeof handle[method] !== 'function');
  handle.close();
  return lacking === undefined ? null : `TCP.${lacking}`;
}

function rawHandles(tcp: TcpBinding, stream: StreamBinding): RawHandles {
  return {
    name: 'raw handles',
    newSocketHandle: () => new tcp.TCP(tcp.constants.SOCKET),
    newServerHandle: () => new tcp.TCP(tcp.constants.SERVER),
    newConnectRequest: () => new tcp.TCPConnectWrap(),
    newWriteRequest: () => new stream.WriteWrap(),
    lastReadResult: () => stream.streamBaseState[stream.kReadBytesOrError] ?? 0,
    lastWriteWasAsync: () => stream.streamBaseState[stream.kLastWriteWasAsync] !== 0,
    socketOf: socketAround,
    adopted: (handle) => handle,
    // Nothing else is made here.
    sendable: (handle) => handle as TcpHandle,
  };
}

/** A public socket around a handle. */
export const socketAround = (handle: ConnectionHandle): Socket =>
  new Socket({ handle, manualStart: true } as unknown as SocketConstructorOpts);

/** libuv's end-of-file mark among read results. */
export const UV_EOF = -4095;

/** Handles that are being sent to another process, and whether they are to be closed behind that. */
const beingSent = new Map<ConnectionHandle, boolean>();

/** libuv reads a handle that it has been given to send until that is done: it may not go before. */
export function sendingBegins(handle: TcpHandle): void {
  beingSent.set(handle, false);
}

export function sendingEnds(handle: TcpHandle): void {
  const isToBeClosed = beingSent.get(handle) === true;
  beingSent.delete(handle);
  if (isToBeClosed) handle.close();
}

/** Closes a handle, or has it closed as soon as it is sent. */
export function closeHandle(handle: ConnectionHandle): void {
  if (beingSent.has(handle)) beingSent.set(handle, true);
  else handle.close();
}
