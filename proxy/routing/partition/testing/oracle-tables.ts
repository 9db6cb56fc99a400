/** Tables over all kinds of partitions and types that are calculated, and random rows for them. */

interface OracleColumn {
  /** As SQL. */
  readonly type: string;
  /** A literal. */
  readonly make: (random: () => number) => string;
}

export interface OracleTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, OracleColumn>>;
  /** PARTITION BY … */
  readonly partitions: string;
}

const pick = <Item>(random: () => number, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

/** Extremes now and then, small numbers often. */
function integers(type: string, bits: number, isUnsigned = false): OracleColumn {
  const low = isUnsigned ? 0n : -(1n << BigInt(bits - 1));
  const high = isUnsigned ? (1n << BigInt(bits)) - 1n : (1n << BigInt(bits - 1)) - 1n;
  const make = (random: () => number): string => {
    const kind = random();
    if (kind < 0.05) return 'NULL';
    if (kind < 0.15) return String(pick(random, [low, high, 0n, high - 1n, low + 1n]));
    const small = BigInt(Math.floor(random() * 200)) - (isUnsigned ? 0n : 100n);
    if (kind < 0.6 && small >= low && small <= high) return spelled(small, random);
    return String(low + (BigInt(Math.floor(random() * 2 ** 48)) * (high - low)) / 2n ** 48n);
  };
  return { type, make };
}

/** The ways to write a number that are read. */
function spelled(value: bigint, random: () => number): string {
  const kind = random();
  if (kind < 0.1) return `(${value} + 3) - 3`;
  if (kind < 0.2 && value >= 0n) return `0x${value.toString(16)}`;
  if (kind < 0.3 && value >= 0n) return `b'${value.toString(2)}'`;
  if (kind < 0.4) return `'${value}'`;
  return kind < 0.5 ? `${value}.0` : String(value);
}

function decimals(precision: number, scale: number): OracleColumn {
  const make = (random: () => number): string => {
    if (random() < 0.05) return 'NULL';
    const digits = 1 + Math.floor(random() * (precision - scale));
    const whole = Array.from({ length: digits }, () => Math.floor(random() * 10)).join('');
    const fraction = Array.from({ length: Math.floor(random() * (scale + 1)) }, () => Math.floor(random() * 10)).join(
      '',
    );
    return `${random() < 0.5 ? '-' : ''}${random() < 0.1 ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  };
  return { type: `DECIMAL(${precision}, ${scale})`, make };
}

const ASCII = ' !"#$%&()*+,-./0123456789:;<=>?@ABCXYZ[]^_`abcxyz{|}~';
const WIDE = 'äÄéßøß漢字🙂ıİ';

function texts(type: string, length: number, alphabet: string): OracleColumn {
  const letters = [...alphabet];
  const make = (random: () => number): string => {
    if (random() < 0.05) return 'NULL';
    const size = random() < 0.1 ? length : Math.floor(random() * Math.min(length + 1, 12));
    return `'${Array.from({ length: size }, () => pick(random, letters)).join('')}${random() < 0.1 && size < length ? ' ' : ''}'`;
  };
  return { type, make };
}

const two = (value: number): string => String(value).padStart(2, '0');

function days(random: () => number): string {
  const year = random() < 0.1 ? pick(random, [1, 999, 9999]) : 1990 + Math.floor(random() * 50);
  return `${String(year).padStart(4, '0')}-${two(1 + Math.floor(random() * 12))}-${two(1 + Math.floor(random() * 28))}`;
}

const dates: OracleColumn = {
  type: 'DATE',
  make: (random) => (random() < 0.05 ? 'NULL' : `${random() < 0.2 ? 'DATE' : ''}'${days(random)}'`),
};

function moments(scale: number): OracleColumn {
  const below = (random: () => number, limit: number): string => two(Math.floor(random() * limit));
  const make = (random: () => number): string => {
    if (random() < 0.05) return 'NULL';
    if (random() < 0.2) return `'${days(random)}'`;
    const fraction = scale === 0 ? '' : `.${String(Math.floor(random() * 10 ** scale)).padStart(scale, '0')}`;
    return `${random() < 0.2 ? 'TIMESTAMP' : ''}'${days(random)} ${below(random, 24)}:${below(random, 60)}:${below(random, 60)}${fraction}'`;
  };
  return { type: scale === 0 ? 'DATETIME' : `DATETIME(${scale})`, make };
}

const signed: readonly OracleColumn[] = [
  integers('TINYINT', 8),
  integers('SMALLINT', 16),
  integers('MEDIUMINT', 24),
  integers('INT', 32),
  integers('BIGINT', 64),
];
const unsigned: readonly OracleColumn[] = [
  integers('TINYINT UNSIGNED', 8, true),
  integers('SMALLINT UNSIGNED', 16, true),
  integers('MEDIUMINT UNSIGNED', 24, true),
  integers('INT UNSIGNED', 32, true),
  integers('BIGINT UNSIGNED', 64, true),
];
const others: readonly OracleColumn[] = [
  decimals(9, 2),
  decimals(18, 0),
  decimals(30, 10),
  decimals(60, 20),
  dates,
  moments(0),
  moments(3),
  moments(6),
  texts('VARCHAR(20) COLLATE utf8mb4_bin', 20, ASCII + WIDE),
  texts('VARCHAR(200) COLLATE utf8mb4_general_ci', 200, ASCII),
  texts('CHAR(12) COLLATE utf8mb4_bin', 12, ASCII + WIDE),
  texts('CHAR(12) COLLATE utf8mb4_general_ci', 12, ASCII),
  texts('VARBINARY(16)', 16, ASCII),
];

const [, , , int, bigint] = signed as readonly [OracleColumn, OracleColumn, OracleColumn, OracleColumn, OracleColumn];
const varchar = texts('VARCHAR(20) COLLATE utf8mb4_general_ci', 20, ASCII);
const varcharBin = texts('VARCHAR(20) COLLATE utf8mb4_bin', 20, ASCII + WIDE);

const small: OracleColumn = {
  type: 'INT',
  make: (random) => (random() < 0.05 ? 'NULL' : String(Math.floor(random() * 4000) - 2000)),
};
const smallUnsigned: OracleColumn = { type: 'INT UNSIGNED', make: (random) => String(Math.floor(random() * 4000)) };

const OF_DATES =
  'YEAR MONTH DAY DAYOFMONTH DAYOFYEAR DAYOFWEEK WEEKDAY QUARTER TO_DAYS TO_SECONDS YEARWEEK EXTRACT(YEAR EXTRACT(QUARTER ' +
  'EXTRACT(MONTH EXTRACT(DAY EXTRACT(YEAR_MONTH';
const OF_TIMES = 'HOUR MINUTE SECOND MICROSECOND EXTRACT(HOUR EXTRACT(MINUTE EXTRACT(SECOND EXTRACT(MICROSECOND';
const OF_NUMBERS: readonly (readonly [expression: string, columns: OracleTable['columns']])[] = [
  ['MOD(a, 7)', { a: small }],
  ['a % b', { a: small, b: small }],
  ['a DIV 13', { a: small }],
  ['a + b * 3 - 1', { a: small, b: small }],
  ['(a - b) * -2', { a: small, b: small }],
  ['ABS(a) + 1', { a: small }],
  ['-a', { a: small }],
  ['MOD(ABS(a), 9)', { a: integers('BIGINT', 64) }],
  ['a + 5', { a: smallUnsigned }],
  ['a - 5', { a: smallUnsigned }],
  ['FLOOR(a)', { a: decimals(12, 3) }],
  ['CEILING(a)', { a: decimals(12, 3) }],
  ['FLOOR(a)', { a: small }],
];

/** One table for each expression that MySQL mode allows a partitioning by. */
const BY_EXPRESSION: readonly OracleTable[] = [
  ...[...OF_DATES.split(' '), ...OF_TIMES.split(' ')].flatMap((name, at) => {
    const expression = name.includes('(') ? `${name} FROM a)` : `${name}(a)`;
    const isOfDates = at < OF_DATES.split(' ').length;
    return (isOfDates ? [dates, moments(6)] : [moments(6)]).map(
      (a, second): OracleTable => ({
        name: `by_${at}_${second}`,
        columns: { a },
        partitions: `PARTITION BY HASH(${expression}) PARTITIONS ${(at % 5) + 3}`,
      }),
    );
  }),
  ...OF_NUMBERS.map(
    ([expression, columns], at): OracleTable => ({
      name: `by_number_${at}`,
      columns,
      partitions: `PARTITION BY HASH(${expression}) PARTITIONS ${(at % 5) + 3}`,
    }),
  ),
  {
    name: 'range_to_days',
    columns: { a: dates },
    partitions:
      "PARTITION BY RANGE(TO_DAYS(a)) (PARTITION p0 VALUES LESS THAN (TO_DAYS('2000-01-01')), PARTITION p1 VALUES LESS THAN (TO_DAYS('2020-02-29')), PARTITION p2 VALUES LESS THAN MAXVALUE)",
  },
  {
    name: 'range_year_month',
    columns: { a: moments(3) },
    partitions:
      'PARTITION BY RANGE(YEAR(a)) SUBPARTITION BY HASH(MONTH(a)) SUBPARTITIONS 4 (PARTITION p0 VALUES LESS THAN (2005), PARTITION p1 VALUES LESS THAN (2020), PARTITION p2 VALUES LESS THAN MAXVALUE)',
  },
  {
    name: 'list_weekday',
    columns: { a: dates },
    partitions:
      'PARTITION BY LIST(DAYOFWEEK(a)) (PARTITION p0 VALUES IN (1, 7, NULL), PARTITION p1 VALUES IN (2, 3), PARTITION p2 VALUES IN (4, 5, 6))',
  },
  {
    name: 'range_div',
    columns: { a: small },
    partitions:
      'PARTITION BY RANGE(a DIV 100) (PARTITION p0 VALUES LESS THAN (-3), PARTITION p1 VALUES LESS THAN (5), PARTITION p2 VALUES LESS THAN MAXVALUE)',
  },
];

export const ORACLE_TABLES: readonly OracleTable[] = [
  ...BY_EXPRESSION,
  ...[...signed, ...unsigned].map(
    (a, at): OracleTable => ({
      name: `hash_${at}`,
      columns: { a },
      partitions: `PARTITION BY HASH(a) PARTITIONS ${at + 2}`,
    }),
  ),
  ...[...signed, ...unsigned, ...others].map(
    (a, at): OracleTable => ({
      name: `key_${at}`,
      columns: { a },
      partitions: `PARTITION BY KEY(a) PARTITIONS ${(at % 7) + 2}`,
    }),
  ),
  {
    name: 'key_many',
    columns: { a: int, b: varchar, c: dates, d: decimals(20, 4), e: varcharBin },
    partitions: 'PARTITION BY KEY(d, a, e, c, b) PARTITIONS 7',
  },
  {
    name: 'range_int',
    columns: { a: int },
    partitions:
      'PARTITION BY RANGE(a) (PARTITION p0 VALUES LESS THAN (-50), PARTITION p1 VALUES LESS THAN (0), PARTITION p2 VALUES LESS THAN (50), PARTITION p3 VALUES LESS THAN MAXVALUE)',
  },
  {
    name: 'range_open',
    columns: { a: bigint },
    partitions:
      'PARTITION BY RANGE(a) (PARTITION p0 VALUES LESS THAN (-9000000000000000000), PARTITION p1 VALUES LESS THAN (60), PARTITION p2 VALUES LESS THAN (9223372036854775807))',
  },
  {
    name: 'range_unsigned',
    columns: { a: unsigned[4] as OracleColumn },
    partitions:
      'PARTITION BY RANGE COLUMNS(a) (PARTITION p0 VALUES LESS THAN (60), PARTITION p1 VALUES LESS THAN (9223372036854775808), PARTITION p2 VALUES LESS THAN (18446744073709551615))',
  },
  {
    name: 'range_text_ci',
    columns: { a: varchar },
    partitions:
      "PARTITION BY RANGE COLUMNS(a) (PARTITION p0 VALUES LESS THAN ('%'), PARTITION p1 VALUES LESS THAN ('b'), PARTITION p2 VALUES LESS THAN ('X'), PARTITION p3 VALUES LESS THAN (MAXVALUE))",
  },
  {
    name: 'range_text_bin',
    columns: { a: varcharBin },
    partitions:
      "PARTITION BY RANGE COLUMNS(a) (PARTITION p0 VALUES LESS THAN ('% '), PARTITION p1 VALUES LESS THAN ('b'), PARTITION p2 VALUES LESS THAN ('Ä'), PARTITION p3 VALUES LESS THAN (MAXVALUE))",
  },
  {
    name: 'range_binary',
    columns: { a: texts('VARBINARY(16)', 16, ASCII) },
    partitions:
      "PARTITION BY RANGE COLUMNS(a) (PARTITION p0 VALUES LESS THAN ('0'), PARTITION p1 VALUES LESS THAN ('a '), PARTITION p2 VALUES LESS THAN (MAXVALUE))",
  },
  {
    name: 'range_days',
    columns: { a: dates },
    partitions:
      "PARTITION BY RANGE COLUMNS(a) (PARTITION p0 VALUES LESS THAN ('2000-01-01'), PARTITION p1 VALUES LESS THAN ('2020-02-29'), PARTITION p2 VALUES LESS THAN (MAXVALUE))",
  },
  {
    name: 'range_moments',
    columns: { a: moments(3) },
    partitions:
      "PARTITION BY RANGE COLUMNS(a) (PARTITION p0 VALUES LESS THAN ('2000-01-01'), PARTITION p1 VALUES LESS THAN ('2020-02-29 10:11:12.5'), PARTITION p2 VALUES LESS THAN (MAXVALUE))",
  },
  {
    name: 'range_columns',
    columns: { a: int, b: varchar, c: dates },
    partitions:
      "PARTITION BY RANGE COLUMNS(a, b, c) (PARTITION p0 VALUES LESS THAN (0, 'b', '2000-01-01'), PARTITION p1 VALUES LESS THAN (0, MAXVALUE, MAXVALUE), PARTITION p2 VALUES LESS THAN (50, 'x', '2020-01-01'), PARTITION p3 VALUES LESS THAN (MAXVALUE, MAXVALUE, MAXVALUE))",
  },
  {
    name: 'list_int',
    columns: { a: signed[0] as OracleColumn },
    partitions:
      'PARTITION BY LIST(a) (PARTITION p0 VALUES IN (1, 2, -3, NULL), PARTITION p1 VALUES IN (-128, 127), PARTITION p2 VALUES IN (DEFAULT))',
  },
  {
    name: 'list_text',
    columns: { a: texts('VARCHAR(3) COLLATE utf8mb4_general_ci', 3, 'aAbBc ') },
    partitions:
      "PARTITION BY LIST COLUMNS(a) (PARTITION p0 VALUES IN ('a', 'ab', 'bbb'), PARTITION p1 VALUES IN ('b', 'C', ''), PARTITION p2 VALUES IN (DEFAULT))",
  },
  {
    name: 'list_columns',
    columns: {
      a: texts('VARCHAR(3) COLLATE utf8mb4_bin', 1, 'aAb'),
      b: { type: 'INT', make: (random) => String(Math.floor(random() * 4)) },
    },
    partitions:
      "PARTITION BY LIST COLUMNS(a, b) (PARTITION p0 VALUES IN (('a', 0), ('A', 1), ('b', NULL)), PARTITION p1 VALUES IN (('a', 1), ('b', 2), (NULL, 0)), PARTITION p2 VALUES IN (DEFAULT))",
  },
  {
    name: 'two_range_key',
    columns: { a: int, b: varchar },
    partitions:
      'PARTITION BY RANGE(a) SUBPARTITION BY KEY(b) SUBPARTITIONS 3 (PARTITION p0 VALUES LESS THAN (0), PARTITION p1 VALUES LESS THAN MAXVALUE)',
  },
  {
    name: 'two_template',
    columns: { a: bigint, b: varcharBin },
    partitions:
      "PARTITION BY HASH(a) SUBPARTITION BY RANGE COLUMNS(b) SUBPARTITION TEMPLATE (SUBPARTITION s0 VALUES LESS THAN ('b'), SUBPARTITION s1 VALUES LESS THAN (MAXVALUE)) PARTITIONS 3",
  },
  {
    name: 'two_single',
    columns: { a: int, b: dates },
    partitions:
      "PARTITION BY LIST(a) SUBPARTITION BY RANGE COLUMNS(b) (PARTITION p0 VALUES IN (1, 2, 3, NULL) (SUBPARTITION x0 VALUES LESS THAN ('2010-01-01'), SUBPARTITION x1 VALUES LESS THAN (MAXVALUE)), PARTITION p1 VALUES IN (DEFAULT) (SUBPARTITION y0 VALUES LESS THAN ('2001-01-01'), SUBPARTITION y1 VALUES LESS THAN ('2002-01-01'), SUBPARTITION y2 VALUES LESS THAN (MAXVALUE)))",
  },
  {
    name: 'two_same_column',
    columns: { a: int },
    partitions:
      'PARTITION BY RANGE(a) SUBPARTITION BY HASH(a) SUBPARTITIONS 4 (PARTITION p0 VALUES LESS THAN (-10), PARTITION p1 VALUES LESS THAN MAXVALUE)',
  },
];

/** Name, definition, literal for column a: what is not calculated. */
export const REFUSED_TABLES: readonly (readonly [name: string, definition: string, literal: string])[] = [
  ['by_seconds', '(a TIME) PARTITION BY HASH(TIME_TO_SEC(a)) PARTITIONS 3', "'10:00:00'"],
  ['by_unix_time', '(a TIMESTAMP) PARTITION BY HASH(UNIX_TIMESTAMP(a)) PARTITIONS 3', "'2020-01-01 00:00:00'"],
  ['by_timestamp', '(a TIMESTAMP) PARTITION BY KEY(a) PARTITIONS 3', "'2020-01-01'"],
  ['by_unicode', '(a VARCHAR(9) COLLATE utf8mb4_unicode_ci) PARTITION BY KEY(a) PARTITIONS 3', "'a'"],
  ['by_double', '(a DOUBLE) PARTITION BY KEY(a) PARTITIONS 3', '1'],
  ['by_fixed_binary', '(a BINARY(4)) PARTITION BY KEY(a) PARTITIONS 3', "'a'"],
  ['by_year', '(a YEAR) PARTITION BY KEY(a) PARTITIONS 3', '2020'],
  ['by_time', '(a TIME) PARTITION BY KEY(a) PARTITIONS 3', "'10:00:00'"],
];

/** Literals of one row. */
export const randomRow = (table: OracleTable, random: () => number): string[] =>
  Object.values(table.columns).map((column) => column.make(random));

/** In [0, 1); the same row of numbers for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed * 2654435769;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
