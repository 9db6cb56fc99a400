/** Whatever a WHERE says: when a partition is named, all the rows that fulfil it lie there. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoundValue, KeyColumn, Partition, Partitioning, PartitionRule } from '../../cluster/partitioning.ts';
import { classifyStatement, defaultDialect } from '../../sql/classify.ts';
import { parseExpression } from '../../sql/expression.ts';
import { readKeyConditions } from '../../sql/key-conditions.ts';
import { keyColumnsOf, partitionFor } from './key-ranges.ts';
import { type RandomRow, type RandomWhere, randomWhere } from './testing/random-where.ts';

const int = (name: string): KeyColumn => ({ name, type: 4, collation: 63, length: -1, precision: 11, scale: 0 });
const [id, w] = [int('id'), int('w')];

const part = (
  name: string,
  bounds: readonly (readonly BoundValue[])[] = [],
  subPartitions: Partition[] = [],
): Partition => ({
  name,
  tabletId: '1',
  bounds,
  subPartitions,
});
const rule = (kind: PartitionRule['kind'], columns: readonly KeyColumn[], expression = ''): PartitionRule => ({
  kind,
  columns,
  expression: expression === '' ? null : parseExpression(expression),
});

const LIMITS = [-3, 4, 12, 20];
const ranges = (subPartitions: () => Partition[] = () => []): Partition[] => [
  ...LIMITS.map((limit, at) => part(`p${at}`, [[BigInt(limit)]], subPartitions())),
  part('p4', [['max']], subPartitions()),
];
const four = (): Partition[] => [0, 1, 2, 3].map((at) => part(`s${at}`));

/** A partitioning, and where a row is by the text of the manual. */
interface Case {
  readonly name: string;
  readonly partitioning: Partitioning;
  readonly homeOf: (row: RandomRow) => Partition | undefined;
}

const hashOf = (value: number | null): number => Math.abs(value ?? 0) % 4;
const rangeOf = (value: number | null): number =>
  value === null ? 0 : LIMITS.filter((limit) => value >= limit).length;

function makeCase(
  name: string,
  partitioning: Partitioning,
  homeOf: (row: RandomRow, all: readonly Partition[]) => Partition | undefined,
): Case {
  return { name, partitioning, homeOf: (row) => homeOf(row, partitioning.partitions) };
}

const CASES: readonly Case[] = [
  makeCase(
    'HASH(id)',
    { rule: rule('hash', [id]), subRule: null, partitions: four() },
    (row, all) => all[hashOf(row.id)],
  ),
  makeCase(
    'RANGE(id)',
    { rule: rule('range', [id]), subRule: null, partitions: ranges() },
    (row, all) => all[rangeOf(row.id)],
  ),
  makeCase(
    'HASH(id + w)',
    { rule: rule('hash', [id, w], 'id + w'), subRule: null, partitions: four() },
    (row, all) => all[hashOf(row.id === null || row.w === null ? null : row.id + row.w)],
  ),
  makeCase(
    'RANGE(id DIV 2)',
    { rule: rule('range', [id], 'id div 2'), subRule: null, partitions: ranges() },
    (row, all) => all[rangeOf(row.id === null ? null : Math.trunc(row.id / 2))],
  ),
  makeCase(
    'RANGE COLUMNS(id, w)',
    {
      rule: rule('range', [id, w]),
      subRule: null,
      partitions: [
        part('p0', [[3n, 5n]]),
        part('p1', [[3n, 'max']]),
        part('p2', [[9n, 0n]]),
        part('p3', [['max', 'max']]),
      ],
    },
    ({ id: a, w: b }, all) => {
      const below = (x: number, y: number): boolean => a === null || a < x || (a === x && (b === null || b < y));
      return all[below(3, 5) ? 0 : a === null || a <= 3 ? 1 : below(9, 0) ? 2 : 3];
    },
  ),
  makeCase(
    'LIST(id)',
    {
      rule: rule('list', [id]),
      subRule: null,
      partitions: [part('p0', [[1n], [2n], [-3n], [null]]), part('p1', [[4n], [5n]]), part('p2', [['max']])],
    },
    ({ id: a }, all) => all[a === null || [1, 2, -3].includes(a) ? 0 : [4, 5].includes(a) ? 1 : 2],
  ),
  makeCase(
    'RANGE(id), HASH(w)',
    { rule: rule('range', [id]), subRule: rule('hash', [w]), partitions: ranges(four) },
    (row, all) => all[rangeOf(row.id)]?.subPartitions[hashOf(row.w)],
  ),
  makeCase(
    'RANGE(id), RANGE(id)',
    { rule: rule('range', [id]), subRule: rule('range', [id]), partitions: ranges(() => ranges()) },
    (row, all) => all[rangeOf(row.id)]?.subPartitions[rangeOf(row.id)],
  ),
];

const VALUES: readonly (number | null)[] = [null, ...Array.from({ length: 45 }, (_, at) => at - 11)];
const ROWS: readonly RandomRow[] = VALUES.flatMap((first) => VALUES.map((second) => ({ id: first, w: second })));

/** Statements around a condition, all of which meet exactly the rows of `t` that fulfil it. */
const STATEMENTS: readonly ((where: string) => string)[] = [
  (where) => `SELECT * FROM t WHERE ${where}`,
  (where) => `select /*+ x */ * from d.t where ${where} order by w limit 3 for update`,
  (where) => `UPDATE t SET w = 1 WHERE ${where}`,
  (where) => `DELETE FROM t WHERE ${where} LIMIT 5`,
  (where) => `SELECT * FROM (SELECT * FROM t WHERE ${where}) x WHERE id = 3`,
  (where) => `WITH c AS (SELECT * FROM t WHERE ${where}) SELECT * FROM c WHERE id = 3 OR id = 4`,
  (where) => `BEGIN; SELECT * FROM t WHERE ${where}; COMMIT`,
];

function partitionOf(partitioning: Partitioning, sql: string): Partition | null {
  const text = Buffer.from(sql);
  const columns = keyColumnsOf(partitioning);
  const { table, tableAt, truncated } = classifyStatement(text);
  expect(table?.name).toBe('t');
  const question = { table: 't', tableAt, truncated, columns: columns.map(({ name }) => name), positions: [] };
  const conditions = readKeyConditions(text, defaultDialect, question);
  if (conditions === null) return null;
  return partitionFor(partitioning, columns, conditions, (operand) =>
    operand.kind === 'parameter' || operand.kind === 'variable' ? undefined : operand,
  );
}

describe('case B74 never a wrong partition', () => {
  it.each(CASES)('$name', ({ partitioning, homeOf }) => {
    let decided = 0;
    const check = (where: RandomWhere, makeStatement: (where: string) => string): void => {
      const found = partitionOf(partitioning, makeStatement(where.sql));
      if (found === null) return;
      decided += 1;
      for (const row of ROWS) if (where.holds(row) === true && homeOf(row) !== found) expect(row).toEqual(found.name);
    };
    fc.assert(fc.property(randomWhere, fc.constantFrom(...STATEMENTS), check), { numRuns: 1500 });
    // Otherwise nothing would have been shown.
    expect(decided).toBeGreaterThan(10);
  });
});
