/** Random WHERE clauses over `t(id INT, w INT)`, each as SQL and as what it says of a row. */
import fc from 'fast-check';

export interface RandomRow {
  readonly id: number | null;
  readonly w: number | null;
}

/** Null is unknown. */
type Truth = boolean | null;

export interface RandomWhere {
  readonly sql: string;
  readonly holds: (row: RandomRow) => Truth;
}

interface Term {
  readonly sql: string;
  readonly of: (row: RandomRow) => number | null;
}

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const and = (left: Truth, right: Truth): Truth =>
  left === false || right === false ? false : left === null || right === null ? null : true;
const or = (left: Truth, right: Truth): Truth => not(and(not(left), not(right)));
const xor = (left: Truth, right: Truth): Truth => (left === null || right === null ? null : left !== right);

const number = fc.integer({ min: -9, max: 30 });
const NULL: Term = { sql: 'NULL', of: () => null };

const constant: fc.Arbitrary<Term> = fc.oneof(
  { weight: 6, arbitrary: number.map((value): Term => ({ sql: String(value), of: () => value })) },
  number.map((value): Term => ({ sql: `'${value}'`, of: () => value })),
  number.map((value): Term => ({ sql: `(${value})`, of: () => value })),
  fc.tuple(number, number).map(([a, b]): Term => ({ sql: `${a} + ${b}`, of: () => a + b })),
  number.map((value): Term => ({ sql: `${value}.0`, of: () => value })),
  fc.nat({ max: 30 }).map((value): Term => ({ sql: `0x${value.toString(16)}`, of: () => value })),
  fc.constant(NULL),
);

const column: fc.Arbitrary<Term> = fc
  .tuple(fc.constantFrom('id', 'w'), fc.constantFrom('', 't.', '`T`.', 'd.t.'), fc.boolean())
  .map(([name, qualifier, isWrapped]): Term => {
    const sql = isWrapped ? `(${qualifier}${name})` : `${qualifier}${name}`;
    return { sql, of: (row) => row[name as keyof RandomRow] };
  });

const computed: fc.Arbitrary<Term> = fc.oneof(
  column.map((inner): Term => ({ sql: `ABS(${inner.sql})`, of: (row) => lift(Math.abs, inner.of(row)) })),
  column.map((inner): Term => ({ sql: `-${inner.sql}`, of: (row) => lift((value) => -value, inner.of(row)) })),
  column.map((inner): Term => ({ sql: `${inner.sql} + 1`, of: (row) => lift((value) => value + 1, inner.of(row)) })),
  column.map((inner): Term => ({ sql: `COALESCE(${inner.sql}, 3)`, of: (row) => inner.of(row) ?? 3 })),
);

const lift = (change: (value: number) => number, value: number | null): number | null =>
  value === null ? null : change(value);

const operand = fc.oneof(
  { weight: 5, arbitrary: column },
  { weight: 4, arbitrary: constant },
  { weight: 1, arbitrary: computed },
);

const OPERATORS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '=': (left, right) => left === right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '<>': (left, right) => left !== right,
  '!=': (left, right) => left !== right,
};

function compare(operator: string, left: number | null, right: number | null): Truth {
  if (operator === '<=>') return left === right;
  return left === null || right === null ? null : (OPERATORS[operator]?.(left, right) ?? null);
}

const comparison = fc
  .tuple(operand, fc.constantFrom('=', '=', '=', '=', '<=>', ...Object.keys(OPERATORS)), operand)
  .map(
    ([left, operator, right]): RandomWhere => ({
      sql: `${left.sql} ${operator} ${right.sql}`,
      holds: (row) => compare(operator, left.of(row), right.of(row)),
    }),
  );

const isNull = fc.tuple(column, fc.boolean()).map(
  ([inner, negated]): RandomWhere => ({
    sql: `${inner.sql} IS ${negated ? 'NOT ' : ''}NULL`,
    holds: (row) => (inner.of(row) === null) !== negated,
  }),
);

const inList = fc.tuple(operand, fc.boolean(), fc.array(operand, { minLength: 1, maxLength: 3 })).map(
  ([left, negated, items]): RandomWhere => ({
    sql: `${left.sql} ${negated ? 'NOT ' : ''}IN (${items.map(({ sql }) => sql).join(', ')})`,
    holds: (row) => {
      const found = items.reduce<Truth>((truth, item) => or(truth, compare('=', left.of(row), item.of(row))), false);
      return negated ? not(found) : found;
    },
  }),
);

const between = fc.tuple(operand, fc.boolean(), operand, operand).map(
  ([inner, negated, low, high]): RandomWhere => ({
    sql: `${inner.sql} ${negated ? 'NOT ' : ''}BETWEEN ${low.sql} AND ${high.sql}`,
    holds: (row) => {
      const found = and(compare('>=', inner.of(row), low.of(row)), compare('<=', inner.of(row), high.of(row)));
      return negated ? not(found) : found;
    },
  }),
);

const rows = fc.tuple(operand, operand, operand, operand, fc.constantFrom('=', 'IN')).map(
  ([a, b, c, d, form]): RandomWhere => ({
    sql:
      form === '=' ? `(${a.sql}, ${b.sql}) = (${c.sql}, ${d.sql})` : `(${a.sql}, ${b.sql}) IN ((${c.sql}, ${d.sql}))`,
    holds: (row) => and(compare('=', a.of(row), c.of(row)), compare('=', b.of(row), d.of(row))),
  }),
);

const CONNECTORS: Readonly<Record<string, (left: Truth, right: Truth) => Truth>> = {
  AND: and,
  '&&': and,
  OR: or,
  '||': or,
  XOR: xor,
};

export const { where: randomWhere } = fc.letrec<{ where: RandomWhere; leaf: RandomWhere }>((tie) => ({
  leaf: fc.oneof({ weight: 5, arbitrary: comparison }, isNull, inList, between, rows),
  where: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'where' },
    tie('leaf'),
    {
      weight: 3,
      arbitrary: fc
        .tuple(tie('where'), fc.constantFrom('AND', 'AND', 'AND', 'AND', '&&', 'OR', '||', 'XOR'), tie('where'))
        .map(
          ([left, connector, right]): RandomWhere => ({
            sql: `(${left.sql}) ${connector} (${right.sql})`,
            holds: (row) => CONNECTORS[connector]?.(left.holds(row), right.holds(row)) ?? null,
          }),
        ),
    },
    // Without parentheses: only leaves, and AND alone, so that precedence doesn't matter.
    fc.array(tie('leaf'), { minLength: 2, maxLength: 4 }).map(
      (leaves): RandomWhere => ({
        sql: leaves.map(({ sql }) => sql).join(' AND '),
        holds: (row) => leaves.reduce<Truth>((truth, leaf) => and(truth, leaf.holds(row)), true),
      }),
    ),
    // AND binds before OR.
    fc.tuple(tie('leaf'), tie('leaf'), tie('leaf')).map(
      ([a, b, c]): RandomWhere => ({
        sql: `${a.sql} OR ${b.sql} AND ${c.sql}`,
        holds: (row) => or(a.holds(row), and(b.holds(row), c.holds(row))),
      }),
    ),
    tie('where').map((inner): RandomWhere => ({ sql: `NOT (${inner.sql})`, holds: (row) => not(inner.holds(row)) })),
    tie('leaf').map((inner): RandomWhere => ({ sql: `NOT ${inner.sql}`, holds: (row) => not(inner.holds(row)) })),
    tie('where').map((inner): RandomWhere => ({ sql: `(${inner.sql})`, holds: inner.holds })),
  ),
}));
