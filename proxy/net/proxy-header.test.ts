import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAP, NATIVE_PASSWORD } from '../wire/constants.ts';
import { buildHandshakeResponse, buildSslRequest } from '../wire/handshake.ts';
import { framePackets } from '../wire/writer.ts';
import { readProxyHeader } from './proxy-header.ts';

const SIGNATURE = '0d0a0d0a000d0a515549540a';
/** As the case has it: 10.0.0.9:40000 to 10.0.0.1:2883, and nothing else. */
const V2_BYTES = Buffer.from(`${SIGNATURE}2111000c0a0000090a0000019c400b43`, 'hex');
const ENDS = { source: { host: '10.0.0.9', port: 40_000 }, destination: { host: '10.0.0.1', port: 2883 } };
const v2 = (hex: string): Buffer => Buffer.from(SIGNATURE + hex, 'hex');
const v1 = (line: string): Buffer => Buffer.from(line, 'latin1');

describe('a PROXY header', () => {
  it.each([
    ['v2 over IPv4', V2_BYTES, ENDS],
    ['v2 with what senders add', v2('211100130a0000090a0000019c400b43ea000401766331'), ENDS],
    [
      'v2 over IPv6',
      v2('2121002420010db8000000000000000000000009fd0000000000000000000000000000019c400b43'),
      { source: { host: '2001:db8::9', port: 40_000 }, destination: { host: 'fd00::1', port: 2883 } },
    ],
    [
      'v2 with IPv4 in IPv6',
      v2('2121002400000000000000000000ffff0a00000900000000000000000000ffff0a0000019c400b43'),
      ENDS,
    ],
    ['v2 LOCAL', v2('20000000'), null],
    ['v2 of a Unix socket', v2(`213100d8${'00'.repeat(216)}`), null],
    ['v1 over IPv4', v1('PROXY TCP4 10.0.0.9 10.0.0.1 40000 2883\r\n'), ENDS],
    [
      'v1 over IPv6',
      v1('PROXY TCP6 2001:DB8:0::9 fd00::1 40000 2883\r\n'),
      { source: { host: '2001:db8::9', port: 40_000 }, destination: { host: 'fd00::1', port: 2883 } },
    ],
    ['v1 UNKNOWN', v1('PROXY UNKNOWN\r\n'), null],
    ['v1 UNKNOWN with addresses', v1('PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\n'), null],
  ])('case B12 %s is read, and is whole with its last byte only', (_what, bytes, ends) => {
    expect(readProxyHeader(bytes)).toEqual({ kind: 'header', length: bytes.length, ends });
    expect(readProxyHeader(Buffer.concat([bytes, Buffer.from('more')]))).toMatchObject({ length: bytes.length, ends });
    for (let length = 0; length < bytes.length; length++) {
      expect(readProxyHeader(bytes.subarray(0, length)), String(length)).toEqual({ kind: 'begun' });
    }
  });

  it.each([
    ['v2 of another version', v2('1111000c0a0000090a0000019c400b43')],
    ['v2 with another command', v2('2211000c0a0000090a0000019c400b43')],
    ['v2 with too little for its addresses', v2('211100080a0000090a000001')],
    ['v2 that announces too much', v2('2111ffff')],
    ['v1 without end', v1(`PROXY TCP4 ${'1'.repeat(200)}`)],
    ['v1 of the other family', v1('PROXY TCP6 10.0.0.9 10.0.0.1 40000 2883\r\n')],
    ['v1 of another protocol', v1('PROXY UDP4 10.0.0.9 10.0.0.1 40000 2883\r\n')],
    ['v1 with a port too large', v1('PROXY TCP4 10.0.0.9 10.0.0.1 40000 65536\r\n')],
    ['v1 with a port missing', v1('PROXY TCP4 10.0.0.9 10.0.0.1 40000\r\n')],
    ['v1 with the zone of an address', v1('PROXY TCP6 fe80::9%eth0 fe80::1%eth0 40000 2883\r\n')],
    ['v1 with more than that', v1('PROXY TCP4 10.0.0.9 10.0.0.1 40000 2883 1\r\n')],
  ])('case B12 %s is refused', (_what, bytes) => {
    expect(() => readProxyHeader(bytes)).toThrow(expect.objectContaining({ code: 'BAD_HANDSHAKE' }));
  });

  it('case B12 is never seen in a log-in packet or a request for TLS', () => {
    const login = { capabilities: CAP.PROTOCOL_41, maxPacketBytes: 0x40000000, collation: 45 };
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (user) => {
        const response = { ...login, user, authAnswer: Buffer.alloc(20), authPlugin: NATIVE_PASSWORD };
        const packet = framePackets(buildHandshakeResponse({ ...response, database: '', attributes: [] }), 1);
        expect(readProxyHeader(packet)).toEqual({ kind: 'none' });
      }),
      { numRuns: 50 },
    );
    expect(readProxyHeader(framePackets(buildSslRequest(login), 1))).toEqual({ kind: 'none' });
  });
});
