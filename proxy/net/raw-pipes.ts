/**
 * Node's internal Unix-socket bindings: besides raw-handles.ts the one place that touches such. They are what
 * `child_process` hands sockets to other processes with; worker threads have no such channel of their own.
 */
import type { TcpHandle } from './raw-handles.ts';

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
}

const binding = (process as unknown as { binding(name: string): unknown }).binding.bind(process);
const pipe = binding('pipe_wrap') as PipeBinding;
const stream = binding('stream_wrap') as WriteBinding;

/** A handle that can listen on a path. */
export const newPipeServer = (): PipeHandle => new pipe.Pipe(pipe.constants.SERVER);
/** A handle that connections can be sent over, and taken from. */
export const newPassingPipe = (): PipeHandle => new pipe.Pipe(pipe.constants.IPC);
/** For one `connect`. */
export const newPipeConnectRequest = (): PipeConnectRequest => new pipe.PipeConnectWrap();
/** For one write. */
export const newPipeWriteRequest = (): PipeWriteRequest => new stream.WriteWrap();
