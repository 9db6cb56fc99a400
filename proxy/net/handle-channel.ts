/**
 * A Unix socket between two threads of different processes over which messages go, some of them with a TCP connection:
 * the other side then has it as well, and it stands for as long as one of the two keeps it (SCM_RIGHTS).
 */
import { getSystemErrorName } from 'node:util';
import { sendingBegins, sendingEnds, type TcpHandle } from './raw-handles.ts';
import {
  lastPipeRead,
  lastPipeWriteWasAsync,
  newPassingPipe,
  newPipeConnectRequest,
  newPipeServer,
  newPipeWriteRequest,
  type PipeHandle,
} from './raw-pipes.ts';

/** Who is told what happens on a channel. */
export interface ChannelHandler {
  /** @param handle the connection that the message came with, or null */
  onMessage(text: string, handle: TcpHandle | null): void;
  /** The channel is gone, and whatever was on it; told once, not after `close`. */
  onChannelClosed(reason: string): void;
}

const BACKLOG = 64;
/** `sun_path` of Linux without its closing zero: libuv would cut what is longer. */
const MAX_PATH_BYTES = 107;
const END = '\n';

interface Outgoing {
  readonly text: string;
  readonly handle: TcpHandle | null;
  readonly onSent: (() => void) | null;
}

/** Messages are texts without a line break; they arrive whole and in order. */
export class HandleChannel {
  readonly #pipe: PipeHandle;
  readonly #handler: ChannelHandler;
  readonly #decoder = new TextDecoder();
  readonly #queue: Outgoing[] = [];
  /** Connections whose message is not whole yet. */
  readonly #arrived: TcpHandle[] = [];
  #parts: string[] = [];
  #writing = false;
  #closed = false;

  private constructor(pipe: PipeHandle, handler: ChannelHandler) {
    this.#pipe = pipe;
    this.#handler = handler;
    pipe.onread = (bytes) => this.#onRead(bytes);
  }

  /** Resolves when it stands. @throws Error with the path and the system's error name */
  static connect(path: string, handler: ChannelHandler): Promise<HandleChannel> {
    const pipe = newPassingPipe();
    const channel = new HandleChannel(pipe, handler);
    return new Promise((resolve, reject) => {
      const fail = (status: number): void => {
        channel.close();
        reject(new Error(`${path} cannot be connected to: ${getSystemErrorName(status)}`));
      };
      const request = newPipeConnectRequest();
      request.oncomplete = (status) => {
        if (status < 0) return fail(status);
        pipe.readStart();
        resolve(channel);
      };
      const status = pipe.connect(request, path);
      if (status < 0) fail(status);
    });
  }

  /** Takes a descriptor over that `listenForChannels` has told of, in whichever thread. */
  static open(fd: number, handler: ChannelHandler): HandleChannel {
    const pipe = newPassingPipe();
    const status = pipe.open(fd);
    if (status < 0) throw new Error(`descriptor ${fd} is no channel: ${getSystemErrorName(status)}`);
    const channel = new HandleChannel(pipe, handler);
    pipe.readStart();
    return channel;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Sends a message; the connection that goes with it stays this side's as well.
   * @param onSent called when it has left, the earliest moment at which this side may close the connection
   */
  send(text: string, handle: TcpHandle | null = null, onSent: (() => void) | null = null): void {
    if (this.#closed) return;
    if (handle !== null) sendingBegins(handle);
    this.#queue.push({ text, handle, onSent });
    if (!this.#writing) this.#write();
  }

  /** Tells nobody. What was sent before still arrives. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pipe.close();
    for (const handle of this.#arrived.splice(0)) handle.close();
    for (const { handle } of this.#queue.splice(0)) if (handle !== null) sendingEnds(handle);
  }

  #write(): void {
    const next = this.#queue.shift();
    if (next === undefined || this.#closed) return;
    const request = newPipeWriteRequest();
    request.oncomplete = (status) => {
      if (next.handle !== null) sendingEnds(next.handle);
      this.#writing = false;
      if (status < 0) return this.#fail(getSystemErrorName(status));
      next.onSent?.();
      this.#write();
    };
    this.#writing = true;
    // The connection goes along with the first byte, so it is there when the message is whole.
    const text = (next.handle === null ? '-' : '+') + next.text + END;
    const status =
      next.handle === null
        ? this.#pipe.writeUtf8String(request, text)
        : this.#pipe.writeUtf8String(request, text, next.handle);
    if (status < 0) queueMicrotask(() => request.oncomplete(status));
    else if (!lastPipeWriteWasAsync()) request.oncomplete(0);
  }

  #onRead(bytes: ArrayBuffer | undefined): void {
    const result = lastPipeRead();
    const handle = this.#pipe.pendingHandle;
    if (handle !== undefined) {
      this.#pipe.pendingHandle = undefined;
      this.#arrived.push(handle);
    }
    if (result < 0) return this.#fail(getSystemErrorName(result));
    if (bytes === undefined) return;
    // The buffer may be longer than what was read.
    const lines = this.#decoder.decode(new Uint8Array(bytes, 0, result), { stream: true }).split(END);
    for (const [index, line] of lines.entries()) {
      this.#parts.push(line);
      if (index < lines.length - 1) this.#onLine();
    }
  }

  #onLine(): void {
    const line = this.#parts.join('');
    this.#parts = [];
    if (this.#closed) return;
    if (line.startsWith('-')) return this.#handler.onMessage(line.slice(1), null);
    const handle = this.#arrived.shift();
    if (handle === undefined) this.#fail('a connection did not arrive');
    else this.#handler.onMessage(line.slice(1), handle);
  }

  #fail(reason: string): void {
    if (this.#closed) return;
    this.close();
    this.#handler.onChannelClosed(reason);
  }
}

/**
 * Accepted pipes of this process. Node can send connections only over pipes that were made for it, which accepted ones
 * are not: their descriptors are opened a second time as such. The accepted object must never close its descriptor then,
 * which it would at the end of its thread: so this belongs into the main thread, and they are kept for its life.
 */
const accepted: PipeHandle[] = [];

/**
 * Listens for channels; for a thread that lives as long as its process.
 * @param path of a Unix socket that does not exist yet; removed by `close`
 * @param onChannel gets the descriptor for `HandleChannel.open`, to be called exactly once
 * @throws Error with the path and the system's error name
 */
export function listenForChannels(path: string, onChannel: (fd: number) => void): { close(): void } {
  const server = newPipeServer();
  server.onconnection = (error, client) => {
    if (error !== 0) return;
    accepted.push(client);
    onChannel(client.fd);
  };
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw new Error(`${path} is too long for the path of a Unix socket`);
  // Whoever can connect can take sessions over: it is for this account only, from the first moment on.
  const umask = process.umask(0o177);
  let status = server.bind(path);
  process.umask(umask);
  if (status >= 0) status = server.listen(BACKLOG);
  if (status < 0) {
    server.close();
    throw new Error(`${path} cannot be listened on: ${getSystemErrorName(status)}`);
  }
  return { close: () => server.close() };
}
