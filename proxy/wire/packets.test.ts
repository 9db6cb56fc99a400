import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { buildEof } from './eof-packet.ts';
import { buildErr, errOf, parseErr } from './err-packet.ts';
import { decodeVariableBlock, encodeVariableBlock } from './ob-variables.ts';
import { buildOk, parseOk } from './ok-packet.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const asText = (pairs: readonly (readonly [string, Buffer])[]): string[] =>
  pairs.map(([name, value]) => `${name}=${value}`);

describe('OK packet', () => {
  it('reads back what it built', () => {
    const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(
        u64,
        u64,
        fc.nat(0xbfff),
        fc.nat(0xffff),
        fc.uint8Array({ maxLength: 300 }),
        (rows, id, status, warnings, message) => {
          const payload = buildOk({ affectedRows: rows, insertId: id, status, warnings, tail: message });
          expect(parseOk(payload, false)).toMatchObject({
            affectedRows: rows,
            insertId: id,
            status,
            warnings,
            state: null,
          });
          expect(parseOk(payload, false).message).toEqual(Buffer.from(message));
        },
      ),
    );
  });

  it.each([
    ['no information at all', '000000 0240 0000', null],
    ['an empty message and a state of no bytes', '000000 0240 0000 00 00', ''],
    ['an unknown type', '000000 0240 0000 00 05 7f03616263', '7f03616263'],
    ['a long state', `000000 0240 0000 00 fc0401 00fc0001${'00'.repeat(256)}`, `00fc0001${'00'.repeat(256)}`],
  ])('case B40: a state flag with %s', (_what, payload, state) => {
    expect(parseOk(hex(payload), true).state?.toString('hex') ?? null).toBe(state);
  });

  it('never throws anything but MALFORMED_PACKET', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.boolean(), (bytes, tracks) => {
        try {
          const { state } = parseOk(Buffer.from(bytes), tracks);
          if (state) decodeVariableBlock(state);
          decodeVariableBlock(Buffer.from(bytes));
        } catch (error) {
          if (!(error instanceof OdpError) || error.code !== 'MALFORMED_PACKET') throw error;
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('ERR and EOF packets', () => {
  it('read back what they built', () => {
    const error = { errno: 65535, sqlState: '08S01', message: 'no ✓ way' };
    expect(parseErr(buildErr(error))).toEqual(error);
    expect(parseErr(hex('ff1004 546f6f'))).toEqual({ errno: 0x410, sqlState: 'HY000', message: 'Too' });
    expect(parseErr(hex('ff2804'))).toEqual({ errno: 1064, sqlState: 'HY000', message: '' });
    expect(() => parseErr(hex('ff28'))).toThrow(OdpError);
  });

  it('carry an error of the product’s table', () => {
    expect(parseErr(errOf(new OdpError('UNKNOWN_THREAD', { id: 7 })))).toEqual({
      errno: 1094,
      sqlState: 'HY000',
      message: 'Unknown thread id: 7',
    });
  });

  it('EOF: warnings, then status', () => {
    expect(buildEof(0x0022, 3).toString('hex')).toBe('fe03002200');
  });
});

describe('variable block of a genuine kernel', () => {
  it('lists system variables behind a result set', () => {
    const ok = parseOk(
      hex(
        '000000224000000042003c1f6f625f656e61626c655f7472616e736d697373696f6e5f636865636b73756d024f4e155f6e6c6a5f6261746368696e675f656e61626c6564024f4e02020131',
      ),
      true,
    );
    expect(ok.status).toBe(0x4022);
    const block = decodeVariableBlock(ok.state ?? Buffer.alloc(0));
    expect(asText(block.system)).toEqual(['ob_enable_transmission_checksum=ON', '_nlj_batching_enabled=ON']);
    expect([block.user, block.schema]).toEqual([[], null]);
  });

  it('lists user variables behind the separator, and is built byte for byte alike', () => {
    const payload = hex('0000002240000000 180012065f5f4e554c4c065f5f4e554c4c01780135 02020131');
    const block = decodeVariableBlock(parseOk(payload, true).state ?? Buffer.alloc(0));
    expect(asText(block.user)).toEqual(['x=5']);
    expect(block.system).toEqual([]);
    const tail = encodeVariableBlock({ user: [['x', Buffer.from('5')]] });
    expect(buildOk({ status: 0x4022, tail }).toString('hex')).toBe(payload.toString('hex'));
  });

  it('reads back any variables and schema', () => {
    const name = fc.string({ minLength: 1, maxLength: 12 });
    const pairs = fc.array(
      fc.tuple(
        name,
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(pairs, pairs, fc.option(fc.string({ minLength: 1, maxLength: 20 })), (system, user, schema) => {
        const tail = encodeVariableBlock({ system, user, ...(schema === null ? {} : { schema }) });
        const ok = parseOk(buildOk({ status: 0x4002, tail }), true);
        expect(decodeVariableBlock(ok.state ?? Buffer.alloc(0))).toEqual({ system, user, schema });
      }),
    );
  });

  it('case B40: takes one pair an entry, a schema, and skips types it does not know', () => {
    const entries = '0009 0161 06 76616c756531'.replaceAll(' ', '');
    const block = decodeVariableBlock(hex(`${entries} 7f03616263 0104 03646231 05 00 000401620132`));
    expect(asText(block.system)).toEqual(['a=value1', 'b=2']);
    expect(block.schema).toBe('db1');
  });
});
