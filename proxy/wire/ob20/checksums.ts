/**
 * The two checksums of OceanBase's protocol 2.0, both reflected and without a final inversion. Polynomials and start
 * values were checked against a genuine kernel.
 */

const CRC16_POLYNOMIAL = 0xa001;
const CRC32C_POLYNOMIAL = 0x82f63b78;
/** Bytes that one step of the long checksum takes in. */
const SLICES = 8;

function byteTable(polynomial: number): Int32Array {
  const table = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    table[byte] = value;
  }
  return table;
}

const crc16Table = byteTable(CRC16_POLYNOMIAL);

/** Table k is for a byte that k more bytes follow in the same step: `table[k * 256 + byte]`. */
const crc32cTables = slicedTables(byteTable(CRC32C_POLYNOMIAL));

function slicedTables(first: Int32Array): Int32Array {
  const tables = new Int32Array(SLICES * 256);
  tables.set(first);
  for (let at = 256; at < tables.length; at++) {
    const before = tables[at - 256] ?? 0;
    tables[at] = (before >>> 8) ^ (first[before & 0xff] ?? 0);
  }
  return tables;
}

/** CRC-16/ARC of `bytes[start, end)`: guards a frame's header. */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = (crc >>> 8) ^ (crc16Table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return crc;
}

/**
 * Goes on with the CRC-32C (Castagnoli) of a payload over `bytes[start, end)`.
 * @param before what the bytes before gave, 0 at the beginning
 * @returns signed 32 bits; `>>> 0` gives the number that stands in the frame
 */
export function crc32c(bytes: Uint8Array, start: number, end: number, before: number): number {
  const tables = crc32cTables;
  let crc = before;
  let at = start;
  for (; end - at >= SLICES; at += SLICES) {
    const low = crc ^ readInt32(bytes, at);
    const high = readInt32(bytes, at + 4);
    crc =
      (tables[0x700 | (low & 0xff)] ?? 0) ^
      (tables[0x600 | ((low >>> 8) & 0xff)] ?? 0) ^
      (tables[0x500 | ((low >>> 16) & 0xff)] ?? 0) ^
      (tables[0x400 | (low >>> 24)] ?? 0) ^
      (tables[0x300 | (high & 0xff)] ?? 0) ^
      (tables[0x200 | ((high >>> 8) & 0xff)] ?? 0) ^
      (tables[0x100 | ((high >>> 16) & 0xff)] ?? 0) ^
      (tables[high >>> 24] ?? 0);
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ (tables[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return crc;
}

function readInt32(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}
