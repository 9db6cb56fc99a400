import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OdpError } from '../../errors/odp-error.ts';
import { decodeExtraInfo, EXTRA_INFO, encodeExtraInfo } from './extra-info.ts';
import { blockValue, makeBlock, SESSION_BLOCK, splitBlocks } from './session-blocks.ts';

const state = { type: EXTRA_INFO.SESSION_STATE, value: Buffer.from('abc') };

describe('extra information', () => {
  it('is type, length and value in the new form', () => {
    expect(encodeExtraInfo([state], true).toString('hex')).toBe('d20703000000616263');
  });

  it('is pairs of serialised varchars in the old form', () => {
    const encoded = encodeExtraInfo([state], false);
    expect(encoded.toString('latin1')).toBe('\x16\x04\x2d\xff\x08sess_inf\0\x16\x04\x2d\xff\x03abc\0');
  });

  it('may hold, in the old form, values longer than one byte counts, and names nobody knows', () => {
    const long = { type: EXTRA_INFO.FULL_TRACE, value: Buffer.alloc(20_000, 'z') };
    expect(decodeExtraInfo(encodeExtraInfo([long], false), false)).toEqual([long]);
    const named = encodeExtraInfo([state], false);
    named.write('what_ist', 5);
    expect(decodeExtraInfo(named, false)).toEqual([{ type: -1, value: state.value }]);
    expect(() => encodeExtraInfo([{ type: 1234, value: state.value }], false)).toThrow(RangeError);
  });

  it.each([true, false])('that does not fit its length is refused (new form: %s)', (isNew) => {
    const encoded = encodeExtraInfo([state, state], isNew);
    const ends = new Set([encoded.length / 2, encoded.length]);
    for (let end = 1; end <= encoded.length; end++) {
      const decode = () => decodeExtraInfo(encoded.subarray(0, end), isNew);
      if (ends.has(end)) expect(decode()).toHaveLength(end / (encoded.length / 2));
      else expect(decode).toThrow(OdpError);
    }
  });

  it('of any bytes is read or refused, never worse', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, isNew) => {
        try {
          decodeExtraInfo(Buffer.from(bytes), isNew);
        } catch (error) {
          expect(error).toBeInstanceOf(OdpError);
        }
      }),
    );
  });
});

describe('session-state blocks', () => {
  it('of the types 0 to 8 come back as they were made, each with its head', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            type: fc.constantFrom(...Object.values(SESSION_BLOCK)),
            value: fc.uint8Array({ maxLength: 80 }),
          }),
          { maxLength: 9 },
        ),
        (wanted) => {
          const blocks = wanted.map(({ type, value }) => makeBlock(type, value));
          const read = splitBlocks(Buffer.concat(blocks.map(({ bytes }) => bytes)));
          expect(read).toEqual(blocks);
          expect(read.map(blockValue)).toEqual(wanted.map(({ value }) => Buffer.from(value)));
        },
      ),
    );
  });

  it('cut off are refused', () => {
    const { bytes } = makeBlock(SESSION_BLOCK.TRANSACTION_STATIC, Buffer.from('xyz'));
    for (let end = 1; end < bytes.length; end++) expect(() => splitBlocks(bytes.subarray(0, end))).toThrow(OdpError);
  });
});
