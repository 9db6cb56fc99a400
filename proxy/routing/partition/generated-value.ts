/** The value of a generated column from those it is generated from, for the expressions that are certain. */
import type { GeneratedColumn, KeyColumn } from '../../cluster/partitioning.ts';
import type { Expression } from '../../sql/expression.ts';
import { evaluateInteger } from './evaluate-expression.ts';
import { COLLATION, isInteger, isSupported, type KeyValue, keyValue, TYPE } from './key-value.ts';

type BaseValue = (base: KeyColumn) => KeyValue | undefined;

/** Undefined: not known. */
export function generatedValue(
  column: KeyColumn,
  { expression, columns }: GeneratedColumn,
  valueOfBase: BaseValue,
): KeyValue | undefined {
  if (isText(column)) return textValue(column, expression, columns, valueOfBase);
  if (!isInteger(column.type)) return undefined;
  const value = evaluateInteger(expression, (name) => {
    const base = columns.find((candidate) => candidate.name === name);
    const known = base === undefined ? undefined : valueOfBase(base);
    return base === undefined || known === undefined ? undefined : { column: base, value: known };
  });
  return value === undefined || value === null ? value : keyValue({ kind: 'number', text: String(value) }, column);
}

const isText = ({ type }: KeyColumn): boolean => type === TYPE.varchar || type === TYPE.char;

const FROM_THE_LEFT: ReadonlySet<string> = new Set(['substr', 'substring', 'mid', 'left']);

/** `SUBSTR(a, 2, 3)`, `LEFT(a, 3)`, and the column itself. Texts that are equal have equal parts only in the same collation. */
function textValue(
  column: KeyColumn,
  expression: Expression,
  columns: readonly KeyColumn[],
  valueOfBase: BaseValue,
): KeyValue | undefined {
  if (expression.kind !== 'call' || !FROM_THE_LEFT.has(expression.name)) return undefined;
  const [text, ...numbers] = expression.args;
  const [base] = columns;
  if (text?.kind !== 'column' || base === undefined || !isSupported(base) || !isText(base)) return undefined;
  if (base.collation !== column.collation || base.collation === COLLATION.binary) return undefined;
  const [first, second] = numbers.map((number) => (number.kind === 'number' ? Number(number.text) : 0));
  const from = expression.name === 'left' ? 1 : first;
  const count = expression.name === 'left' ? first : (second ?? Number.POSITIVE_INFINITY);
  if (!from || !count || !Number.isInteger(from)) return undefined;
  const value = valueOfBase(base);
  if (!Buffer.isBuffer(value)) return value === null ? null : undefined;
  const part = [...value.toString('utf8')].slice(from - 1, from - 1 + count).join('');
  return keyValue({ kind: 'string', bytes: Buffer.from(part) }, column);
}
