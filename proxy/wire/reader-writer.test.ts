import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OdpError } from '../errors/odp-error.ts';
import { MAX_PAYLOAD } from './constants.ts';
import { PacketReader } from './reader.ts';
import { framePackets, PacketWriter } from './writer.ts';

type Field =
  | { readonly type: 'u8' | 'u16' | 'u24' | 'u32' | 'lenenc'; readonly value: number }
  | { readonly type: 'u64' | 'lenencBig'; readonly value: bigint }
  | { readonly type: 'lenencBytes' | 'bytes'; readonly value: Buffer }
  | { readonly type: 'lenencString' | 'nullString'; readonly value: string };

const numbers = (type: 'u8' | 'u16' | 'u24' | 'u32', max: number): fc.Arbitrary<Field> =>
  fc.integer({ min: 0, max }).map((value) => ({ type, value }));
const buffers = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

const field: fc.Arbitrary<Field> = fc.oneof(
  numbers('u8', 0xff),
  numbers('u16', 0xffff),
  numbers('u24', 0xffffff),
  numbers('u32', 0xffffffff),
  fc
    .oneof(fc.constantFrom(0, 250, 251, 0xffff, 0x10000, 0xffffff, 0x1000000), fc.maxSafeNat())
    .map((value): Field => ({ type: 'lenenc', value })),
  fc
    .bigInt({ min: 0n, max: 2n ** 64n - 1n })
    .chain((value) => fc.constantFrom<Field>({ type: 'u64', value }, { type: 'lenencBig', value })),
  buffers.chain((value) => fc.constantFrom<Field>({ type: 'lenencBytes', value }, { type: 'bytes', value })),
  fc.string({ unit: 'grapheme', maxLength: 80 }).map((value): Field => ({ type: 'lenencString', value })),
  fc
    .string({ unit: 'grapheme', maxLength: 80 })
    .map((value): Field => ({ type: 'nullString', value: value.replaceAll('\0', '') })),
);

function write(writer: PacketWriter, field: Field): void {
  switch (field.type) {
    case 'lenencBig':
      writer.lenenc(field.value);
      break;
    case 'u64':
      writer.u64(field.value);
      break;
    case 'lenencBytes':
    case 'bytes':
      writer[field.type](field.value);
      break;
    case 'lenencString':
    case 'nullString':
      writer[field.type](field.value);
      break;
    default:
      writer[field.type](field.value);
  }
}

const read = (reader: PacketReader, { type, value }: Field): unknown =>
  type === 'bytes' ? reader.bytes(value.length) : reader[type]();

describe('PacketWriter and PacketReader', () => {
  it('read back what was written, from any first size', () => {
    fc.assert(
      fc.property(fc.array(field, { maxLength: 30 }), fc.integer({ min: 0, max: 64 }), (fields, sizeHint) => {
        const writer = new PacketWriter(sizeHint);
        for (const one of fields) write(writer, one);
        const reader = new PacketReader(writer.finish());
        for (const one of fields) expect(read(reader, one)).toEqual(one.value);
        expect(reader.remaining).toBe(0);
      }),
    );
  });

  it('throw MALFORMED_PACKET, and nothing else, where the packet ends too early', () => {
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 8 }), fc.nat(), (fields, cut) => {
        const writer = new PacketWriter();
        for (const one of fields) write(writer, one);
        const whole = writer.finish();
        // Behind the end stands more of the same buffer, which must not be read.
        const reader = new PacketReader(Buffer.concat([whole, Buffer.alloc(16)]), 0, cut % (whole.length + 1));
        try {
          for (const one of fields) read(reader, one);
        } catch (error) {
          if (!(error instanceof OdpError) || error.code !== 'MALFORMED_PACKET') throw error;
        }
        expect(reader.remaining).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('take the NULL mark for a length, and refuse 0xff', () => {
    expect(new PacketReader(Buffer.of(0xfb)).lenenc()).toBe(null);
    expect(new PacketReader(Buffer.of(0xfb)).lenencBytes()).toEqual(Buffer.alloc(0));
    expect(() => new PacketReader(Buffer.of(0xff)).lenenc()).toThrow(/begins with 0xff/);
  });

  it('say what was wanted and what was left', () => {
    expect(() => new PacketReader(Buffer.of(1, 2, 3)).u32()).toThrow('4 bytes wanted at offset 0, 3 left');
  });
});

describe('framePackets', () => {
  it.each([0, 1, MAX_PAYLOAD - 1, MAX_PAYLOAD, MAX_PAYLOAD + 1, 2 * MAX_PAYLOAD])(
    'case B01: cuts %i bytes',
    (length) => {
      const payload = Buffer.alloc(length, 0x61);
      const framed = framePackets(payload, 254);
      const lengths: number[] = [];
      const ids: number[] = [];
      const parts: Buffer[] = [];
      for (let at = 0; at < framed.length; ) {
        const size = framed.readUIntLE(at, 3);
        lengths.push(size);
        ids.push(framed[at + 3] ?? -1);
        parts.push(framed.subarray(at + 4, at + 4 + size));
        at += 4 + size;
      }
      const full = Math.floor(length / MAX_PAYLOAD);
      expect(lengths).toEqual([...Array<number>(full).fill(MAX_PAYLOAD), length % MAX_PAYLOAD]);
      expect(ids).toEqual([254, 255, 0].slice(0, full + 1));
      expect(Buffer.concat(parts).equals(payload)).toBe(true);
    },
  );
});
