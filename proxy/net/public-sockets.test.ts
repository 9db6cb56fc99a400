/** The tests of connections, over again with Node's public sockets: whoever uses them must not notice. */
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';

process.env.ODP_SOCKETS = 'public';
const { socketsInUse } = await import('./handles.ts');
const { acceptOn, bindSocket } = await import('./listener.ts');
await import('./transport.test.ts');
await import('./tls-transport.test.ts');

describe('public sockets', () => {
  it('are what these tests have', () => {
    expect(socketsInUse).toBe('public sockets (ODP_SOCKETS=public)');
  });

  it.each(['127.0.0.1', '::ffff:127.0.0.1'])('are accepted on a socket bound to %s', async (host) => {
    const bound = bindSocket(host, 0);
    const peer = new Socket();
    await new Promise<void>((resolve) => {
      const listener = acceptOn(bound.fd, (handle) => {
        const ends = {};
        expect(handle.getpeername(ends)).toBe(0);
        expect(ends).toMatchObject({ port: peer.localPort });
        handle.close();
        listener.close();
        resolve();
      });
      peer.connect(bound.port, '127.0.0.1');
    });
    peer.destroy();
  });

  it('tell by what name an address cannot be had', () => {
    const first = bindSocket('127.0.0.1', 0);
    expect(first.port).toBeGreaterThan(0);
    expect(() => bindSocket('192.0.2.1', 0)).toThrow('192.0.2.1:0 cannot be listened on: EADDRNOTAVAIL');
    expect(() => bindSocket('localhost', 0)).toThrow("'localhost' cannot be listened on: it is no IP address");
    first.close();
  });

  it('tell why a descriptor cannot be listened on as soon as Node tells', async () => {
    const reason = new Promise((resolve) => {
      expect(() => acceptOn(9999, () => undefined, resolve)).toThrow('descriptor 9999 cannot be listened on');
    });
    expect(await reason).toMatch(/^E/);
  });
});
