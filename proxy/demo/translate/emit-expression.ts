import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { BinaryOp, Expr, Select } from './ast.ts';
import { type EmitContext, quoteText } from './context.ts';
import { comparable, type Emitted, numberOf, textOf } from './conversion.ts';
import { emitCall, isAggregate } from './emit-call.ts';
import { emitCast } from './emit-cast.ts';
import type { Scope } from './scope.ts';
import {
  BIGINT,
  BOOLEAN,
  commonType,
  DATE,
  DOUBLE,
  datetime,
  decimal,
  isBytes,
  isInteger,
  NULL_TYPE,
  type SqlType,
  TIME,
  UNSIGNED_BIGINT,
  varbinary,
  varchar,
} from './sql-type.ts';
import { normalizeTemporal } from './temporal.ts';

/** Translates a sub-query; given by the SELECT part, which itself needs expressions. */
export type QueryEmitter = (query: Select, scope: Scope) => { sql: string; types: readonly SqlType[] };

/** Translates expressions of one place of a statement. `clause` is its name in error texts. */
export class ExpressionEmitter {
  readonly context: EmitContext;
  readonly scope: Scope;
  readonly clause: string;
  readonly #emitQuery: QueryEmitter;
  /** Aliases of the select list that this place may use. */
  readonly #aliases: ReadonlyMap<string, Emitted>;

  constructor(
    context: EmitContext,
    scope: Scope,
    clause: string,
    emitQuery: QueryEmitter,
    aliases: ReadonlyMap<string, Emitted> = new Map(),
  ) {
    this.context = context;
    this.scope = scope;
    this.clause = clause;
    this.#emitQuery = emitQuery;
    this.#aliases = aliases;
  }

  emit(expr: Expr): Emitted {
    const result = (sql: string, type: SqlType): Emitted => ({ sql, type, expr });
    switch (expr.kind) {
      case 'number':
        return result(expr.text.startsWith('-') ? `(${expr.text})` : expr.text, numberType(expr.text));
      case 'string':
        return result(quoteText(this.context, expr.value), varchar(expr.value.length));
      case 'bytes':
        return result(`x'${expr.value.toString('hex')}'`, varbinary(expr.value.length));
      case 'null':
        return result('NULL', NULL_TYPE);
      case 'bool':
        return result(expr.value ? '1' : '0', BOOLEAN);
      case 'temporal': {
        const text = normalizeTemporal(expr.type, 0, expr.value);
        if (text === null)
          throw new MysqlError('INCORRECT_VALUE', { type: expr.type.toUpperCase(), value: expr.value });
        return result(
          quoteText(this.context, text),
          expr.type === 'date' ? DATE : expr.type === 'time' ? TIME : datetime(),
        );
      }
      case 'param':
        return result(this.context.bind(expr), this.context.environment.paramType(expr.index));
      case 'column':
        return this.#column(expr);
      case 'sysvar':
        this.context.volatile = true;
        return result(this.context.bind(expr), this.context.environment.systemVariableType(expr.scope, expr.name));
      case 'uservar':
        this.context.volatile = true;
        return result(this.context.bind(expr), this.context.environment.userVariableType(expr.name));
      case 'unary':
        return this.#unary(expr);
      case 'binary':
        return this.#binary(expr);
      case 'is': {
        const operand = this.emit(expr.operand).sql;
        const what = expr.what.toUpperCase();
        return result(`(${operand} IS ${expr.negated ? 'NOT ' : ''}${what})`, BOOLEAN);
      }
      case 'between': {
        const low = this.#compare('>=', expr.operand, expr.low);
        const high = this.#compare('<=', expr.operand, expr.high);
        return result(`(${expr.negated ? 'NOT ' : ''}(${low} AND ${high}))`, BOOLEAN);
      }
      case 'in':
        return this.#inList(expr);
      case 'inQuery':
        return this.#inQuery(expr);
      case 'like':
        return this.#like(expr);
      case 'regexp': {
        const pattern = this.emit(expr.pattern);
        const call = `demo_regexp(${textOf(this.emit(expr.operand))}, ${textOf(pattern)})`;
        return result(expr.negated ? `(NOT ${call})` : call, BOOLEAN);
      }
      case 'call':
        return emitCall(this, expr);
      case 'case':
        return this.#case(expr);
      case 'cast':
        return emitCast(this.emit(expr.operand), expr);
      case 'exists':
        return result(`EXISTS (${this.#emitQuery(expr.query, this.scope).sql})`, BOOLEAN);
      case 'subquery': {
        const query = this.#emitQuery(expr.query, this.scope);
        const [type] = query.types;
        if (!type || query.types.length !== 1) throw new MysqlError('OPERAND_COLUMNS', { count: 1 });
        return result(isSingleRow(expr.query) ? `(${query.sql})` : singleRow(query.sql), type);
      }
      case 'collate':
        return this.#collate(expr);
      case 'values':
        return this.#excluded(expr);
      case 'interval':
        throw notUnderstood('INTERVAL outside of date arithmetic');
      case 'row':
        throw notUnderstood('rows (a, b) in an expression other than = and IN');
      case 'default':
        throw notUnderstood('DEFAULT inside an expression');
    }
  }

