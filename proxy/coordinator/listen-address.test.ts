import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ConfigView } from '../config/config-view.ts';
import { acceptOn, bindSocket } from '../net/listener.ts';
import { listenAddress } from './listen-address.ts';

/** Whether a client gets through to a socket that is bound as the parameters say. */
async function reaches(parameters: Record<string, string>, host: string): Promise<boolean> {
  const { host: bound, ipv6Only } = listenAddress(new ConfigView(parameters));
  const socket = bindSocket(bound, 0, ipv6Only);
  const listener = acceptOn(socket.fd, (client) => client.close());
  try {
    return await new Promise((resolve) => {
      const client = connect(socket.port, host);
      client.once('connect', () => resolve(true)).once('error', () => resolve(false));
      client.once('connect', () => client.destroy());
    });
  } finally {
    listener.close();
  }
}

describe('case B100: ip_listen_mode', () => {
  const loopback = { local_bound_ip: '127.0.0.1', local_bound_ipv6_ip: '::1' };
  it.each([
    ['1', '127.0.0.1', true],
    ['1', '::1', false],
    ['2', '127.0.0.1', false],
    ['2', '::1', true],
  ])('%s: a client of %s gets in: %s', async (mode, host, expected) => {
    expect(await reaches({ ...loopback, ip_listen_mode: mode }, host)).toBe(expected);
  });

  it('3 is one socket for both families, and not for some addresses only', () => {
    expect(listenAddress(new ConfigView({ ip_listen_mode: '3' }))).toEqual({ host: '::', ipv6Only: false });
    expect(listenAddress(new ConfigView({ ip_listen_mode: '2' }))).toEqual({ host: '::', ipv6Only: true });
    expect(() => listenAddress(new ConfigView({ ...loopback, ip_listen_mode: '3' }))).toThrow('choose 1 or 2');
  });
});
