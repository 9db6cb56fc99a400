/** mysql_native_password: answer = SHA1(password) XOR SHA1(scramble + SHA1(SHA1(password))). */
import { createHash, randomFillSync, timingSafeEqual } from 'node:crypto';

/** Bytes of a scramble, without the zero that ends it in the greeting. */
export const SCRAMBLE_LENGTH = 20;

const sha1 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** 20 random bytes in 0x01–0x7f without `$`: some clients cut the nonce at a NUL, some servers at a `$` (case B08). */
export function makeScramble(): Buffer {
  if (randomAt === random.length) {
    randomFillSync(random);
    randomAt = 0;
  }
  const scramble = Buffer.allocUnsafeSlow(SCRAMBLE_LENGTH);
  for (let index = 0; index < SCRAMBLE_LENGTH; index++) {
    const byte = (random[randomAt] ?? 0) & 0x7f;
    random[randomAt++] = 0;
    scramble[index] = byte === 0 || byte === 0x24 ? byte + 1 : byte;
  }
  return scramble;
}

/** Random bytes for the next scrambles: asking for many at once costs hardly more than for a few. None is used twice. */
const random = new Uint8Array(64 * SCRAMBLE_LENGTH);
let randomAt = random.length;

/** SHA1 of the password: what the answer is made with, and what the reference stores as 40 hex digits. */
export function passwordStage1(password: string): Buffer {
  return sha1(Buffer.from(password, 'utf8'));
}

/** SHA1 of stage 1: what a server stores. */
export function passwordStage2(stage1: Uint8Array): Buffer {
  return sha1(stage1);
}

/** The client's answer to a scramble; empty for an empty password. */
export function nativePasswordAnswer(password: string | Uint8Array, scramble: Uint8Array): Buffer {
  if (password.length === 0) return Buffer.alloc(0);
  const stage1 = typeof password === 'string' ? passwordStage1(password) : password;
  return xorBytes(stage1, sha1(scramble, passwordStage2(stage1)));
}

/**
 * Whether an answer proves the password whose stage 2 is given; null stage 2 stands for the empty password.
 */
export function checkNativePassword(answer: Uint8Array, scramble: Uint8Array, stage2: Uint8Array | null): boolean {
  if (stage2 === null) return answer.length === 0;
  if (answer.length !== SCRAMBLE_LENGTH) return false;
  const stage1 = xorBytes(answer, sha1(scramble, stage2));
  return timingSafeEqual(passwordStage2(stage1), stage2);
}

/** `a XOR b`, as long as `a`. Also makes `__proxy_scramble` out of the proxy's and the server's scrambles. */
export function xorBytes(a: Uint8Array, b: Uint8Array): Buffer {
  const result = Buffer.from(a);
  for (let index = 0; index < result.length; index++) {
    result[index] = (result[index] ?? 0) ^ (b[index] ?? 0);
  }
  return result;
}
