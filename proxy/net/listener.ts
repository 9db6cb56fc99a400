import { getSystemErrorName } from 'node:util';
import { newServerHandle, type TcpHandle } from './raw-handles.ts';

const BACKLOG = 511;

/** A bound TCP descriptor that is not listening yet: what the supervisor keeps and hands to each generation. */
export interface BoundSocket {
  readonly fd: number;
  /** To be sent to another process. */
  readonly handle: TcpHandle;
  readonly host: string;
  readonly port: number;
  close(): void;
}

/**
 * Binds a TCP port without accepting on it.
 * @param port 0 takes any free one
 * @throws Error with the address and the system's error name when it cannot be had
 */
export function bindSocket(host: string, port: number): BoundSocket {
  const handle = newServerHandle();
  const status = host.includes(':') ? handle.bind6(host, port, 0) : handle.bind(host, port);
  const out: { port?: number } = {};
  handle.getsockname(out);
  // libuv keeps "in use" back until listen(2), which only the workers call: an unbound socket shows it by port 0.
  if (status < 0 || !out.port) {
    handle.close();
    throw new Error(`${host}:${port} cannot be listened on: ${status < 0 ? getSystemErrorName(status) : 'EADDRINUSE'}`);
  }
  return { fd: handle.fd, handle, host, port: out.port, close: () => handle.close() };
}

/** Accepts on an inherited descriptor; each worker thread calls this on a descriptor of its own. */
export function acceptOn(fd: number, onConnection: (client: TcpHandle) => void): { close(): void } {
  const handle = newServerHandle();
  const opened = handle.open(fd);
  if (opened < 0) throw new Error(`descriptor ${fd} cannot be listened on: ${getSystemErrorName(opened)}`);
  handle.onconnection = (error, client) => {
    if (error === 0) onConnection(client);
  };
  const listening = handle.listen(BACKLOG);
  if (listening < 0) throw new Error(`descriptor ${fd} cannot be listened on: ${getSystemErrorName(listening)}`);
  return { close: () => handle.close() };
}