  /** The operand of AND, OR, WHERE …: its truth, as SQLite decides it. */
  condition(expr: Expr): string {
    return this.emit(expr).sql;
  }

  #column(expr: Extract<Expr, { kind: 'column' }>): Emitted {
    if (expr.table === '') {
      const alias = this.#aliases.get(expr.name.toLowerCase());
      if (alias) return { ...alias, expr };
    }
    const { sql, column } = this.scope.resolve(expr.table, expr.name, this.clause);
    return { sql, type: column.type, expr };
  }

  #unary(expr: Extract<Expr, { kind: 'unary' }>): Emitted {
    if (expr.op === 'not') return { sql: `(NOT ${this.emit(expr.operand).sql})`, type: BOOLEAN, expr };
    if (expr.op === '~') throw notUnderstood('the operator ~');
    const operand = this.emit(expr.operand);
    if (expr.op === '+') return operand;
    const number = numberOf(operand);
    return { sql: `(-${number.sql})`, type: { ...number.type, unsigned: false }, expr };
  }

  #binary(expr: Extract<Expr, { kind: 'binary' }>): Emitted {
    const { op } = expr;
    switch (op) {
      case '=':
      case '<=>':
      case '<>':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return { sql: this.#compare(op, expr.left, expr.right), type: BOOLEAN, expr };
      case 'and':
      case 'or':
        return {
          sql: `(${this.emit(expr.left).sql} ${op.toUpperCase()} ${this.emit(expr.right).sql})`,
          type: BOOLEAN,
          expr,
        };
      case 'xor':
        return {
          sql: `((${this.emit(expr.left).sql} <> 0) <> (${this.emit(expr.right).sql} <> 0))`,
          type: BOOLEAN,
          expr,
        };
      default:
        return emitArithmetic(op, this.emit(expr.left), this.emit(expr.right), expr);
    }
  }

  #compare(op: BinaryOp, left: Expr, right: Expr): string {
    if (left.kind === 'row' || right.kind === 'row') return this.#compareRows(op, left, right);
    const sides = comparable(this.context, this.emit(left), this.emit(right));
    return `(${sides.left} ${op === '<=>' ? 'IS' : op} ${sides.right})`;
  }

  #compareRows(op: BinaryOp, left: Expr, right: Expr): string {
    if (left.kind !== 'row' || right.kind !== 'row' || (op !== '=' && op !== '<>')) {
      throw notUnderstood(`rows (a, b) with ${op}`);
    }
    if (left.items.length !== right.items.length) throw new MysqlError('OPERAND_COLUMNS', { count: left.items.length });
    const parts = left.items.map((item, index) => this.#compare('=', item, right.items[index] ?? { kind: 'null' }));
    return op === '=' ? `(${parts.join(' AND ')})` : `(NOT (${parts.join(' AND ')}))`;
  }

  #inList(expr: Extract<Expr, { kind: 'in' }>): Emitted {
    if (expr.operand.kind === 'row' || expr.list.some((item) => item.kind === 'row')) {
      const options = expr.list.map((item) => this.#compareRows('=', expr.operand, item));
      return { sql: `(${expr.negated ? 'NOT ' : ''}(${options.join(' OR ')}))`, type: BOOLEAN, expr };
    }
    const operand = this.emit(expr.operand);
    const pairs = expr.list.map((item) => comparable(this.context, operand, this.emit(item)));
    const [first] = pairs;
    const alike = first !== undefined && pairs.every((pair) => pair.left === first.left);
    const sql = alike
      ? `(${first.left} ${expr.negated ? 'NOT ' : ''}IN (${pairs.map((pair) => pair.right).join(', ')}))`
      : `(${expr.negated ? 'NOT ' : ''}(${pairs.map((pair) => `${pair.left} = ${pair.right}`).join(' OR ')}))`;
    return { sql, type: BOOLEAN, expr };
  }

  #inQuery(expr: Extract<Expr, { kind: 'inQuery' }>): Emitted {
    if (expr.operand.kind === 'row') throw notUnderstood('rows (a, b) IN (SELECT …)');
    const operand = this.emit(expr.operand);
    const query = this.#emitQuery(expr.query, this.scope);
    const [type] = query.types;
    if (!type || query.types.length !== 1) throw new MysqlError('OPERAND_COLUMNS', { count: 1 });
    const column: Emitted = { sql: '_in', type, expr: { kind: 'column', database: '', table: '', name: '_in' } };
    const sides = comparable(this.context, operand, column);
    if (sides.right !== '_in') throw notUnderstood('IN (SELECT …) over different types');
    return { sql: `(${sides.left} ${expr.negated ? 'NOT ' : ''}IN (${query.sql}))`, type: BOOLEAN, expr };
  }

  #like(expr: Extract<Expr, { kind: 'like' }>): Emitted {
    const operand = this.emit(expr.operand);
    const pattern = this.emit(expr.pattern);
    if (operand.type.binaryCollation || pattern.type.binaryCollation || isBytes(operand.type)) {
      const call = `demo_like_binary(${textOf(operand)}, ${textOf(pattern)}, ${quoteText(this.context, expr.escape)})`;
      return { sql: expr.negated ? `(NOT ${call})` : call, type: BIGINT, expr };
    }
    const escaping = expr.escape === '' ? '' : ` ESCAPE ${quoteText(this.context, expr.escape)}`;
    const sql = `(${textOf(operand)} ${expr.negated ? 'NOT ' : ''}LIKE ${textOf(pattern)}${escaping})`;
    return { sql, type: BIGINT, expr };
  }

  #case(expr: Extract<Expr, { kind: 'case' }>): Emitted {
    const whens = expr.whens.map(({ condition, result }) => ({
      condition: expr.subject ? this.#compare('=', expr.subject, condition) : this.condition(condition),
      result: this.emit(result),
    }));
    const otherwise = expr.otherwise ? this.emit(expr.otherwise) : null;
    const results = [...whens.map((when) => when.result), ...(otherwise ? [otherwise] : [])];
    const type = results.map((result) => result.type).reduce(commonType, NULL_TYPE);
    const branches = whens.map((when) => `WHEN ${when.condition} THEN ${unify(when.result, type)}`).join(' ');
    const last = otherwise ? ` ELSE ${unify(otherwise, type)}` : '';
    return { sql: `(CASE ${branches}${last} END)`, type, expr };
  }

  #collate(expr: Extract<Expr, { kind: 'collate' }>): Emitted {
    const operand = this.emit(expr.operand);
    const collation = expr.collation.toLowerCase();
    if (collation === 'binary') {
      return { sql: `CAST(${textOf(operand)} AS BLOB)`, type: varbinary(operand.type.length), expr };
    }
    if (!/^(utf8(mb[34])?_(general_ci|bin))$/.test(collation)) throw notUnderstood(`the collation ${expr.collation}`);
    return { sql: textOf(operand), type: { ...operand.type, binaryCollation: collation.endsWith('_bin') }, expr };
  }

  #excluded(expr: Extract<Expr, { kind: 'values' }>): Emitted {
    const [source] = this.scope.sources;
    const column = source?.columns.find((candidate) => candidate.name.toLowerCase() === expr.column.toLowerCase());
    if (!this.scope.excluded || !column) {
      throw new MysqlError('UNKNOWN_COLUMN', { column: expr.column, clause: this.clause });
    }
    return { sql: `excluded."${column.name.replaceAll('"', '""')}"`, type: column.type, expr };
  }
}

