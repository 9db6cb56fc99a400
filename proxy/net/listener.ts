import * as net from 'node:net';
import { getSystemErrorName } from 'node:util';
import { rawHandles } from './handles.ts';
import type { ConnectionHandle, SocketAddress, TcpHandle } from './raw-handles.ts';
import { SocketHandle } from './socket-handles.ts';

const BACKLOG = 511;
/** libuv's flag of bind. */
const UV_TCP_IPV6ONLY = 1;

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
 * @param host an IPv4 or IPv6 address of this machine
 * @param port 0 takes any free one
 * @param ipv6Only keeps IPv4 clients from an IPv6 socket
 * @throws Error with the address and the system's error name when it cannot be had
 */
export function bindSocket(host: string, port: number, ipv6Only = false): BoundSocket {
  const version = net.isIP(host);
  if (version === 0) throw new Error(`'${host}' cannot be listened on: it is no IP address`);
  const handle = boundHandle(host, port, version, ipv6Only ? UV_TCP_IPV6ONLY : 0);
  if (typeof handle === 'number') throw cannotListen(addressText(host, port), getSystemErrorName(handle));
  const bound = portOf(handle);
  // libuv keeps "in use" back until listen(2), which only the workers call: an unbound socket shows it by port 0.
  if (bound === 0) {
    handle.close();
    throw cannotListen(addressText(host, port), 'EADDRINUSE');
  }
  return { fd: handle.fd, handle, host, port: bound, close: () => handle.close() };
}

/**
 * Bound, but not listening: Node has no public way to that. Its cluster module's own is there whatever else is not.
 * @returns libuv's error number when it cannot be had
 */
function boundHandle(host: string, port: number, version: number, flags: number): TcpHandle | number {
  if (rawHandles === null) {
    const { _createServerHandle: create } = net as unknown as { _createServerHandle: CreateServerHandle };
    return create(host, port, version, undefined, flags);
  }
  const handle = rawHandles.newServerHandle();
  const status = version === 6 ? handle.bind6(host, port, flags) : handle.bind(host, port);
  if (status >= 0) return handle;
  handle.close();
  return status;
}

type CreateServerHandle = (
  host: string,
  port: number,
  version: number,
  fd: undefined,
  flags: number,
) => TcpHandle | number;

/**
 * Accepts on an inherited descriptor. The descriptor is taken over: it is closed with the listener, and when the thread
 * ends; so threads side by side each need one of their own.
 * @param onError told of connections that could not be accepted, by the system's error name (e.g. `EMFILE`)
 * @throws Error with the address and the system's error name when it cannot be listened on
 */
export function acceptOn(
  fd: number,
  onConnection: (client: ConnectionHandle) => void,
  onError?: (reason: string) => void,
): { close(): void } {
  if (rawHandles === null) return acceptSockets(fd, onConnection, onError);
  const handle = rawHandles.newServerHandle();
  const opened = handle.open(fd);
  if (opened < 0) throw cannotListen(`descriptor ${fd}`, getSystemErrorName(opened));
  handle.onconnection = (error, client) => {
    if (error === 0) onConnection(client);
    else onError?.(getSystemErrorName(error));
  };
  const listening = handle.listen(BACKLOG);
  if (listening < 0) {
    const out: SocketAddress = {};
    handle.getsockname(out);
    handle.close();
    throw cannotListen(addressText(out.address ?? '', out.port ?? 0), getSystemErrorName(listening));
  }
  return { close: () => handle.close() };
}

/** The same by a public server. Why it cannot listen Node tells later, by `onError`. */
function acceptSockets(
  fd: number,
  onConnection: (client: ConnectionHandle) => void,
  onError?: (reason: string) => void,
): { close(): void } {
  const server = net.createServer({ pauseOnConnect: true }, (socket) => onConnection(new SocketHandle(socket)));
  server.on('error', (error: NodeJS.ErrnoException) => onError?.(error.code ?? error.message));
  server.listen({ fd, backlog: BACKLOG });
  if (!server.listening) throw cannotListen(`descriptor ${fd}`, 'the reason follows');
  return { close: () => void server.close() };
}

const cannotListen = (what: string, reason: string): Error => new Error(`${what} cannot be listened on: ${reason}`);
const addressText = (host: string, port: number): string =>
  net.isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;

function portOf(handle: TcpHandle): number {
  const out: SocketAddress = {};
  return handle.getsockname(out) < 0 ? 0 : (out.port ?? 0);
}
