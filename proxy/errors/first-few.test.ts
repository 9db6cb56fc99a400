import { describe, expect, it } from 'vitest';
import { firstFew } from './first-few.ts';

describe('texts for one error message', () => {
  it('are told whole when there are few', () => {
    expect(firstFew([])).toBe('');
    expect(firstFew(['a', 'b'])).toBe('a; b');
    expect(firstFew(Array.from({ length: 8 }, (_, index) => String(index)))).toBe('0; 1; 2; 3; 4; 5; 6; 7');
  });

  it('of a large cluster are counted from the ninth on', () => {
    expect(firstFew(Array.from({ length: 500 }, (_, index) => String(index)))).toBe(
      '0; 1; 2; 3; 4; 5; 6; 7; and 492 more',
    );
  });
});
