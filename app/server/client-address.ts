import type { IncomingMessage } from 'node:http';

/** Header in which the server tells the route handlers where a request came from; a caller's own is overwritten. */
export const clientAddressHeader = 'x-odp-client-address';

/**
 * The address of the person at the other end. `X-Forwarded-For` is believed only when a reverse proxy is configured,
 * and then only its last entry: the one that this reverse proxy wrote itself.
 */
export function clientAddress(request: IncomingMessage, behindReverseProxy: boolean): string {
  if (behindReverseProxy) {
    const last = request.headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim();
    if (last) return last;
  }
  return (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '');
}
