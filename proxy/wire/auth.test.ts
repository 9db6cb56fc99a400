import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkNativePassword,
  makeScramble,
  nativePasswordAnswer,
  passwordStage1,
  passwordStage2,
  xorBytes,
} from './auth.ts';

const SCRAMBLE = Buffer.from('abcdefghij0123456789', 'latin1');

describe('mysql_native_password', () => {
  it.each([
    ['pw1', '2b602296a79e0a8784acc5c88d92e46588cca3c3', 'c43256495b3cbf1501ef235098772b51595524d0'],
    ['пароль€', 'fa5db1aec0c260cb4f2336c382bef8409bd1b05d', '618c4d3fe7da9032d03c6c43c5f3a527c4dbb73b'],
    ['x'.repeat(300), '9c4db0fa95428210d936c1f8798a4c32a96ea773', 'a7a8a8b4e5cf14195ba1685832c4ab13b70cacdd'],
  ])('answers and checks known values (%s)', (password, stage2Hex, answerHex) => {
    const stage1 = passwordStage1(password);
    const stage2 = passwordStage2(stage1);
    expect(stage2.toString('hex')).toBe(stage2Hex);
    expect(nativePasswordAnswer(password, SCRAMBLE).toString('hex')).toBe(answerHex);
    expect(nativePasswordAnswer(stage1, SCRAMBLE).toString('hex')).toBe(answerHex);
    expect(checkNativePassword(Buffer.from(answerHex, 'hex'), SCRAMBLE, stage2)).toBe(true);
  });

  it('knows the hash that every MySQL prints for "password"', () => {
    expect(passwordStage2(passwordStage1('password')).toString('hex')).toBe('2470c0c06dee42fd1618bb99005adca2ec9d1e19');
  });

  it('refuses every other answer', () => {
    const stage2 = passwordStage2(passwordStage1('pw1'));
    const answer = nativePasswordAnswer('pw1', SCRAMBLE);
    fc.assert(
      fc.property(fc.nat(19), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const wrong = Buffer.from(answer);
        wrong[at] = (wrong[at] ?? 0) ^ mask;
        expect(checkNativePassword(wrong, SCRAMBLE, stage2)).toBe(false);
      }),
    );
    expect(checkNativePassword(answer, Buffer.alloc(20, 0x61), stage2)).toBe(false);
    for (const length of [0, 1, 19, 21, 255]) {
      expect(checkNativePassword(Buffer.alloc(length, 1), SCRAMBLE, stage2)).toBe(false);
    }
  });

  it('takes the empty password only where none is set', () => {
    expect(nativePasswordAnswer('', SCRAMBLE).length).toBe(0);
    expect(checkNativePassword(Buffer.alloc(0), SCRAMBLE, null)).toBe(true);
    expect(checkNativePassword(Buffer.alloc(20), SCRAMBLE, null)).toBe(false);
    expect(checkNativePassword(Buffer.alloc(0), SCRAMBLE, passwordStage2(passwordStage1('x')))).toBe(false);
  });

  it('case B08: scrambles hold no NUL, no $ and only 7-bit bytes', () => {
    const seen = new Set<string>();
    for (let round = 0; round < 100_000; round++) {
      const scramble = makeScramble();
      if (scramble.length !== 20) throw new Error(`${scramble.length} bytes`);
      for (const byte of scramble) if (byte === 0 || byte === 0x24 || byte > 0x7f) throw new Error(`byte ${byte}`);
      if (round < 1000) seen.add(scramble.toString('hex'));
    }
    expect(seen.size).toBe(1000);
  });

  it('xorBytes is its own inverse', () => {
    const other = makeScramble();
    expect(xorBytes(xorBytes(SCRAMBLE, other), other)).toEqual(SCRAMBLE);
  });
});
