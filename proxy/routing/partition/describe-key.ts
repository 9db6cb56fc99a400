/** The key of a partitioned table, and what a statement says of it, in words (EXPLAIN). */
import type { KeyColumn, Partitioning, PartitionRule } from '../../cluster/partitioning.ts';
import type { Expression } from '../../sql/expression.ts';
import type { KeyConditions, KeyTerm } from '../../sql/key-conditions.ts';
import type { KeyOperand } from '../../sql/key-operand.ts';

const MAX_TEXT_LENGTH = 40;

/** `KEY (id)`; with two levels `RANGE (day), then HASH (id)`. */
export function partitioningText({ rule, subRule }: Partitioning): string {
  return [rule, ...(subRule === null ? [] : [subRule])].map(ruleText).join(', then ');
}

/** `id = 5 and day < '2026-01-01'`, or the partition that the statement names. @param columns those that the conditions number */
export function conditionsText({ terms, partition }: KeyConditions, columns: readonly KeyColumn[]): string {
  if (partition !== null) return `PARTITION (${partition})`;
  return terms.map((term) => termText(term, columns)).join(' and ');
}

function ruleText({ kind, columns, expression }: PartitionRule): string {
  const key = expression === null ? columns.map(({ name }) => name).join(', ') : expressionText(expression);
  return `${kind.toUpperCase()} (${key})`;
}

/** Operators stand between their operands, within brackets of their own where they are nested. */
function expressionText(expression: Expression, isNested = false): string {
  if (expression.kind === 'number') return expression.text;
  if (expression.kind === 'column') return expression.name;
  const { name, args } = expression;
  const isOperator = /^([-+*/%]|div)$/.test(name);
  const texts = args.map((arg) => expressionText(arg, isOperator || name === 'negate'));
  if (name === 'negate') return `-${texts.join('')}`;
  if (!isOperator) return `${name}(${texts.join(', ')})`;
  const text = texts.join(` ${name} `);
  return isNested ? `(${text})` : text;
}

function termText({ column, operator, operand }: KeyTerm, columns: readonly KeyColumn[]): string {
  return `${columns[column]?.name ?? '?'} ${operator} ${operandText(operand)}`;
}

function operandText(operand: KeyOperand): string {
  switch (operand.kind) {
    case 'number':
      return operand.text;
    case 'bits':
      return `x'${shortened(operand.bytes.toString('hex'))}'`;
    case 'string':
    case 'moment':
      return `'${shortened(operand.bytes.toString('utf8'))}'`;
    case 'null':
      return 'NULL';
    case 'default':
      return 'DEFAULT';
    case 'parameter':
      return '?';
    case 'variable':
      return `@${operand.name}`;
  }
}

const shortened = (text: string): string =>
  text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
