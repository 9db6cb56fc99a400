/** Which partition of HASH and KEY a row belongs to, in MySQL mode of OceanBase 4. */
import type { KeyColumn } from '../../cluster/partitioning.ts';
import type { KeyValue } from './key-value.ts';
import { murmurHash64 } from './murmur-hash.ts';

const LARGEST = 0x7fffffffffffffffn;

const magnitude = (value: bigint): bigint => (value >= 0n ? value : value < -LARGEST ? LARGEST : -value);

/** HASH hashes nothing: the number itself, without its sign, is divided. NULL counts as 0. */
export function hashIndex(value: KeyValue, count: number): number | null {
  if (Buffer.isBuffer(value)) return null;
  return Number(magnitude(BigInt.asIntN(64, value ?? 0n)) % BigInt(count));
}

/** KEY: the hash of each column seeds the next one's. NULL in DECIMAL was not found to follow the rule, and has no answer. */
export function keyIndex(values: readonly KeyValue[], columns: readonly KeyColumn[], count: number): number | null {
  let hash = 0n;
  for (const [index, column] of columns.entries()) {
    const value = values[index];
    if (value === undefined || (value === null && column.type === DECIMAL)) return null;
    hash = hashValue(value, column, hash);
  }
  return Number(magnitude(BigInt.asIntN(64, hash)) % BigInt(count));
}

const DECIMAL = 39;
const BINARY_COLLATION = 63;
const GENERAL_CI = 45;
/** What NULL is hashed as (found by trial). */
const NULL_BYTES = Buffer.alloc(4);

function hashValue(value: KeyValue, column: KeyColumn, seed: bigint): bigint {
  if (value === null) return murmurHash64(NULL_BYTES, seed);
  if (Buffer.isBuffer(value)) return hashText(value, column.collation, seed);
  return murmurHash64(column.type === DECIMAL ? decimalBytes(value) : longBytes(value), seed);
}

function longBytes(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return bytes;
}

/** As few 32-bit words as hold the number and its sign. */
function decimalBytes(value: bigint): Buffer {
  const words: number[] = [];
  let rest = value;
  do {
    words.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (BigInt.asIntN(32 * words.length, value) !== value);
  const bytes = Buffer.allocUnsafe(words.length * 4);
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, index * 4);
  return bytes;
}

/** Characters that utf8mb4_general_ci hashes at once. */
const CHUNK = 64;

/** Blanks at the end don't count, except in binary texts. */
function hashText(text: Buffer, collation: number, seed: bigint): bigint {
  if (collation === BINARY_COLLATION) return murmurHash64(text, seed);
  let end = text.length;
  while (end > 0 && text[end - 1] === 0x20) end -= 1;
  if (collation !== GENERAL_CI) return murmurHash64(text.subarray(0, end), seed);
  let hash = seed;
  for (let start = 0; start < end; start += CHUNK) {
    const stop = Math.min(end, start + CHUNK);
    const weights = Buffer.alloc((stop - start) * 2);
    for (let at = start; at < stop; at += 1) weights[(at - start) * 2] = upperCase(text[at] as number);
    hash = murmurHash64(weights, hash);
  }
  return hash;
}

/** ASCII only: values with other characters are not calculated. */
export const upperCase = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte);
