import { describe, expect, it } from 'vitest';
import type { KeyColumn, Partitioning } from '../../cluster/partitioning.ts';
import { classifyStatement, defaultDialect } from '../../sql/classify.ts';
import { parseExpression } from '../../sql/expression.ts';
import { readKeyConditions } from '../../sql/key-conditions.ts';
import { conditionsText, partitioningText } from './describe-key.ts';

const column = (name: string): KeyColumn => ({ name, type: 5, collation: 63, length: -1, precision: 20, scale: 0 });
const columns = [column('day'), column('id')];

function conditions(sql: string): string {
  const names = columns.map(({ name }) => name);
  const text = Buffer.from(sql);
  const { tableAt, truncated } = classifyStatement(text);
  const found = readKeyConditions(text, defaultDialect, {
    table: 't',
    columns: names,
    positions: [],
    truncated,
    tableAt,
  });
  return found === null ? 'nothing' : conditionsText(found, columns);
}

describe('a key in words', () => {
  it('names both levels', () => {
    const partitioning: Partitioning = {
      rule: { kind: 'range', columns: [column('day')], expression: parseExpression('to_days(day)') },
      subRule: { kind: 'hash', columns: [column('id')], expression: null },
      partitions: [],
    };
    expect(partitioningText(partitioning)).toBe('RANGE (to_days(day)), then HASH (id)');
    expect(partitioningText({ ...partitioning, subRule: null })).toBe('RANGE (to_days(day))');
    const sum = { kind: 'hash', columns: [column('id')], expression: parseExpression('-(id + 1) % 4') } as const;
    expect(partitioningText({ rule: sum, subRule: null, partitions: [] })).toBe('HASH (-(id + 1) % 4)');
  });

  it('tells what a statement says of its columns', () => {
    expect(conditions('SELECT * FROM t WHERE id = -5 AND day < 20260101')).toBe('id = -5 and day < 20260101');
    expect(conditions("DELETE FROM t WHERE id = 'it''s'")).toBe("id = 'it's'");
    expect(conditions('SELECT * FROM t WHERE id = ? AND day <=> NULL')).toBe('id = ? and day <=> NULL');
    expect(conditions('INSERT INTO t (day, id) VALUES (1, @x)')).toBe('day = 1 and id = @x');
    expect(conditions('INSERT INTO t (day) VALUES (1)')).toBe('day = 1 and id = DEFAULT');
    expect(conditions('SELECT * FROM t WHERE v = 1')).toBe('nothing');
  });

  it('cuts long values', () => {
    expect(conditions(`SELECT * FROM t WHERE id = '${'x'.repeat(100)}'`)).toBe(`id = '${'x'.repeat(40)}…'`);
  });
});
