import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { newSocketHandle } from './handles.ts';
import { bindSocket } from './listener.ts';
import type { ConnectionHandle } from './raw-handles.ts';
import { acceptTransport, receive } from './testing/accepted-transport.ts';
import { RecordingHandler } from './testing/recording-handler.ts';
import { endsOf, Transport } from './transport.ts';

const LONG = Buffer.alloc(32 * 1024 * 1024, 'the quick brown fox jumps over the lazy dog');

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A node:net server on a free port of 127.0.0.1. */
async function listen(): Promise<{ server: Server; port: number; accepted: Promise<Socket> }> {
  const server = createServer();
  const accepted = once(server, 'connection').then(([socket]) => {
    const peer = socket as Socket;
    // A reset is an event here, not a failure of the test.
    peer.on('error', () => undefined);
    cleanUps.push(() => void peer.destroy());
    return peer;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port, accepted };
}

interface Pair {
  readonly transport: Transport;
  readonly handler: RecordingHandler;
  /** The other end. */
  readonly peer: Socket;
}

async function connected(): Promise<Pair> {
  const { port, accepted } = await listen();
  const handler = new RecordingHandler();
  const transport = Transport.connect('127.0.0.1', port, handler);
  cleanUps.push(() => transport.destroy());
  const [peer] = await Promise.all([accepted, handler.until(() => handler.connects === 1)]);
  return { transport, handler, peer };
}

/** The same pair the other way round: this side accepts. */
async function accepted(): Promise<Pair> {
  const pair = await acceptTransport();
  cleanUps.push(
    () => pair.transport.destroy(),
    () => void pair.peer.destroy(),
  );
  return pair;
}

/** The handle of a transport that gives it away. */
function given(transport: Transport): ConnectionHandle {
  const handle = transport.release();
  if (handle === null) throw new Error('the transport is closed');
  cleanUps.push(() => handle.close());
  return handle;
}

describe.each([
  ['opened', connected],
  ['accepted', accepted],
] as const)('a connection that was %s', (_how, open) => {
  it('carries bytes both ways', async () => {
    const { transport, handler, peer } = await open();
    expect(transport.write(Buffer.from('ping'))).toBe(true);
    expect((await receive(peer, 4)).toString()).toBe('ping');
    expect(transport.writeAll([Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')])).toBe(true);
    expect((await receive(peer, 3)).toString()).toBe('abc');
    peer.write('pong');
    await handler.until(() => handler.byteCount === 4);
    expect(handler.received.toString()).toBe('pong');
    expect([transport.draining, handler.drains]).toEqual([false, 0]);
    expect(endsOf(given(transport))).toEqual({
      host: '127.0.0.1',
      port: peer.localPort,
      vip: { host: '127.0.0.1', port: peer.remotePort },
    });
  });

  it('writes false when the peer does not read, and tells once all has left', async () => {
    const { transport, handler, peer } = await open();
    peer.pause();
    expect(transport.write(LONG)).toBe(false);
    expect(transport.write(Buffer.from('tail'))).toBe(false);
    expect(transport.draining).toBe(true);
    const got = await receive(peer, LONG.length + 4);
    await handler.until(() => handler.drains === 1);
    expect(transport.draining).toBe(false);
    expect(got.subarray(0, LONG.length).equals(LONG)).toBe(true);
    expect(got.subarray(LONG.length).toString()).toBe('tail');
    expect(handler.drains).toBe(1);
  });

  it('tells once that the peer has ended', async () => {
    const { transport, handler, peer } = await open();
    peer.end('bye');
    await handler.until(() => handler.closeReasons.length > 0);
    expect(handler.received.toString()).toBe('bye');
    expect(handler.closeReasons).toEqual(['ended']);
    expect(transport.closed).toBe(true);
    expect(transport.write(Buffer.from('late'))).toBe(true);
    transport.destroy();
    expect(handler.closeReasons).toEqual(['ended']);
  });

  it('tells once that the peer has reset', async () => {
    const { handler, peer } = await open();
    peer.resetAndDestroy();
    await handler.until(() => handler.closeReasons.length > 0);
    expect(handler.closeReasons).toEqual(['ECONNRESET']);
  });

  it('tells once that a write under way has failed', async () => {
    const { transport, handler, peer } = await open();
    transport.pause();
    expect(transport.writeAll([LONG, LONG])).toBe(false);
    peer.resetAndDestroy();
    await handler.until(() => handler.closeReasons.length > 0);
    expect(handler.closeReasons.length).toBe(1);
    expect(handler.closeReasons[0]).toMatch(/^(ECONNRESET|EPIPE)$/);
    expect(handler.drains).toBe(0);
  });
});

describe('Transport', () => {
  it('reads no further while it is paused, and on after resume', async () => {
    const { transport, handler, peer } = await accepted();
    handler.onChunk = () => {
      if (handler.chunks.length === 1) transport.pause();
    };
    peer.write('first');
    await handler.until(() => handler.byteCount === 5);
    await new Promise<void>((resolve) => peer.write('second', () => resolve()));
    // Another connection makes its round through the same event loop: this one's bytes have long been there.
    const other = await connected();
    other.peer.write('x');
    await other.handler.until(() => other.handler.byteCount === 1);
    expect(handler.byteCount).toBe(5);
    transport.resume();
    await handler.until(() => handler.byteCount === 11);
    expect(handler.received.toString()).toBe('firstsecond');
  });

  it.each(['write', 'writeRange', 'writeAll'] as const)(
    'all connections read into one buffer, and what %s has passed on of it to a slow reader stays as it was',
    async (how) => {
      const [source, target, other] = [await accepted(), await connected(), await accepted()];
      target.peer.pause();
      expect(target.transport.write(LONG)).toBe(false);
      const buffers = new Set<unknown>();
      source.handler.onChunk = (chunk, length) => {
        buffers.add(chunk.buffer);
        if (how === 'write') target.transport.write(chunk.subarray(0, length));
        else if (how === 'writeRange') target.transport.writeRange(chunk, 0, length);
        else target.transport.writeAll([chunk.subarray(0, 1), chunk.subarray(1, length)]);
      };
      other.handler.onChunk = (chunk) => buffers.add(chunk.buffer);
      const sent = ['short', Buffer.alloc(1500, 'middle').toString(), Buffer.alloc(9000, 'long').toString()];
      for (const text of sent) {
        const before = source.handler.byteCount;
        source.peer.write(text);
        await source.handler.until(() => source.handler.byteCount === before + text.length);
        const [noise, seen] = ['#'.repeat(10_000), other.handler.byteCount];
        other.peer.write(noise);
        await other.handler.until(() => other.handler.byteCount === seen + noise.length);
      }
      expect(buffers.size).toBe(1);
      const tail = sent.join('');
      const got = await receive(target.peer, LONG.length + tail.length);
      expect(got.subarray(LONG.length).toString()).toBe(tail);
    },
  );

  it('has a buffer of its own while reads are full, keeps it as it is while paused, and returns to the shared one', async () => {
    const { transport, handler, peer } = await accepted();
    const shared = new Set<unknown>();
    handler.onChunk = (chunk) => void shared.add(chunk.buffer);
    peer.write('x');
    await handler.until(() => handler.byteCount === 1);
    const kept: { view: Buffer; copy: Buffer }[] = [];
    handler.onChunk = (chunk, length) => {
      if (shared.has(chunk.buffer) || kept.length > 0) return;
      kept.push({ view: chunk.subarray(0, length), copy: Buffer.from(chunk.subarray(0, length)) });
      transport.pause();
    };
    const sent = LONG.subarray(0, 8 * 1024 * 1024);
    peer.write(sent);
    await handler.until(() => kept.length === 1);
    const other = await connected();
    other.peer.write('y'.repeat(1000));
    await other.handler.until(() => other.handler.byteCount === 1000);
    expect(kept[0]?.view.equals(kept[0].copy)).toBe(true);
    transport.resume();
    await handler.until(() => handler.byteCount === sent.length + 1);
    expect(Math.max(...handler.chunks.map(({ length }) => length))).toBe(64 * 1024);
    expect(handler.received.subarray(1).equals(sent)).toBe(true);
    // The end of something long may fill its buffer: the next short one does not.
    for (const text of ['one', 'two']) {
      const before = handler.byteCount;
      handler.onChunk = (chunk) => void kept.push({ view: chunk, copy: chunk });
      peer.write(text);
      await handler.until(() => handler.byteCount === before + text.length);
    }
    expect(shared.has(kept.at(-1)?.view.buffer)).toBe(true);
  });

  it('C16 relays a long stream to a slow reader with one chunk in flight', async () => {
    const [source, target] = [await accepted(), await connected()];
    let inFlight = 0;
    let mostInFlight = 0;
    source.handler.onChunk = (chunk, length) => {
      expect(inFlight).toBe(0);
      if (target.transport.write(chunk.subarray(0, length))) return;
      inFlight = length;
      mostInFlight = Math.max(mostInFlight, inFlight);
      source.transport.pause();
    };
    const onDrain = target.handler.onDrain.bind(target.handler);
    target.handler.onDrain = () => {
      inFlight = 0;
      source.transport.resume();
      onDrain();
    };
    target.peer.pause();
    source.peer.end(LONG);
    await new Promise<void>((resolve) => {
      const onChunk = source.handler.onChunk;
      source.handler.onChunk = (chunk, length) => {
        onChunk(chunk, length);
        if (inFlight > 0) resolve();
      };
    });
    expect(source.handler.byteCount).toBeLessThan(LONG.length);
    const got = await receive(target.peer, LONG.length);
    expect(got.equals(LONG)).toBe(true);
    expect(mostInFlight).toBeGreaterThan(0);
    expect(mostInFlight).toBeLessThanOrEqual(64 * 1024);
  });

  it('tells the system’s error name when nobody listens', async () => {
    const bound = bindSocket('127.0.0.1', 0);
    const handler = new RecordingHandler();
    Transport.connect('127.0.0.1', bound.port, handler);
    await handler.until(() => handler.closeReasons.length > 0);
    bound.close();
    expect([handler.closeReasons, handler.connects]).toEqual([['ECONNREFUSED'], 0]);
  });

  it('tells what is no address by onClose, after connect has returned', async () => {
    const handler = new RecordingHandler();
    Transport.connect('localhost', 1, handler);
    expect(handler.closeReasons).toEqual([]);
    await handler.until(() => handler.closeReasons.length > 0);
    expect(handler.closeReasons).toEqual(['EADDRNOTAVAIL']);
    expect(endsOf(newSocketHandle())).toEqual({ host: '', port: 0, vip: { host: '', port: 0 } });
  });

  it('may be given up while it connects', async () => {
    const { port, server } = await listen();
    const handler = new RecordingHandler();
    const transport = Transport.connect('127.0.0.1', port, handler);
    transport.destroy();
    transport.destroy();
    const other = new RecordingHandler();
    const second = Transport.connect('127.0.0.1', port, other);
    await other.until(() => other.connects === 1);
    expect([handler.connects, handler.closeReasons]).toEqual([0, []]);
    second.destroy();
    server.close();
  });

  it('keeps what is written, and a pause, from before the connection stands', async () => {
    const { port, accepted: peerAccepted } = await listen();
    const handler = new RecordingHandler();
    const transport = Transport.connect('127.0.0.1', port, handler);
    cleanUps.push(() => transport.destroy());
    transport.write(Buffer.from('early'));
    transport.pause();
    const peer = await peerAccepted;
    expect((await receive(peer, 5)).toString()).toBe('early');
    await new Promise<void>((resolve) => peer.write('data', () => resolve()));
    await handler.until(() => handler.connects === 1);
    expect(handler.byteCount).toBe(0);
    transport.resume();
    await handler.until(() => handler.byteCount === 4);
  });

  it('end() sends all that was written first, and tells nobody', async () => {
    const { transport, handler, peer } = await accepted();
    peer.pause();
    expect(transport.write(LONG)).toBe(false);
    transport.end();
    transport.end();
    expect(transport.closed).toBe(false);
    const ended = once(peer, 'end');
    expect((await receive(peer, LONG.length)).equals(LONG)).toBe(true);
    peer.resume();
    await ended;
    expect(transport.closed).toBe(true);
    expect([handler.closeReasons, handler.drains]).toEqual([[], 0]);
  });

  it('end() without anything under way closes at once', async () => {
    const { transport, handler, peer } = await accepted();
    transport.write(Buffer.from('last'));
    transport.end();
    expect(transport.closed).toBe(true);
    const ended = once(peer, 'end');
    expect((await receive(peer, 4)).toString()).toBe('last');
    peer.resume();
    await ended;
    expect(handler.closeReasons).toEqual([]);
  });

  it('end() tells nobody when the peer goes away before it has read all', async () => {
    const { transport, handler, peer } = await accepted();
    peer.pause();
    expect(transport.write(LONG)).toBe(false);
    transport.end();
    peer.resetAndDestroy();
    const witness = await connected();
    while (!transport.closed) {
      witness.peer.write('x');
      const { byteCount } = witness.handler;
      await witness.handler.until(() => witness.handler.byteCount > byteCount);
    }
    expect(handler.closeReasons).toEqual([]);
  });

  it('may be destroyed and handed over from within its own events', async () => {
    const { transport, handler, peer } = await accepted();
    const later = new RecordingHandler();
    handler.onChunk = () => {
      transport.handler = later;
    };
    later.onChunk = () => transport.destroy();
    peer.write('one');
    await handler.until(() => handler.byteCount === 3);
    const closed = once(peer, 'close');
    peer.write('two');
    await later.until(() => later.byteCount === 3);
    peer.resume();
    await closed;
    expect([handler.byteCount, later.closeReasons]).toEqual([3, []]);
  });

  it('keeps the pieces of a list that its owner uses again', async () => {
    const { transport, handler, peer } = await accepted();
    peer.pause();
    const list = [LONG, Buffer.from('end')];
    expect(transport.writeAll(list)).toBe(false);
    list.length = 0;
    const got = await receive(peer, LONG.length + 3);
    expect(got.subarray(-3).toString()).toBe('end');
    await handler.until(() => handler.drains === 1);
  });

  it('shows an IPv4 peer of an IPv6 socket as IPv4', async () => {
    const { port, accepted: peerAccepted } = await listen();
    const handler = new RecordingHandler();
    const transport = Transport.connect('::ffff:127.0.0.1', port, handler);
    cleanUps.push(() => transport.destroy());
    await Promise.all([peerAccepted, handler.until(() => handler.connects === 1)]);
    expect(endsOf(given(transport))).toMatchObject({ host: '127.0.0.1', port, vip: { host: '127.0.0.1' } });
  });

  it('works in a worker thread', async () => {
    const bound = bindSocket('127.0.0.1', 0);
    const worker = new Worker(new URL('./testing/echo-worker.ts', import.meta.url), { workerData: bound.fd });
    cleanUps.push(() => worker.terminate());
    expect(await once(worker, 'message')).toEqual(['listening']);
    const handler = new RecordingHandler();
    const transport = Transport.connect('127.0.0.1', bound.port, handler);
    await handler.until(() => handler.connects === 1);
    transport.write(Buffer.from('over there'));
    await handler.until(() => handler.byteCount === 10);
    const closed = once(worker, 'message');
    transport.end();
    expect(await closed).toEqual(['ended']);
  });
});
