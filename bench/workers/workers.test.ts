import { expect, it } from 'vitest';
import { possibleRatio } from './possible.ts';

it('two workers can be twice one only where what runs beside them has cores of its own, or costs nothing', () => {
  expect(possibleRatio(4, 10, 10)).toBe(2);
  expect(possibleRatio(2, 10, 0)).toBe(2);
  expect(possibleRatio(2, 90, 10)).toBeCloseTo(1.8);
  expect(possibleRatio(2, 10, 10)).toBe(1);
});