/** Wraps a scalar sub-query so that a second row is an error and not silently dropped. */
function singleRow(sql: string): string {
  return (
    `(WITH _s(_v) AS (${sql}) SELECT CASE WHEN (SELECT count(*) FROM (SELECT 1 FROM _s LIMIT 2)) > 1 ` +
    'THEN demo_many_rows() ELSE (SELECT _v FROM _s LIMIT 1) END)'
  );
}

/** Whether a query gives one row by its form: aggregates without GROUP BY. */
function isSingleRow(query: Select): boolean {
  const [core] = query.cores;
  if (!core || query.cores.length > 1 || core.groupBy.length > 0) return false;
  if (core.from === null) return true;
  const [item] = core.items;
  return item !== undefined && 'expr' in item && item.expr.kind === 'call' && isAggregate(item.expr.name);
}

/** Brings a branch of CASE, IF … to the common type where the stored forms differ. */
export function unify(value: Emitted, type: SqlType): string {
  if ((type.kind === 'varchar' || type.kind === 'text') && !['varchar', 'text', 'char'].includes(value.type.kind)) {
    return textOf(value);
  }
  if (type.kind === 'datetime' && value.type.kind === 'date') return `(${value.sql} || ' 00:00:00')`;
  return value.sql;
}

/** Type of a number as written. Beyond 64 bits signed the engine cannot hold it exactly. */
function numberType(text: string): SqlType {
  if (/[eE]/.test(text)) return DOUBLE;
  const point = text.indexOf('.');
  if (point >= 0) {
    const digits = text.replace(/[-.]/g, '').length;
    if (digits > 15) throw notUnderstood(`the number ${text} (decimals have up to 15 digits here)`);
    return decimal(digits, text.length - point - 1);
  }
  const value = BigInt(text);
  if (value > 0x7fffffffffffffffn || value < -0x8000000000000000n) {
    throw notUnderstood(`the number ${text} (integers have up to 63 bits and a sign here)`);
  }
  return BIGINT;
}

