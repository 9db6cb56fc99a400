import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../testing/proxy.ts';
import { type ChannelHandler, HandleChannel, listenForChannels } from './handle-channel.ts';
import { acceptOn, bindSocket } from './listener.ts';
import type { TcpHandle } from './raw-handles.ts';
import { socketAround } from './raw-handles.ts';
import { receive } from './testing/accepted-transport.ts';
import { RecordingHandler } from './testing/recording-handler.ts';
import { Transport } from './transport.ts';

class Recorder implements ChannelHandler {
  readonly messages: { text: string; handle: TcpHandle | null }[] = [];
  readonly closed: string[] = [];
  onMessage(text: string, handle: TcpHandle | null): void {
    this.messages.push({ text, handle });
  }
  onChannelClosed(reason: string): void {
    this.closed.push(reason);
  }
}

describe('channels that connections are handed over', () => {
  let folder: string;
  const cleanUps: (() => unknown)[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'channel-'));
  });

  afterEach(() => {
    for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp();
    rmSync(folder, { recursive: true });
  });

  async function pair() {
    const [near, far] = [new Recorder(), new Recorder()];
    const path = join(folder, 'a');
    let opened: HandleChannel | null = null;
    const listener = listenForChannels(path, (fd) => {
      opened = HandleChannel.open(fd, far);
    });
    const sender = await HandleChannel.connect(path, near);
    await until('the channel stands', () => opened !== null);
    const receiver = opened as unknown as HandleChannel;
    cleanUps.push(
      () => listener.close(),
      () => sender.close(),
      () => receiver.close(),
    );
    return { near, far, sender, receiver };
  }

  /** A connection that this process has accepted, and its other end. */
  async function connection(): Promise<{ handle: TcpHandle; peer: Socket }> {
    const bound = bindSocket('127.0.0.1', 0);
    const peer = new Socket();
    const handle = await new Promise<TcpHandle>((resolve) => {
      const listener = acceptOn(bound.fd, (client) => {
        listener.close();
        resolve(client as TcpHandle);
      });
      peer.connect(bound.port, '127.0.0.1');
    });
    cleanUps.push(() => peer.destroy());
    return { handle, peer };
  }

  it('carry texts both ways, whole and in order', async () => {
    const { near, far, sender, receiver } = await pair();
    const long = 'ä'.repeat(300_000);
    sender.send('one');
    sender.send(long);
    sender.send('');
    receiver.send('back');
    await until('all are there', () => far.messages.length === 3 && near.messages.length === 1);
    expect(far.messages.map(({ text }) => text)).toEqual(['one', long, '']);
    expect(near.messages).toEqual([{ text: 'back', handle: null }]);
  });

  it('C17 a connection that was handed over goes on when the one who has sent it closes its own', async () => {
    const { far, sender } = await pair();
    const { handle, peer } = await connection();
    sender.send('take it', handle);
    await until('it is there', () => far.messages.length === 1);
    handle.close();
    const taken = far.messages[0]?.handle;
    if (!taken) throw new Error('no connection came');
    const socket = socketAround(taken);
    cleanUps.push(() => socket.destroy());
    socket.resume();
    socket.write('hello');
    expect((await receive(peer, 5)).toString()).toBe('hello');
    peer.write('bye');
    expect((await receive(socket, 3)).toString()).toBe('bye');
  });

  it('each of many connections comes with its own message', async () => {
    const { far, sender } = await pair();
    const connections = await Promise.all(Array.from({ length: 20 }, connection));
    const ports = connections.map(({ peer }) => String(peer.localPort));
    for (const [index, { handle }] of connections.entries()) {
      sender.send('between');
      sender.send(`${ports[index]} ${'x'.repeat(index * 5000)}`, handle);
    }
    await until('all are there', () => far.messages.length === 40);
    const got = far.messages.filter(({ handle }) => handle !== null);
    for (const { text, handle } of got) {
      const out: { port?: number } = {};
      handle?.getpeername(out);
      expect(`${out.port}`).toBe(text.split(' ')[0]);
      handle?.close();
    }
    expect(got.map(({ text }) => text.split(' ')[0])).toEqual(ports);
    for (const { handle } of connections) handle.close();
  });

  it('C17 a connection that is closed while it waits to be sent is sent all the same', async () => {
    const { far, sender } = await pair();
    const { handle, peer } = await connection();
    const transport = Transport.accepted(handle, new RecordingHandler());
    // More than the system takes at once: what is behind it has to wait.
    sender.send('x'.repeat(8_000_000));
    sender.send('take it', transport.lend());
    transport.destroy();
    await until('both are there', () => far.messages.length === 2);
    const taken = far.messages[1]?.handle;
    if (!taken) throw new Error('no connection came');
    const socket = socketAround(taken);
    cleanUps.push(() => socket.destroy());
    socket.write('hello');
    expect((await receive(peer, 5)).toString()).toBe('hello');
  });

  it('tell when the other side is gone, after what it has said', async () => {
    const { near, receiver } = await pair();
    receiver.send('last word');
    receiver.close();
    await until('it is told', () => near.closed.length === 1);
    expect(near.messages.map(({ text }) => text)).toEqual(['last word']);
    expect(near.closed).toEqual(['EOF']);
  });

  it('a path that nobody listens on is told by name', async () => {
    const path = join(folder, 'none');
    await expect(HandleChannel.connect(path, new Recorder())).rejects.toThrow(`${path} cannot be connected to: ENOENT`);
    const server = createServer();
    server.listen(path);
    await once(server, 'listening');
    expect(() => listenForChannels(path, () => undefined)).toThrow(`${path} cannot be listened on: EADDRINUSE`);
    server.close();
  });
});
