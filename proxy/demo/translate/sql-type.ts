import type { ColumnType } from './ast.ts';

type TypeKind =
  | 'int'
  | 'decimal'
  | 'double'
  | 'float'
  | 'char'
  | 'varchar'
  | 'text'
  | 'binary'
  | 'varbinary'
  | 'blob'
  | 'date'
  | 'datetime'
  | 'timestamp'
  | 'time'
  | 'year'
  | 'null'
  | 'unknown';

/** The MySQL type of a column or expression, as far as results and comparisons depend on it. */
export interface SqlType {
  readonly kind: TypeKind;
  /** Integers: 8, 16, 24, 32 or 64. */
  readonly bits: number;
  readonly unsigned: boolean;
  /** Decimals: all digits. Strings: characters. Bytes: bytes. Else the display length. */
  readonly length: number;
  /** Decimals: digits after the point. Times: digits of the fraction of a second. */
  readonly scale: number;
  /** Strings that compare byte by byte (…_bin). */
  readonly binaryCollation: boolean;
}

function makeType(kind: TypeKind, fields: Partial<SqlType> = {}): SqlType {
  return { kind, bits: 64, unsigned: false, length: 0, scale: 0, binaryCollation: false, ...fields };
}

export const BIGINT = makeType('int', { length: 20 });
export const INT = makeType('int', { bits: 32, length: 11 });
export const UNSIGNED_BIGINT = makeType('int', { unsigned: true, length: 20 });
/** Results of comparisons. */
export const BOOLEAN = makeType('int', { bits: 32, length: 1 });
export const DOUBLE = makeType('double', { length: 23, scale: 31 });
export const NULL_TYPE = makeType('null');
/** A parameter whose value is not known yet. */
export const UNKNOWN = makeType('unknown');
export const LONG_TEXT = makeType('text', { length: 4294967295 });
export const DATE = makeType('date', { length: 10 });
export const TIME = makeType('time', { length: 10 });

export const varchar = (length: number): SqlType => makeType('varchar', { length });
export const varbinary = (length: number): SqlType => makeType('varbinary', { length });
export const decimal = (length: number, scale: number): SqlType => makeType('decimal', { length, scale });
export const datetime = (scale = 0): SqlType => makeType('datetime', { length: scale > 0 ? 20 + scale : 19, scale });

export function isString({ kind }: SqlType): boolean {
  return kind === 'char' || kind === 'varchar' || kind === 'text';
}

export function isBytes({ kind }: SqlType): boolean {
  return kind === 'binary' || kind === 'varbinary' || kind === 'blob';
}

export function isNumeric({ kind }: SqlType): boolean {
  return kind === 'int' || kind === 'decimal' || kind === 'double' || kind === 'float' || kind === 'year';
}

export function isTemporal({ kind }: SqlType): boolean {
  return kind === 'date' || kind === 'datetime' || kind === 'timestamp' || kind === 'time';
}

export function isInteger({ kind }: SqlType): boolean {
  return kind === 'int' || kind === 'year';
}

const INTEGER_BITS: Readonly<Record<string, readonly [bits: number, display: number]>> = {
  tinyint: [8, 4],
  smallint: [16, 6],
  mediumint: [24, 9],
  int: [32, 11],
  bigint: [64, 20],
};

const BYTE_LENGTHS: Readonly<Record<string, number>> = { tiny: 255, '': 65535, medium: 16777215, long: 4294967295 };

/** The type that a column declaration stands for. */
export function typeOfColumn(declared: ColumnType): SqlType {
  const { name, unsigned, binaryCollation } = declared;
  const integer = INTEGER_BITS[name];
  if (integer) {
    const [bits, display] = integer;
    return makeType('int', {
      bits,
      unsigned,
      length: declared.length ?? (unsigned && bits < 64 ? display - 1 : display),
    });
  }
  const large = /^(tiny|medium|long|)(text|blob)$/.exec(name);
  if (large) {
    return makeType(large[2] === 'text' ? 'text' : 'blob', {
      length: BYTE_LENGTHS[large[1] ?? ''] ?? 65535,
      binaryCollation,
    });
  }
  switch (name) {
    case 'decimal':
      return makeType('decimal', { length: declared.length ?? 10, scale: declared.scale ?? 0, unsigned });
    case 'double':
      return makeType('double', { length: 23, scale: declared.scale ?? 31, unsigned });
    case 'float':
      return makeType('float', { length: 12, scale: declared.scale ?? 31, unsigned });
    case 'char':
    case 'binary':
    case 'varchar':
    case 'varbinary':
      return makeType(name, { length: declared.length ?? 1, binaryCollation });
    case 'enum':
      return makeType('char', {
        length: Math.max(1, ...declared.values.map((value) => value.length)),
        binaryCollation,
      });
    case 'date':
      return DATE;
    case 'datetime':
    case 'timestamp': {
      const scale = declared.length ?? 0;
      return makeType(name, { length: scale > 0 ? 20 + scale : 19, scale });
    }
    case 'time':
      return makeType('time', {
        length: 10 + (declared.length ? declared.length + 1 : 0),
        scale: declared.length ?? 0,
      });
    default:
      return makeType('year', { bits: 16, unsigned: true, length: 4 });
  }
}

/** How a declared type is written in SHOW CREATE TABLE, DESCRIBE and information_schema. */
export function typeText(declared: ColumnType): string {
  const { name, length, scale, unsigned, values } = declared;
  const sign = unsigned ? ' unsigned' : '';
  const integer = INTEGER_BITS[name];
  if (integer) return `${name}(${length ?? (unsigned && integer[0] < 64 ? integer[1] - 1 : integer[1])})${sign}`;
  if (name === 'enum') return `enum(${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(',')})`;
  if (name === 'decimal') return `decimal(${length ?? 10},${scale ?? 0})${sign}`;
  if (['char', 'varchar', 'binary', 'varbinary'].includes(name)) return `${name}(${length ?? 1})`;
  if (name === 'year') return 'year(4)';
  if (length !== null && !/text|blob/.test(name))
    return `${name}(${scale === null ? length : `${length},${scale}`})${sign}`;
  return `${name}${sign}`;
}

/** The type that can hold values of both: for CASE, IF, COALESCE and UNION. */
export function commonType(left: SqlType, right: SqlType): SqlType {
  if (left.kind === 'null' || left.kind === 'unknown') return right;
  if (right.kind === 'null' || right.kind === 'unknown') return left;
  if (left.kind === right.kind) {
    return {
      ...left,
      bits: Math.max(left.bits, right.bits),
      length: Math.max(left.length, right.length),
      scale: Math.max(left.scale, right.scale),
      unsigned: left.unsigned && right.unsigned,
      binaryCollation: left.binaryCollation || right.binaryCollation,
    };
  }
  if (isNumeric(left) && isNumeric(right)) {
    if ([left.kind, right.kind].some((kind) => kind === 'double' || kind === 'float')) return DOUBLE;
    if (left.kind === 'decimal' || right.kind === 'decimal') {
      return decimal(Math.max(left.length, right.length), Math.max(left.scale, right.scale));
    }
    return BIGINT;
  }
  if (isTemporal(left) && isTemporal(right)) {
    return left.kind === 'time' || right.kind === 'time' ? varchar(29) : datetime(Math.max(left.scale, right.scale));
  }
  if (isBytes(left) || isBytes(right)) return makeType('blob', { length: Math.max(left.length, right.length, 65535) });
  if (left.kind === 'text' || right.kind === 'text') return LONG_TEXT;
  return varchar(Math.max(left.length, right.length, 1));
}