const DIVISION_DIGITS = 4;

export function emitArithmetic(op: BinaryOp, leftOperand: Emitted, rightOperand: Emitted, expr: Expr): Emitted {
  const left = numberOf(leftOperand);
  const right = numberOf(rightOperand);
  const [a, b] = [left.type, right.type];
  const result = (sql: string, type: SqlType): Emitted => ({ sql, type, expr });
  if (['&', '|', '<<', '>>', '^'].includes(op)) {
    const x = wholeNumber(left);
    const y = wholeNumber(right);
    return result(op === '^' ? `((${x} | ${y}) - (${x} & ${y}))` : `(${x} ${op} ${y})`, UNSIGNED_BIGINT);
  }
  const inexact = [a, b].some((type) => type.kind === 'double' || type.kind === 'float');
  const integers = [a, b].every((type) => isInteger(type) || type.kind === 'null');
  const unsigned = a.unsigned || b.unsigned;
  switch (op) {
    case '+':
    case '-':
    case '*': {
      const sql = `(${left.sql} ${op} ${right.sql})`;
      if (integers) return result(sql, { ...BIGINT, length: 21, unsigned });
      if (inexact) return result(sql, DOUBLE);
      const scale = op === '*' ? a.scale + b.scale : Math.max(a.scale, b.scale);
      return result(`demo_round(${sql}, ${scale})`, decimal(Math.min(65, a.length + b.length), scale));
    }
    case '/': {
      const sql = `(CAST(${left.sql} AS REAL) / ${right.sql})`;
      if (inexact) return result(sql, DOUBLE);
      const scale = (isInteger(a) ? 0 : a.scale) + DIVISION_DIGITS;
      // Not rounded here: MySQL, too, keeps more digits than it shows.
      return result(sql, decimal(Math.min(65, a.length + DIVISION_DIGITS), scale));
    }
    case 'div':
      if (integers) return result(`(${left.sql} / ${right.sql})`, { ...BIGINT, unsigned });
      return result(`CAST(CAST(${left.sql} AS REAL) / ${right.sql} AS INTEGER)`, { ...BIGINT, unsigned });
    default: {
      if (integers) return result(`(${left.sql} % ${right.sql})`, { ...BIGINT, unsigned: a.unsigned });
      const sql = `demo_mod(${left.sql}, ${right.sql})`;
      if (inexact) return result(sql, DOUBLE);
      const scale = Math.max(a.scale, b.scale);
      return result(`demo_round(${sql}, ${scale})`, decimal(Math.max(a.length, b.length), scale));
    }
  }
}

function wholeNumber({ sql, type }: Emitted): string {
  return isInteger(type) ? sql : `CAST(demo_round(${sql}, 0) AS INTEGER)`;
}
