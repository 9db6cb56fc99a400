import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as connectTls, createSecureContext, createServer, type SecureContext, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../testing/certificates.ts';
import { acceptTransport, receive } from './testing/accepted-transport.ts';
import { RecordingHandler } from './testing/recording-handler.ts';
import { TlsTransport } from './tls-transport.ts';
import { Transport } from './transport.ts';

const LONG = Buffer.alloc(8 * 1024 * 1024, 'the quick brown fox jumps over the lazy dog');
const authority = makeCertificate('the tests’ authority');
const leaf = makeCertificate('odp.test', authority);
const context = createSecureContext({ ca: authority.certificate, cert: leaf.certificate, key: leaf.key });
const strange = createSecureContext({ ca: makeCertificate('another authority').certificate });

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface Plain {
  readonly transport: Transport;
  readonly handler: RecordingHandler;
  readonly peer: Socket;
}

/** A connection that this side has accepted, still plain. */
async function accepted(): Promise<Plain> {
  const plain = await acceptTransport();
  cleanUps.push(() => void plain.peer.destroy());
  return plain;
}

function taken(tls: TlsTransport | null): TlsTransport {
  if (tls === null) throw new Error('the connection was not taken over');
  cleanUps.push(() => tls.destroy());
  return tls;
}

interface Secured {
  readonly tls: TlsTransport;
  readonly handler: RecordingHandler;
  /** The other end. */
  readonly peer: TLSSocket;
}

/** This side accepts. The client's first handshake bytes come before the change, as they do with real clients. */
async function server(): Promise<Secured> {
  const { transport, handler, peer } = await accepted();
  const client = connectTls({ socket: peer, ca: authority.certificate, checkServerIdentity: () => undefined });
  client.on('error', () => undefined);
  handler.onChunk = () => transport.pause();
  await handler.until(() => handler.byteCount > 0);
  handler.onChunk = () => undefined;
  const early = handler.received;
  handler.chunks.length = 0;
  handler.byteCount = 0;
  const tls = taken(TlsTransport.accept(transport, early, context, handler));
  await handler.until(() => handler.connects === 1);
  return { tls, handler, peer: client };
}

/** This side opens. */
async function client(trusted: SecureContext = context): Promise<Secured> {
  const { handler, tls, peer } = await clientHandshake(trusted);
  await handler.until(() => handler.connects === 2);
  return { tls, handler, peer: await peer };
}

async function clientHandshake(trusted: SecureContext) {
  const listener = createServer({ cert: leaf.certificate, key: leaf.key });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  cleanUps.push(() => void listener.close());
  const peer = once(listener, 'secureConnection').then(([socket]) => {
    const other = socket as TLSSocket;
    other.on('error', () => undefined);
    cleanUps.push(() => void other.destroy());
    return other;
  });
  const handler = new RecordingHandler();
  const transport = Transport.connect('127.0.0.1', port, handler);
  await handler.until(() => handler.connects === 1);
  return { handler, peer, tls: taken(TlsTransport.connect(transport, trusted, handler)) };
}

