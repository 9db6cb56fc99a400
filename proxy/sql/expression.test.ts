import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, type Expression, parseExpression } from './expression.ts';

/** With every call in brackets: `[+ a [* b 2]]`. */
function brief(expression: Expression | null): string | null {
  if (expression === null) return null;
  if (expression.kind === 'call') return `[${[expression.name, ...expression.args.map(brief)].join(' ')}]`;
  return expression.kind === 'number' ? expression.text : expression.name;
}

describe('expressions', () => {
  it.each<[text: string, wanted: string | null]>([
    ['a', 'a'],
    ['(`A b`)', 'a b'],
    ['t.a', 'a'],
    ['YEAR( a )', '[year a]'],
    ['mod(abs(a),4)', '[% [abs a] 4]'],
    ['a mod 4', '[% a 4]'],
    ['a + b * 2 - 1', '[- [+ a [* b 2]] 1]'],
    ['a - b - c', '[- [- a b] c]'],
    ['(a - b) div -2', '[div [- a b] [negate 2]]'],
    ['- -a', '[negate [negate a]]'],
    ['+a % 3', '[% a 3]'],
    ['extract(year_month from d)', '[extract_year_month d]'],
    ['(`id` % 10)', '[% id 10]'],
    ['', null],
    ['a,b', null],
    ['a +', null],
    ['a b', null],
    ['f()', null],
    ['f(a', null],
    ['extract(year d)', null],
    ["'x'", null],
    ['a = 1', null],
    ['1e3', null],
    [`${'('.repeat(300)}a${')'.repeat(300)}`, null],
  ])('%s', (text, wanted) => {
    expect(brief(parseExpression(text))).toBe(wanted);
  });

  it('tells each column once', () => {
    const expression = parseExpression('a + b * a - f(c, 1)');
    expect(expression && columnsOf(expression)).toEqual(['a', 'b', 'c']);
  });

  it('never throws, whatever stands there', () => {
    const words = fc.constantFrom('a', '(', ')', '+', '-', '*', '%', 'div', 'f', ',', '.', '1', 'extract', 'from', '`');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 200 }), (items) => {
        parseExpression(items.join(' '));
      }),
    );
  });
});
