import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quoteText } from './sql-text.ts';

it('quotes names that hold quotes and backslashes', () => {
  expect(quoteText(`o'brien\\`)).toBe(`'o''brien\\\\'`);
});

it('makes literals that cannot end early, with and without backslash escapes', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '\\', 'a', '"', '\n') }), (text) => {
      const body = quoteText(text).slice(1, -1);
      expect(body.replace(/''/g, '')).not.toContain("'");
      expect(body.replace(/\\\\|''/g, '')).not.toMatch(/['\\]/);
    }),
  );
});
