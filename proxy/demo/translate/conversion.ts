import { notUnderstood } from '../mysql-error.ts';
import type { Expr } from './ast.ts';
import { type EmitContext, quoteText } from './context.ts';
import { DOUBLE, isBytes, isNumeric, isString, isTemporal, type SqlType, varchar } from './sql-type.ts';
import { normalizeTemporal, type TemporalKind } from './temporal.ts';

/** A translated expression: SQLite text, MySQL type, and the expression it came from. */
export interface Emitted {
  readonly sql: string;
  readonly type: SqlType;
  readonly expr: Expr;
}

/** The text that MySQL makes of a value where a string is needed. */
export function textOf(value: Emitted): string {
  const { sql, type } = value;
  if (type.kind === 'decimal') return `demo_fixed(${sql}, ${type.scale})`;
  if (type.kind === 'double' || type.kind === 'float') return `demo_double_text(${sql})`;
  if (type.kind === 'int' || type.kind === 'year') return `CAST(${sql} AS TEXT)`;
  return sql;
}

const INTEGER_TEXT = /^\s*[-+]?\d+\s*$/;
const NUMBER_TEXT = /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?/;

/** The number that MySQL makes of a value where a number is needed; text counts up to its first wrong character. */
export function numberOf(value: Emitted): Emitted {
  const { sql, type, expr } = value;
  if (isNumeric(type) || type.kind === 'null') return value;
  if (expr.kind === 'string') {
    const digits = NUMBER_TEXT.exec(expr.value)?.[0].trim() ?? '0';
    if (INTEGER_TEXT.test(expr.value) && digits.length < 18)
      return { ...value, sql: String(BigInt(digits)), type: DOUBLE };
    return {
      ...value,
      sql: `${Number(digits)}`.includes('e') ? String(Number(digits)) : `${Number(digits)}`,
      type: DOUBLE,
    };
  }
  if (isTemporal(type)) throw notUnderstood('arithmetic with dates and times');
  if (isBytes(type)) throw notUnderstood('arithmetic with binary strings');
  if (type.kind === 'unknown') return { ...value, sql: `CAST(${sql} AS NUMERIC)`, type: DOUBLE };
  return { ...value, sql: `CAST(${sql} AS REAL)`, type: DOUBLE };
}

/** Brings a string or parameter to the kept form of a temporal type, so that text comparison orders moments. */
function temporalOf(context: EmitContext, value: Emitted, kind: TemporalKind, scale: number): string {
  const { sql, type, expr } = value;
  if (expr.kind === 'string' || expr.kind === 'temporal') {
    const normal = normalizeTemporal(kind, scale, expr.value);
    return normal === null ? sql : quoteText(context, normal);
  }
  if (type.kind === 'null') return sql;
  if (type.kind === 'date' && kind !== 'date')
    return `(${sql} || ' 00:00:00${scale > 0 ? `.${'0'.repeat(scale)}` : ''}')`;
  if (isTemporal(type) && type.scale === scale && (type.kind === 'time') === (kind === 'time')) return sql;
  if (isNumeric(type)) throw notUnderstood('comparison of a date or time with a number');
  return `demo_temporal('${kind}', ${scale}, ${sql})`;
}

/** Two values made ready for comparison by MySQL's rules; `collate` is to be written after the left one. */
export function comparable(context: EmitContext, left: Emitted, right: Emitted): { left: string; right: string } {
  const [a, b] = [left.type, right.type];
  if (a.kind === 'null' || b.kind === 'null') return { left: left.sql, right: right.sql };
  if (isTemporal(a) || isTemporal(b)) {
    const { kind, scale } = isDayText(left) && isDayText(right) ? DAY : temporalForBoth(a, b);
    return { left: temporalOf(context, left, kind, scale), right: temporalOf(context, right, kind, scale) };
  }
  if (isBytes(a) || isBytes(b)) return { left: asBlob(left), right: asBlob(right) };
  if (isNumeric(a) && isNumeric(b)) return { left: left.sql, right: right.sql };
  if (isNumeric(a) || isNumeric(b)) {
    return { left: exactNumber(left), right: exactNumber(right) };
  }
  if (isString(a) || isString(b)) {
    if (!isPlain(left) || !isPlain(right)) return { left: folded(left), right: folded(right) };
    const collation = a.binaryCollation || b.binaryCollation ? 'BINARY' : 'NOCASE';
    return { left: `${left.sql} COLLATE ${collation}`, right: right.sql };
  }
  return { left: left.sql, right: right.sql };
}

const DAY = { kind: 'date', scale: 0 } as const;

/** Text that is a day without a time, next to which a date column stays as it is. */
function isDayText({ expr, type }: Emitted): boolean {
  return (
    (isString(type) && expr.kind === 'string' && /^\d{4}-\d{1,2}-\d{1,2}$/.test(expr.value)) || type.kind === 'date'
  );
}

function exactNumber(value: Emitted): string {
  if (value.expr.kind === 'string' && INTEGER_TEXT.test(value.expr.value)) {
    const number = BigInt(value.expr.value.trim());
    if (number <= 0x7fffffffffffffffn && number >= -0x8000000000000000n) return String(number);
  }
  return numberOf(value).sql;
}

/** Whether text compares right without regard to accents and trailing blanks: the engine itself only folds A–Z. */
function isPlain({ expr, type }: Emitted): boolean {
  return expr.kind !== 'string' || type.binaryCollation || /^[\x20-\x7e]*$/.test(expr.value.replace(/ $/, '\0'));
}

function folded(value: Emitted): string {
  return value.type.binaryCollation ? value.sql : `demo_fold(${textOf(value)})`;
}

function asBlob({ sql, type }: Emitted): string {
  return isBytes(type) ? sql : `CAST(${sql} AS BLOB)`;
}

function temporalForBoth(a: SqlType, b: SqlType): { kind: TemporalKind; scale: number } {
  const kinds = [a, b].filter(isTemporal);
  const scale = Math.max(...kinds.map((type) => type.scale));
  if (kinds.some((type) => type.kind === 'datetime' || type.kind === 'timestamp')) return { kind: 'datetime', scale };
  if (kinds.length === 2 && kinds[0]?.kind !== kinds[1]?.kind) throw notUnderstood('comparison of a date with a time');
  // A date column against text may meet a time of day: both are then compared as moments.
  if (kinds[0]?.kind === 'date' && kinds.length === 1) return { kind: 'datetime', scale: 0 };
  return { kind: kinds[0]?.kind === 'time' ? 'time' : 'date', scale };
}

/** Collation to write after a string expression that is sorted, grouped or made distinct. */
export function sortCollation(type: SqlType): string {
  return isString(type) && !type.binaryCollation ? ' COLLATE NOCASE' : '';
}

/** Type of the text that a value turns into. */
export function textTypeOf(type: SqlType): SqlType {
  return isString(type) ? type : varchar(Math.max(1, type.length + (type.kind === 'decimal' ? 2 : 0)));
}
