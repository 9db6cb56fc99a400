import { describe, expect, it } from 'vitest';
import { PacketWriter } from '../wire/writer.ts';
import { readParameters } from './execute-parameters.ts';

const head = (nulls: number) => new PacketWriter(64).u8(0x17).u32(1).u8(0).u32(1).u8(nulls);
const brief = (payload: Buffer, count: number, types: Buffer | null = null) =>
  readParameters(payload, count, types)?.map((value) =>
    value?.kind === 'string' ? value.bytes.toString() : value?.kind === 'number' ? Number(value.text) : value?.kind,
  );

describe('parameters of an EXECUTE', () => {
  it('reads numbers by width and sign, texts and NULLs', () => {
    const payload = head(0b100)
      .u8(1)
      .bytes(Buffer.from([1, 0, 3, 0x80, 8, 0, 8, 0, 253, 0]))
      .u8(0xff)
      .u32(0xffffffff)
      .u64(2n ** 64n - 5n)
      .lenencString('ä')
      .finish();
    expect(brief(payload, 5)).toEqual([-1, 4294967295, 'null', -5, 'ä']);
  });

  it('takes whole DOUBLEs as numbers, and moments as text', () => {
    const double = (value: number) => {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value);
      return bytes;
    };
    const payload = head(0)
      .u8(1)
      .bytes(Buffer.from([5, 0, 5, 0, 10, 0, 12, 0]))
      .bytes(double(-7))
      .bytes(double(0.5))
      .bytes(Buffer.from([4, 0xe8, 7, 2, 29]))
      .bytes(Buffer.from([11, 0xe8, 7, 2, 29, 1, 2, 3, 0x20, 0xa1, 7, 0]))
      .finish();
    expect(brief(payload, 4)).toEqual([-7, undefined, '2024-02-29', '2024-02-29 01:02:03.500000']);
  });

  it('relies on types sent before; without any, or with values cut off, there are none', () => {
    const payload = head(0).u8(0).u8(9).finish();
    expect(brief(payload, 1, Buffer.from([1, 0]))).toEqual([9]);
    expect(readParameters(payload, 1, null)).toBeNull();
    expect(() => readParameters(payload, 1, Buffer.from([8, 0]))).toThrow(/Malformed/);
  });
});