describe.each([
  ['accepted', server],
  ['opened', client],
] as const)('a TLS connection that was %s', (_how, open) => {
  it('carries bytes both ways', async () => {
    const { tls, handler, peer } = await open();
    expect(tls.write(Buffer.from('ping'))).toBe(true);
    expect((await receive(peer, 4)).toString()).toBe('ping');
    expect(tls.writeAll([Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')])).toBe(true);
    expect((await receive(peer, 3)).toString()).toBe('abc');
    peer.write('pong');
    await handler.until(() => handler.byteCount === 4);
    expect(handler.received.toString()).toBe('pong');
    expect(tls.cipher).toMatch(/^TLSv1\.3 TLS_/);
    expect(tls.draining).toBe(false);
  });

  it('case B11 tells of all that came, whatever the size of the records', async () => {
    const { tls, handler, peer } = await open();
    for (const length of [16_383, 16_384, 16_385, 40_000]) {
      const before = handler.byteCount;
      peer.write(LONG.subarray(0, length));
      await handler.until(() => handler.byteCount === before + length);
      tls.writeAll([LONG.subarray(0, 5), LONG.subarray(5, length)]);
      expect((await receive(peer, length)).equals(LONG.subarray(0, length))).toBe(true);
    }
  });

  it('a buffer may be written anew as soon as a write has answered true', async () => {
    const { tls, peer } = await open();
    const buffer = Buffer.alloc(100);
    const sent: Buffer[] = [];
    for (let round = 0; round < 200; round++) {
      buffer.fill(round);
      sent.push(Buffer.from(buffer));
      expect(tls.write(buffer)).toBe(true);
    }
    expect((await receive(peer, 20_000)).equals(Buffer.concat(sent))).toBe(true);
  });

  it('writes false when the peer does not read, and tells once all has left', async () => {
    const { tls, handler, peer } = await open();
    peer.pause();
    expect(tls.write(LONG)).toBe(false);
    expect(tls.write(Buffer.from('tail'))).toBe(false);
    expect(tls.draining).toBe(true);
    const got = await receive(peer, LONG.length + 4);
    await handler.until(() => handler.drains === 1);
    expect(tls.draining).toBe(false);
    expect(got.subarray(-4).toString()).toBe('tail');
    expect(got.subarray(0, LONG.length).equals(LONG)).toBe(true);
  });

  it('small writes without end are held up, too', async () => {
    const { tls, handler, peer } = await open();
    peer.pause();
    const piece = LONG.subarray(0, 1000);
    let count = 0;
    // A full system buffer first: until then everything leaves.
    while (tls.write(piece)) {
      if (++count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await receive(peer, count * piece.length);
    await handler.until(() => handler.drains === 1);
  });

  it('hands nothing over while it is paused', async () => {
    const { tls, handler, peer } = await open();
    handler.onChunk = () => tls.pause();
    peer.write('first');
    await handler.until(() => handler.byteCount === 5);
    await new Promise<void>((resolve) => peer.write('second', () => resolve()));
    handler.onChunk = () => undefined;
    const echo = Buffer.from('meanwhile');
    tls.write(echo);
    await receive(peer, echo.length);
    expect(handler.byteCount).toBe(5);
    tls.resume();
    await handler.until(() => handler.byteCount === 11);
    expect(handler.received.toString()).toBe('firstsecond');
  });

  it('tells once that the peer has ended, or is gone', async () => {
    for (const [leave, reason] of [
      [(peer: TLSSocket) => peer.end('bye'), /^ended$/],
      [(peer: TLSSocket) => peer.destroy(), /^(ECONNRESET|ended)$/],
    ] as const) {
      const { tls, handler, peer } = await open();
      leave(peer);
      await handler.until(() => handler.closeReasons.length > 0);
      expect(handler.closeReasons.length).toBe(1);
      expect(handler.closeReasons[0]).toMatch(reason);
      expect(tls.closed).toBe(true);
      expect(tls.write(Buffer.from('late'))).toBe(true);
    }
  });

  it('end() sends all that was written first, and tells nobody', async () => {
    const { tls, handler, peer } = await open();
    expect(tls.write(LONG)).toBe(false);
    tls.end();
    tls.end();
    peer.write('too late');
    const ended = once(peer, 'end');
    expect((await receive(peer, LONG.length)).equals(LONG)).toBe(true);
    peer.resume();
    await ended;
    expect([handler.closeReasons, handler.drains]).toEqual([[], 0]);
  });
});

describe('TlsTransport', () => {
  it('bytes that are no TLS end the connection with the reason', async () => {
    const { transport, handler, peer } = await accepted();
    taken(TlsTransport.accept(transport, Buffer.from('GET / HTTP/1.1\r\n\r\n'), context, handler));
    await handler.until(() => handler.closeReasons.length > 0);
    expect(handler.closeReasons[0]).toMatch(/^TLS handshake failed: .*(http request|wrong version)/i);
    peer.resume();
    if (!peer.closed) await once(peer, 'close');
    expect(handler.connects).toBe(0);
  });

  it('a peer that leaves in the handshake is told of once', async () => {
    const { transport, handler, peer } = await accepted();
    taken(TlsTransport.accept(transport, Buffer.from([22, 3, 1]), context, handler));
    peer.end();
    await handler.until(() => handler.closeReasons.length > 0);
    expect(handler.closeReasons).toEqual(['TLS handshake failed: ended']);
  });

  it('bytes that break the stream later end it, too', async () => {
    const { transport, handler, peer } = await accepted();
    const ready = handler.until(() => handler.connects === 1);
    const client = connectTls({ socket: peer, rejectUnauthorized: false });
    client.on('error', () => undefined);
    taken(TlsTransport.accept(transport, Buffer.alloc(0), context, handler));
    await ready;
    // Past the TLS client: a record that nobody has encrypted.
    peer.write(Buffer.concat([Buffer.from([23, 3, 3, 0, 40]), Buffer.alloc(40, 1)]));
    await handler.until(() => handler.closeReasons.length > 0);
    expect(handler.closeReasons.length).toBe(1);
  });

  it('a server whose certificate another authority has signed is refused', async () => {
    const { handler } = await clientHandshake(strange);
    await handler.until(() => handler.closeReasons.length > 0);
    expect(handler.closeReasons[0]).toMatch(/^TLS handshake failed: .*(unable to verify|self-signed|UNABLE_TO)/i);
    expect(handler.connects).toBe(1);
  });

  it('a connection whose peer has not read what was sent is not taken over', async () => {
    const { transport, handler, peer } = await accepted();
    peer.pause();
    expect(transport.write(LONG)).toBe(false);
    expect(TlsTransport.accept(transport, Buffer.alloc(0), context, handler)).toBeNull();
    transport.destroy();
    expect(TlsTransport.accept(transport, Buffer.alloc(0), context, handler)).toBeNull();
  });
});
