import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLUMN_TYPE, MAX_PAYLOAD } from './constants.ts';
import { PacketReader } from './reader.ts';
import { buildBinaryRow, buildColumn, buildResultSet, buildTextRow, type ColumnDefinition } from './result-set.ts';
import { PacketSplitter, type SplitPacket } from './stream.ts';

const split = (bytes: Buffer): readonly SplitPacket[] => new PacketSplitter().push(bytes);
const binary = (type: number, value: string): string =>
  buildBinaryRow([{ name: 'c', type }], [value])
    .subarray(2)
    .toString('hex');

describe('result sets of this process', () => {
  it('case B05: 300 rows, ids wrap', () => {
    const rows = Array.from({ length: 300 }, (_, index) => [String(index), null]);
    const columns = [
      { name: 'name', type: COLUMN_TYPE.VAR_STRING },
      { name: 'value', type: COLUMN_TYPE.VAR_STRING },
    ];
    for (const deprecateEof of [false, true]) {
      const packets = split(buildResultSet({ columns, rows, deprecateEof }));
      expect(packets.map(({ sequence }) => sequence)).toEqual(packets.map((_, index) => (index + 1) & 0xff));
      expect(packets.length).toBe(1 + 2 + (deprecateEof ? 0 : 1) + 300 + 1);
      expect(packets.at(-1)?.payload.toString('hex')).toBe(deprecateEof ? 'fe000002000000' : 'fe00000200');
      const row = new PacketReader(packets.at(-2)?.payload ?? Buffer.alloc(0));
      expect([row.lenencString(), row.lenenc()]).toEqual(['299', null]);
    }
  });

  it('counts both frames of a row of 16 MiB', () => {
    const bytes = buildResultSet({
      columns: [{ name: 'c', type: COLUMN_TYPE.LONG_BLOB }],
      rows: [[Buffer.alloc(MAX_PAYLOAD, 0x61)]],
      deprecateEof: true,
    });
    expect(split(bytes).map(({ sequence }) => sequence)).toEqual([1, 2, 4, 5]);
  });

  it('defines a column as protocol 4.1 has it', () => {
    const column = new PacketReader(
      buildColumn({ name: 'id', type: COLUMN_TYPE.LONG, schema: 'db', table: 't', length: 11 }),
    );
    expect(Array.from({ length: 6 }, () => column.lenencString())).toEqual(['def', 'db', 't', 't', 'id', 'id']);
    expect([column.u8(), column.u16(), column.u32(), column.u8(), column.u16(), column.u8(), column.u16()]).toEqual([
      12, 45, 11, 3, 0, 0, 0,
    ]);
    expect(column.remaining).toBe(0);
  });

  it('text rows read back', () => {
    const value = fc.oneof(fc.constant(null), fc.string({ unit: 'grapheme', maxLength: 300 }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 10 }), (row) => {
        const reader = new PacketReader(buildTextRow(row));
        for (const one of row) {
          if (one === null) expect(reader.u8()).toBe(0xfb);
          else expect(reader.lenencString()).toBe(one);
        }
        expect(reader.remaining).toBe(0);
      }),
    );
  });
});

describe('binary rows', () => {
  it.each([1, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17])('case B52: the NULL bitmap of %i columns', (count) => {
    const columns: ColumnDefinition[] = Array.from({ length: count }, () => ({ name: 'c', type: COLUMN_TYPE.TINY }));
    for (const isNull of [
      () => true,
      () => false,
      (index: number) => index % 2 === 0,
      (index: number) => index === count - 1,
    ]) {
      const reader = new PacketReader(
        buildBinaryRow(
          columns,
          columns.map((_, index) => (isNull(index) ? null : '7')),
        ),
      );
      expect(reader.u8()).toBe(0);
      const bitmap = reader.bytes((count + 2 + 7) >> 3);
      columns.forEach((_, index) => {
        expect(((bitmap[(index + 2) >> 3] ?? 0) >> ((index + 2) & 7)) & 1).toBe(isNull(index) ? 1 : 0);
        if (!isNull(index)) expect(reader.u8()).toBe(7);
      });
      expect(reader.remaining).toBe(0);
    }
  });

  it.each([
    ['TINY', '-1', 'ff'],
    ['TINY', '255', 'ff'],
    ['SHORT', '-2', 'feff'],
    ['YEAR', '2026', 'ea07'],
    ['LONG', '-1', 'ffffffff'],
    ['LONG', '4294967295', 'ffffffff'],
    ['INT24', '-1', 'ffffffff'],
    ['LONGLONG', '-9223372036854775808', '0000000000000080'],
    ['LONGLONG', '18446744073709551615', 'ffffffffffffffff'],
    ['FLOAT', '1.5', '0000c03f'],
    ['DOUBLE', '-1.5', '000000000000f8bf'],
    ['NEWDECIMAL', '1.50', '04312e3530'],
    ['VAR_STRING', 'é', '02c3a9'],
    ['DATE', '2026-11-05', '04ea070b05'],
    ['DATE', '0000-00-00', '00'],
    ['DATETIME', '2026-11-05 00:00:00', '04ea070b05'],
    ['DATETIME', '2026-11-05 13:14:15', '07ea070b050d0e0f'],
    ['TIMESTAMP', '2026-11-05 13:14:15.5', '0bea070b050d0e0f20a10700'],
    ['TIME', '00:00:00', '00'],
    ['TIME', '-50:01:02', '08010200000002' + '0102'],
    ['TIME', '01:02:03.000004', '0c0000000000010203' + '04000000'],
  ] as const)('%s %s', (type, value, expected) => {
    expect(binary(COLUMN_TYPE[type], value)).toBe(expected);
  });

  it.each([
    ['TINY', '256'],
    ['TINY', '-129'],
    ['LONG', '1.5'],
    ['LONGLONG', ''],
    ['DOUBLE', 'abc'],
    ['DOUBLE', ''],
    ['DATETIME', 'yesterday'],
    ['TIME', '12'],
  ] as const)('refuses %s %j and names it', (type, value) => {
    expect(() => binary(COLUMN_TYPE[type], value)).toThrow(RangeError);
  });
});
