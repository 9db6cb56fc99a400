/**
 * Node's internal Unix-socket bindings: besides raw-handles.ts the one place that touches such. They are what
 * `child_process` hands sockets to other processes with; worker threads have no such channel of their own.
 */
import { internalBinding, type TcpHandle } from './raw-handles.ts';

/** A libuv pipe handle, as far as it is used here. */
export interface PipeHandle {
  readonly fd: number;
  /** A connection that came along with the bytes of which `onread` is being told. */
  pendingHandle?: TcpHandle | undefined;
  onread: (bytes: ArrayBuffer | undefined) => void;
  onconnection: (error: number, client: PipeHandle) => void;
  open(fd: number): number;
  bind(path: string): number;
  listen(backlog: number): number;
  connect(request: PipeConnectRequest, path: string): number;
  readStart(): number;
  writeUtf8String(request: PipeWriteRequest, text: string, handle?: TcpHandle): number;
  close(done?: () => void): void;
  unref(): void;
}

interface PipeConnectRequest {
  oncomplete: (status: number) => void;
}

export interface PipeWriteRequest {
  oncomplete: (status: number) => void;
}

interface PipeBinding {
  Pipe: new (type: number) => PipeHandle;
  PipeConnectWrap: new () => PipeConnectRequest;
  constants: { SOCKET: number; SERVER: number; IPC: number };
}

interface WriteBinding {
  WriteWrap: new () => PipeWriteRequest;
  streamBaseState: Int32Array;
  kReadBytesOrError: number;
  kLastWriteWasAsync: number;
}

/** Asked for when it is needed: without them there is no moving of sessions, and all else goes on. */
const pipe = (): PipeBinding => internalBinding('pipe_wrap') as PipeBinding;
const stream = (): WriteBinding => {
  streamBinding ??= internalBinding('stream_wrap') as WriteBinding;
  return streamBinding;
};
let streamBinding: WriteBinding | null = null;

/** Bytes of the read that `onread` is being called for; negative: a libuv error number. */
export function lastPipeRead(): number {
  const { streamBaseState, kReadBytesOrError } = stream();
  return streamBaseState[kReadBytesOrError] ?? 0;
}

/** Whether the write just made is still under way. */
export function lastPipeWriteWasAsync(): boolean {
  const { streamBaseState, kLastWriteWasAsync } = stream();
  return streamBaseState[kLastWriteWasAsync] !== 0;
}

function newPipe(type: 'SERVER' | 'IPC'): PipeHandle {
  const { Pipe, constants } = pipe();
  return new Pipe(constants[type]);
}

/** A handle that can listen on a path. */
export const newPipeServer = (): PipeHandle => newPipe('SERVER');
/** A handle that connections can be sent over, and taken from. */
export const newPassingPipe = (): PipeHandle => newPipe('IPC');
/** For one `connect`. */
export const newPipeConnectRequest = (): PipeConnectRequest => new (pipe().PipeConnectWrap)();
/** For one write. */
export const newPipeWriteRequest = (): PipeWriteRequest => new (stream().WriteWrap)();
