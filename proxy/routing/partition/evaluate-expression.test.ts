import { describe, expect, it } from 'vitest';
import type { KeyColumn } from '../../cluster/partitioning.ts';
import { parseExpression } from '../../sql/expression.ts';
import { evaluateInteger, isGrowing } from './evaluate-expression.ts';
import { keyValue } from './key-value.ts';

const column = (name: string, type: number, scale = 0): KeyColumn => ({
  name,
  type,
  collation: 63,
  length: -1,
  precision: 20,
  scale,
});
const columns = [
  column('a', 5),
  column('u', 10),
  column('n', 4),
  column('d', 41),
  column('t', 42, 6),
  column('f', 39, 2),
];
const literals: Record<string, string | null> = {
  a: '-7',
  u: '3',
  n: null,
  d: '2024-02-29',
  t: '2023-12-31 23:59:58.000007',
  f: '-1.5',
};

function evaluate(text: string): bigint | null | undefined {
  const expression = parseExpression(text);
  if (expression === null) throw new Error(text);
  return evaluateInteger(expression, (name) => {
    const found = columns.find((candidate) => candidate.name === name);
    const literal = literals[name];
    if (found === undefined || literal === undefined) return undefined;
    const constant =
      literal === null
        ? ({ kind: 'null' } as const)
        : found.type > 40
          ? ({ kind: 'string', bytes: Buffer.from(literal) } as const)
          : ({ kind: 'number', text: literal } as const);
    const value = keyValue(constant, found);
    return value === undefined ? undefined : { column: found, value };
  });
}

describe('expressions of a partitioning (compared with a genuine kernel in the integration test)', () => {
  it.each<[text: string, wanted: bigint | null | undefined]>([
    ['mod(a, 4)', -3n],
    ['a div 2', -3n],
    ['a div 0', null],
    ['n + 1', null],
    ['abs(a) * 2', 14n],
    ['a + 9223372036854775807', 9223372036854775800n],
    ['9223372036854775807 - a', undefined],
    ['u - 3', 0n],
    ['u - 4', undefined],
    ['floor(f)', -2n],
    ['ceiling(f)', -1n],
    ['f + 1', undefined],
    ['year(d)', 2024n],
    ['dayofyear(d)', 60n],
    ['to_days(d)', 739310n],
    ['weekday(d)', 3n],
    ['dayofweek(d)', 5n],
    ['yearweek(t)', 202353n],
    ['to_seconds(t)', 63871286398n],
    ['microsecond(t)', 7n],
    ['extract(year_month from t)', 202312n],
    ['hour(d)', undefined],
    ['unix_timestamp(t)', undefined],
    ['missing + 1', undefined],
    ['a / 2', undefined],
  ])('%s', (text, wanted) => {
    expect(evaluate(text)).toBe(wanted);
  });

  it.each([
    ['year(d)', true],
    ['to_days(d)', true],
    ['month(d)', false],
    ['a div 10', true],
    ['a + 3', true],
    ['a % 3', false],
    ['-a', false],
    ['abs(a)', false],
    ['3 - a', false],
    ['floor(f)', true],
  ])('%s grows with its column: %s', (text, wanted) => {
    const expression = parseExpression(text);
    expect(expression && isGrowing(expression)).toBe(wanted);
  });
});
