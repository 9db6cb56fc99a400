import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { makeScramble } from './auth.ts';
import { CAP, NATIVE_PASSWORD } from './constants.ts';
import { buildErr } from './err-packet.ts';
import {
  buildGreeting,
  buildHandshakeResponse,
  type Greeting,
  type HandshakeResponse,
  isSslRequest,
  parseGreeting,
  parseHandshakeResponse,
} from './handshake.ts';

const GREETING: Greeting = {
  serverVersion: '5.7.25-OceanBase',
  connectionId: 0xfedcba98,
  scramble: makeScramble(),
  capabilities: CAP.PROTOCOL_41 | CAP.SECURE_CONNECTION | CAP.PLUGIN_AUTH | CAP.DEPRECATE_EOF | CAP.MULTI_RESULTS,
  collation: 45,
  status: 2,
  authPlugin: NATIVE_PASSWORD,
};

const ALL_FIELDS =
  CAP.PROTOCOL_41 |
  CAP.SECURE_CONNECTION |
  CAP.CONNECT_WITH_DB |
  CAP.PLUGIN_AUTH |
  CAP.PLUGIN_AUTH_LENENC |
  CAP.CONNECT_ATTRS;

const RESPONSE: HandshakeResponse = {
  capabilities: ALL_FIELDS,
  maxPacketBytes: 0x1000000,
  collation: 45,
  user: 'u1@t1#c1',
  authAnswer: Buffer.alloc(20, 0x80),
  database: 'db1',
  authPlugin: NATIVE_PASSWORD,
  attributes: [
    ['_client_name', Buffer.from('libmysql')],
    ['__proxy_scramble', Buffer.from([0, 1, 0xff, 0x80])],
  ],
};

/** The only error that a packet of the log-in phase may end in. */
function expectBadHandshake(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof OdpError) || error.code !== 'BAD_HANDSHAKE') throw error;
    return;
  }
  throw new Error('was accepted');
}

function badHandshakeOrGood(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof OdpError) || error.code !== 'BAD_HANDSHAKE') throw error;
  }
}

describe('greeting', () => {
  it('case B15: reads back what it built, all capability bits', () => {
    expect(parseGreeting(buildGreeting(GREETING))).toEqual(GREETING);
    const bare = { ...GREETING, capabilities: CAP.PROTOCOL_41 | CAP.SECURE_CONNECTION, authPlugin: '' };
    expect(parseGreeting(buildGreeting(bare))).toEqual(bare);
    const everything = { ...GREETING, capabilities: 0xffffffff };
    expect(parseGreeting(buildGreeting(everything))).toEqual(everything);
  });

  it('stands byte for byte as the protocol has it', () => {
    const built = buildGreeting({ ...GREETING, serverVersion: '8', scramble: Buffer.from('abcdefgh123456789012') });
    expect(built.toString('hex')).toBe(
      `0a3800${'98badcfe'}${Buffer.from('abcdefgh').toString('hex')}00${'0082'}2d0200${'0a01'}15${'00'.repeat(10)}` +
        `${Buffer.from('123456789012').toString('hex')}00${Buffer.from(NATIVE_PASSWORD).toString('hex')}00`,
    );
  });

  it('cut at any byte is BAD_HANDSHAKE, or good where only the last NUL is missing', () => {
    const whole = buildGreeting(GREETING);
    const scrambleEnd = whole.length - NATIVE_PASSWORD.length - 2;
    for (let length = 0; length < scrambleEnd; length++) {
      expectBadHandshake(() => parseGreeting(whole.subarray(0, length)));
    }
    expect(parseGreeting(whole.subarray(0, whole.length - 1))).toEqual(GREETING);
  });

  it('tells what a server says that refuses in its place', () => {
    const refusal = buildErr({ errno: 1040, sqlState: '08004', message: 'Too many connections' });
    expect(() => parseGreeting(refusal)).toThrow(
      'Bad handshake: the server refuses with error 1040: Too many connections',
    );
    expect(() => parseGreeting(Buffer.of(9, 0x35, 0))).toThrow(/protocol version 9/);
  });
});

