import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { acceptOn, bindSocket } from './listener.ts';
import type { ConnectionHandle } from './raw-handles.ts';

describe('bindSocket', () => {
  it('takes a free port and closes it again', () => {
    const first = bindSocket('127.0.0.1', 0);
    expect(first.port).toBeGreaterThan(0);
    first.close();
    const again = bindSocket('127.0.0.1', first.port);
    expect(again.port).toBe(first.port);
    again.close();
  });

  it('names the address and the reason when the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(() => bindSocket('127.0.0.1', port)).toThrow(`127.0.0.1:${port} cannot be listened on: EADDRINUSE`);
    server.close();
  });

  it('names what is no address of this machine, or none at all', () => {
    expect(() => bindSocket('192.0.2.1', 0)).toThrow('192.0.2.1:0 cannot be listened on: EADDRNOTAVAIL');
    expect(() => bindSocket('2001:db8::1', 0)).toThrow(/^\[2001:db8::1\]:0 cannot be listened on: E/);
    expect(() => bindSocket('localhost', 0)).toThrow("'localhost' cannot be listened on: it is no IP address");
  });
});

describe('acceptOn', () => {
  it.each(['127.0.0.1', '::ffff:127.0.0.1'])('accepts on a socket bound to %s', async (host) => {
    const bound = bindSocket(host, 0);
    const handles: ConnectionHandle[] = [];
    const peer = new Socket();
    await new Promise<void>((resolve) => {
      const listener = acceptOn(bound.fd, (handle) => {
        handles.push(handle);
        listener.close();
        resolve();
      });
      peer.connect(bound.port, '127.0.0.1');
    });
    expect(handles.length).toBe(1);
    for (const handle of handles) handle.close();
    peer.destroy();
  });

  it('names the address when two sockets were bound and the other one listens already', () => {
    // Linux lets both bind as long as neither listens.
    const first = bindSocket('127.0.0.1', 0);
    const other = bindSocket('127.0.0.1', first.port);
    const listener = acceptOn(first.fd, () => undefined);
    expect(() => acceptOn(other.fd, () => undefined)).toThrow(
      `127.0.0.1:${first.port} cannot be listened on: EADDRINUSE`,
    );
    listener.close();
  });

  it('names a descriptor that is none', () => {
    expect(() => acceptOn(9999, () => undefined)).toThrow(/^descriptor 9999 cannot be listened on: E/);
  });
});
