/** MurmurHash64A, by Austin Appleby: what OceanBase 4 spreads the rows of KEY partitions with. */

const M = 0xc6a4a7935bd1e995n;
const MASK = 0xffffffffffffffffn;

const multiply = (value: bigint): bigint => (value * M) & MASK;

export function murmurHash64(bytes: Buffer, seed: bigint): bigint {
  const { length } = bytes;
  let hash = seed ^ multiply(BigInt(length));
  let at = 0;
  for (; at + 8 <= length; at += 8) {
    let block = multiply(bytes.readBigUInt64LE(at));
    block = multiply(block ^ (block >> 47n));
    hash = multiply(hash ^ block);
  }
  if (at < length) {
    let rest = 0n;
    for (let last = length - 1; last >= at; last -= 1) rest = (rest << 8n) | BigInt(bytes[last] as number);
    hash = multiply(hash ^ rest);
  }
  hash = multiply(hash ^ (hash >> 47n));
  return hash ^ (hash >> 47n);
}
