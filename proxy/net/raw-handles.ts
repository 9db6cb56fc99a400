/**
 * The one place that touches Node's internal TCP bindings. The public stream classes cost about a fifth more CPU per
 * query on this data path (docs/decisions/0001-raw-tcp-handles.md), so transports work on the handles below them.
 */

import { Socket, type SocketConstructorOpts } from 'node:net';

/** A libuv TCP handle, as far as it is used here. */
export interface TcpHandle {
  readonly fd: number;
  /** What it returns replaces the user buffer; undefined keeps it. */
  onread: () => Uint8Array | undefined;
  onconnection: (error: number, client: TcpHandle) => void;
  open(fd: number): number;
  bind(address: string, port: number): number;
  bind6(address: string, port: number, flags: number): number;
  listen(backlog: number): number;
  connect(request: object, address: string, port: number): number;
  connect6(request: object, address: string, port: number): number;
  readStart(): number;
  readStop(): number;
  useUserBuffer(buffer: Uint8Array): void;
  writeBuffer(request: object, bytes: Uint8Array): number;
  writev(request: object, chunks: readonly Uint8Array[], allBuffers: true): number;
  setNoDelay(enable: boolean): number;
  /** The last two are not in Node's documentation: libuv has them since 1.52, and its own are 1 s and 10 probes. */
  setKeepAlive(enable: boolean, idleSeconds: number, intervalSeconds: number, probes: number): number;
  getsockname(out: SocketAddress): number;
  getpeername(out: SocketAddress): number;
  reset(done?: () => void): number;
  close(done?: () => void): void;
  unref(): void;
}

/** Filled by `getsockname` and `getpeername`. */
export interface SocketAddress {
  address?: string;
  family?: string;
  port?: number;
}

interface WriteRequest {
  oncomplete: (status: number) => void;
  /** Keeps the bytes alive while libuv still needs them. */
  bytes: Uint8Array | readonly Uint8Array[] | null;
}

interface ConnectRequest {
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

const binding = (process as unknown as { binding(name: string): unknown }).binding.bind(process);
const tcp = binding('tcp_wrap') as TcpBinding;
const stream = binding('stream_wrap') as StreamBinding;

/** A handle that can connect or take an accepted connection. */
export const newSocketHandle = (): TcpHandle => new tcp.TCP(tcp.constants.SOCKET);
/** A handle that can listen. */
export const newServerHandle = (): TcpHandle => new tcp.TCP(tcp.constants.SERVER);
/** For one `connect`. */
export const newConnectRequest = (): ConnectRequest => new tcp.TCPConnectWrap();
/** For one write at a time. */
export const newWriteRequest = (): WriteRequest => new stream.WriteWrap();
export type { WriteRequest };

/** A public socket around a connected handle; it begins to read only when it is told to. */
export const socketOf = (handle: TcpHandle): Socket =>
  new Socket({ handle, manualStart: true } as unknown as SocketConstructorOpts);

/** Bytes of the read that `onread` is being called for; negative: a libuv error number. */
export const lastReadResult = (): number => stream.streamBaseState[stream.kReadBytesOrError] ?? 0;
/** Whether the write just made is still under way. */
export const lastWriteWasAsync = (): boolean => stream.streamBaseState[stream.kLastWriteWasAsync] !== 0;

/** libuv's end-of-file mark among read results. */
export const UV_EOF = -4095;

/** Handles that are being sent to another process, and whether they are to be closed behind that. */
const beingSent = new Map<TcpHandle, boolean>();

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
export function closeHandle(handle: TcpHandle): void {
  if (beingSent.has(handle)) beingSent.set(handle, true);
  else handle.close();
}