describe('log-in packet', () => {
  it('reads back what it built, with any set of optional fields', () => {
    const text = fc.string({ maxLength: 20 }).map((value) => value.replaceAll('\0', ''));
    const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((value) => Buffer.from(value));
    fc.assert(
      fc.property(
        fc.record({
          optional: fc.subarray([
            CAP.SECURE_CONNECTION,
            CAP.CONNECT_WITH_DB,
            CAP.PLUGIN_AUTH,
            CAP.PLUGIN_AUTH_LENENC,
            CAP.CONNECT_ATTRS,
            CAP.SESSION_TRACK,
          ]),
          user: text,
          authAnswer: bytes(255),
          database: text,
          attributes: fc.array(fc.tuple(text, bytes(300)), { maxLength: 5 }),
        }),
        ({ optional, user, authAnswer, database, attributes }) => {
          const capabilities = optional.reduce<number>((all, bit) => all | bit, CAP.PROTOCOL_41);
          const hasLength = capabilities & (CAP.PLUGIN_AUTH_LENENC | CAP.SECURE_CONNECTION);
          const response: HandshakeResponse = {
            capabilities,
            maxPacketBytes: 0xffffffff,
            collation: 255,
            user,
            authAnswer: hasLength ? authAnswer : Buffer.from(authAnswer.filter((byte) => byte !== 0)),
            database: capabilities & CAP.CONNECT_WITH_DB ? database : '',
            authPlugin: capabilities & CAP.PLUGIN_AUTH ? NATIVE_PASSWORD : '',
            attributes: capabilities & CAP.CONNECT_ATTRS ? attributes : [],
          };
          expect(parseHandshakeResponse(buildHandshakeResponse(response))).toEqual(response);
        },
      ),
    );
  });

  it.each([
    ['0x00', Buffer.of(0), 0],
    ['0x14', Buffer.concat([Buffer.of(0x14), Buffer.alloc(20, 0x90)]), 20],
    ['0x80, which is 128 and not negative', Buffer.concat([Buffer.of(0x80), Buffer.alloc(128, 0x90)]), 128],
    ['fc ff 00, which is 255', Buffer.concat([Buffer.of(0xfc, 0xff, 0), Buffer.alloc(255, 0x90)]), 255],
  ])('case B08: an answer of length %s is read, and the database behind it', (_length, answer, bytes) => {
    const head = buildHandshakeResponse({ ...RESPONSE, authAnswer: Buffer.alloc(0), capabilities: CAP.PROTOCOL_41 });
    head.writeUInt32LE(CAP.PROTOCOL_41 | CAP.PLUGIN_AUTH_LENENC | CAP.CONNECT_WITH_DB, 0);
    const packet = Buffer.concat([head.subarray(0, -1), answer, Buffer.from('db-1\0')]);
    const parsed = parseHandshakeResponse(packet);
    expect(parsed.authAnswer.length).toBe(bytes);
    expect(parsed.database).toBe('db-1');
    expect(parseHandshakeResponse(packet.subarray(0, -1)).database).toBe('db-1');
  });

  it('case B08: an answer longer than the packet is BAD_HANDSHAKE', () => {
    const head = buildHandshakeResponse({ ...RESPONSE, authAnswer: Buffer.alloc(0), capabilities: CAP.PROTOCOL_41 });
    for (const length of [Buffer.of(21), Buffer.of(0xfc, 0xff, 0xff), Buffer.from('feffffffffffffffff', 'hex')]) {
      head.writeUInt32LE(CAP.PROTOCOL_41 | CAP.PLUGIN_AUTH_LENENC, 0);
      const packet = Buffer.concat([head.subarray(0, -1), length, Buffer.alloc(20)]);
      expectBadHandshake(() => parseHandshakeResponse(packet));
    }
  });

  it('case B08: cut at any byte it is BAD_HANDSHAKE or a shorter log-in, never another exception', () => {
    const whole = buildHandshakeResponse(RESPONSE);
    for (let length = 0; length < whole.length; length++) {
      const cut = whole.subarray(0, length);
      if (length < 32) expectBadHandshake(() => parseHandshakeResponse(cut));
      else badHandshakeOrGood(() => parseHandshakeResponse(cut));
    }
  });

  it('of any bytes at all is BAD_HANDSHAKE or read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.boolean(), (bytes, makePlausible) => {
        const packet = Buffer.from(bytes);
        if (makePlausible && packet.length >= 4)
          packet.writeUInt32LE((packet.readUInt32LE(0) | CAP.PROTOCOL_41) >>> 0, 0);
        badHandshakeOrGood(() => parseHandshakeResponse(packet));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps no view of the packet’s buffer', () => {
    const packet = buildHandshakeResponse(RESPONSE);
    const parsed = parseHandshakeResponse(packet);
    packet.fill(0);
    expect(parsed).toEqual(RESPONSE);
  });

  it('refuses the protocol before 4.1 and knows a request for TLS', () => {
    const old = Buffer.alloc(40);
    expect(() => parseHandshakeResponse(old)).toThrow(/protocol 4.1/);
    const request = Buffer.alloc(32);
    request.writeUInt32LE(CAP.PROTOCOL_41 | CAP.SSL, 0);
    expect(isSslRequest(request)).toBe(true);
    expect(isSslRequest(buildHandshakeResponse(RESPONSE))).toBe(false);
    expect(isSslRequest(Buffer.alloc(0))).toBe(false);
  });
});
