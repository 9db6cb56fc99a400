/** Fields of OK packets read in place, without building an object: for the data path. */

/** Bytes that the length-encoded integer at `at` takes. */
export function lenencSize(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  if (first < 0xfb) return 1;
  return first === 0xfc ? 3 : first === 0xfd ? 4 : first === 0xfe ? 9 : 1;
}

/** A length-encoded length; the NULL mark counts as 0. */
export function readLenenc(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  if (first < 0xfb) return first;
  if (first === 0xfc) return buffer.readUInt16LE(at + 1);
  if (first === 0xfd) return buffer.readUIntLE(at + 1, 3);
  if (first === 0xfe) return Number(buffer.readBigUInt64LE(at + 1));
  return 0;
}

/** Where the status flags stand: behind header byte, affected rows and insert id. */
export function okStatusOffset(buffer: Buffer, payloadAt: number): number {
  const insertIdAt = payloadAt + 1 + lenencSize(buffer, payloadAt + 1);
  return insertIdAt + lenencSize(buffer, insertIdAt);
}

/** Status flags of the OK packet whose payload begins at `payloadAt`. */
export function readOkStatus(buffer: Buffer, payloadAt: number): number {
  return buffer.readUInt16LE(okStatusOffset(buffer, payloadAt));
}
