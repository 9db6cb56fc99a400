import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { Expr } from './ast.ts';
import type { EmitContext, Fact } from './context.ts';
import { type Emitted, numberOf, sortCollation, textOf, textTypeOf } from './conversion.ts';
import type { ExpressionEmitter } from './emit-expression.ts';
import { emitArithmetic, unify } from './emit-expression.ts';
import {
  BIGINT,
  BOOLEAN,
  commonType,
  DATE,
  DOUBLE,
  datetime,
  decimal,
  INT,
  isInteger,
  isNumeric,
  isString,
  LONG_TEXT,
  NULL_TYPE,
  type SqlType,
  TIME,
  varbinary,
  varchar,
} from './sql-type.ts';

/** Results of functions that may be long: text of the VARCHAR kind, as a genuine kernel has it. */
const LONG_VARCHAR = varchar(262_144);

type Call = Extract<Expr, { kind: 'call' }>;

interface CallPlace {
  readonly args: readonly Emitted[];
  readonly context: EmitContext;
}

interface FunctionSpec {
  readonly min: number;
  readonly max: number;
  emit(place: CallPlace): { sql: string; type: SqlType };
}

const spec = (min: number, max: number, emit: FunctionSpec['emit']): FunctionSpec => ({ min, max, emit });

const fact = (name: Fact, type: SqlType): FunctionSpec =>
  spec(0, 0, ({ context }) => ({ sql: context.bind({ kind: 'fact', fact: name }), type }));

/** A function of text arguments that the engine has as `demo_<name>`. */
const textual = (name: string, min: number, max: number, type: (args: readonly Emitted[]) => SqlType): FunctionSpec =>
  spec(min, max, ({ args }) => ({ sql: `${name}(${args.map(textOf).join(', ')})`, type: type(args) }));

const numeric = (name: string, min: number, max: number, type: SqlType): FunctionSpec =>
  spec(min, max, ({ args }) => ({ sql: `${name}(${args.map((arg) => numberOf(arg).sql).join(', ')})`, type }));

const joined = (args: readonly Emitted[]): SqlType =>
  varchar(
    Math.max(
      1,
      args.reduce((sum, arg) => sum + textTypeOf(arg.type).length, 0),
    ),
  );
const firstText = (args: readonly Emitted[]): SqlType => (args[0] ? textTypeOf(args[0].type) : LONG_TEXT);
const constant = (type: SqlType) => () => type;

/** Text arguments stay text; a number argument stays a number. */
const mixed = (
  name: string,
  min: number,
  max: number,
  type: (args: readonly Emitted[]) => SqlType,
  numbers: readonly number[],
): FunctionSpec =>
  spec(min, max, ({ args }) => ({
    sql: `${name}(${args.map((arg, index) => (numbers.includes(index) ? numberOf(arg).sql : textOf(arg))).join(', ')})`,
    type: type(args),
  }));

const alike = (name: string): FunctionSpec =>
  spec(name === 'coalesce' ? 1 : 2, 99, ({ args }) => {
    const type = args.map((arg) => arg.type).reduce(commonType, NULL_TYPE);
    if (name !== 'coalesce' && isString(type))
      throw notUnderstood(`${name === 'max' ? 'GREATEST' : 'LEAST'} of strings`);
    const [only] = args;
    if (args.length === 1 && only) return { sql: only.sql, type };
    return { sql: `${name}(${args.map((arg) => unify(arg, type)).join(', ')})`, type };
  });

const rounding = (name: 'round' | 'truncate'): FunctionSpec =>
  spec(name === 'round' ? 1 : 2, 2, ({ args }) => {
    const [value, digits] = args;
    const number = numberOf(value ?? NOTHING);
    if (isInteger(number.type) && !digits) return { sql: number.sql, type: BIGINT };
    const places = digits?.expr.kind === 'number' ? Number(digits.expr.text) : 0;
    const sql = `demo_${name}(${number.sql}, ${digits ? numberOf(digits).sql : '0'})`;
    if (isInteger(number.type)) return { sql: `CAST(${sql} AS INTEGER)`, type: BIGINT };
    if (number.type.kind === 'decimal' && (!digits || digits.expr.kind === 'number')) {
      return { sql, type: decimal(number.type.length, Math.max(0, Math.min(places, number.type.scale))) };
    }
    return { sql, type: DOUBLE };
  });

const whole = (name: string): FunctionSpec =>
  spec(1, 1, ({ args }) => {
    const number = numberOf(args[0] ?? NOTHING);
    return isInteger(number.type)
      ? { sql: number.sql, type: BIGINT }
      : { sql: `CAST(${name}(${number.sql}) AS INTEGER)`, type: BIGINT };
  });

const moment = (name: string, type: SqlType): FunctionSpec =>
  spec(1, 1, ({ args }) => ({ sql: `demo_part('${name}', ${args[0]?.sql ?? 'NULL'})`, type }));

const NOTHING: Emitted = { sql: 'NULL', type: NULL_TYPE, expr: { kind: 'null' } };

const shift = (sign: 1 | -1): FunctionSpec =>
  spec(2, 2, ({ args }) => {
    const [base = NOTHING, amount = NOTHING] = args;
    if (amount.expr.kind !== 'interval') {
      const amountSql = numberOf(amount).sql;
      return {
        sql: `demo_shift(${base.sql}, ${sign} * (${amountSql}), 'DAY')`,
        type: base.type.kind === 'date' ? DATE : datetime(),
      };
    }
    const { unit } = amount.expr;
    const dayUnit = ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'].includes(unit);
    const type =
      base.type.kind === 'date' && dayUnit
        ? DATE
        : isString(base.type)
          ? varchar(29)
          : datetime(unit === 'MICROSECOND' ? 6 : base.type.scale);
    return { sql: `demo_shift(${base.sql}, ${sign} * (${amount.sql}), '${unit}')`, type };
  });

/** Functions that look at a row or at nothing. Names as MySQL has them. */
const FUNCTIONS: Readonly<Record<string, FunctionSpec>> = {
  NOW: spec(0, 1, ({ args, context }) => {
    const fraction = args[0]?.expr.kind === 'number' ? Number(args[0].expr.text) : 0;
    if (fraction !== 0 && fraction !== 6) throw notUnderstood(`NOW(${fraction})`);
    return { sql: context.bind({ kind: 'fact', fact: fraction === 6 ? 'now6' : 'now' }), type: datetime(fraction) };
  }),
  CURDATE: fact('date', DATE),
  CURTIME: fact('time', TIME),
  UTC_TIMESTAMP: fact('utc', datetime()),
  CONNECTION_ID: fact('connectionId', BIGINT),
  DATABASE: fact('database', varchar(128)),
  USER: fact('user', varchar(193)),
  CURRENT_USER: fact('account', varchar(193)),
  ROW_COUNT: fact('rowCount', BIGINT),
  FOUND_ROWS: fact('foundRows', BIGINT),
  LAST_INSERT_ID: spec(0, 1, ({ args, context }) => {
    if (args.length > 0) return { sql: `demo_set_last_insert_id(${numberOf(args[0] ?? NOTHING).sql})`, type: BIGINT };
    return { sql: context.bind({ kind: 'fact', fact: 'lastInsertId' }), type: BIGINT };
  }),
  VERSION: spec(0, 0, ({ context }) => ({
    sql: context.bind({ kind: 'sysvar', scope: '', name: 'version' }),
    type: varchar(64),
  })),
  OB_VERSION: spec(0, 0, () => ({ sql: "'4.3.5.3'", type: varchar(16) })),
  CONCAT: spec(1, 99, ({ args }) => {
    const binary = args.some((arg) => ['binary', 'varbinary', 'blob'].includes(arg.type.kind));
    const text = args.map(textOf).join(' || ');
    return binary
      ? { sql: `CAST((${text}) AS BLOB)`, type: varbinary(joined(args).length) }
      : { sql: `(${args.length === 1 ? `CAST(${text} AS TEXT)` : text})`, type: joined(args) };
  }),
  CONCAT_WS: textual('demo_concat_ws', 2, 99, joined),
  LENGTH: textual('octet_length', 1, 1, constant(BIGINT)),
  OCTET_LENGTH: textual('octet_length', 1, 1, constant(BIGINT)),
  BIT_LENGTH: spec(1, 1, ({ args }) => ({ sql: `(octet_length(${textOf(args[0] ?? NOTHING)}) * 8)`, type: BIGINT })),
  CHAR_LENGTH: textual('length', 1, 1, constant(BIGINT)),
  UPPER: textual('demo_upper', 1, 1, firstText),
  LOWER: textual('demo_lower', 1, 1, firstText),
  TRIM: textual('trim', 1, 1, firstText),
  LTRIM: textual('ltrim', 1, 1, firstText),
  RTRIM: textual('rtrim', 1, 1, firstText),
  TRIM_BOTH: textual('demo_trim_both', 2, 2, firstText),
  TRIM_LEADING: textual('demo_trim_leading', 2, 2, firstText),
  TRIM_TRAILING: textual('demo_trim_trailing', 2, 2, firstText),
  REVERSE: textual('demo_reverse', 1, 1, firstText),
  REPLACE: textual('demo_replace', 3, 3, firstText),
  SUBSTRING: mixed('demo_substring', 2, 3, firstText, [1, 2]),
  SUBSTRING_INDEX: mixed('demo_substring_index', 3, 3, firstText, [2]),
  LEFT: mixed('demo_left', 2, 2, firstText, [1]),
  RIGHT: mixed('demo_right', 2, 2, firstText, [1]),
  REPEAT: mixed('demo_repeat', 2, 2, constant(LONG_VARCHAR), [1]),
  SPACE: spec(1, 1, ({ args }) => ({
    sql: `demo_repeat(' ', ${numberOf(args[0] ?? NOTHING).sql})`,
    type: LONG_VARCHAR,
  })),
  LPAD: mixed('demo_lpad', 3, 3, constant(LONG_VARCHAR), [1]),
  RPAD: mixed('demo_rpad', 3, 3, constant(LONG_VARCHAR), [1]),
  INSTR: spec(2, 2, ({ args }) => ({
    sql: `demo_locate(${textOf(args[1] ?? NOTHING)}, ${textOf(args[0] ?? NOTHING)}, 1)`,
    type: BIGINT,
  })),
  LOCATE: spec(2, 3, ({ args }) => ({
    sql: `demo_locate(${textOf(args[0] ?? NOTHING)}, ${textOf(args[1] ?? NOTHING)}, ${args[2] ? numberOf(args[2]).sql : '1'})`,
    type: BIGINT,
  })),
  STRCMP: textual('demo_strcmp', 2, 2, constant(BIGINT)),
  FIELD: textual('demo_field', 2, 99, constant(BIGINT)),
  FIND_IN_SET: textual('demo_find_in_set', 2, 2, constant(BIGINT)),
  ELT: mixed('demo_elt', 2, 99, joined, [0]),
  ASCII: textual('demo_ascii', 1, 1, constant(INT)),
  HEX: spec(1, 1, ({ args }) => {
    const [value = NOTHING] = args;
    return {
      sql: isInteger(value.type) ? `demo_hex_number(${value.sql})` : `hex(${textOf(value)})`,
      type: varchar(Math.max(16, value.type.length * 8)),
    };
  }),
  UNHEX: textual('unhex', 1, 1, constant(varbinary(65535))),
  MD5: textual('demo_md5', 1, 1, constant(varchar(32))),
  SHA1: textual('demo_sha1', 1, 1, constant(varchar(40))),
  SHA2: mixed('demo_sha2', 2, 2, constant(varchar(128)), [1]),
  PASSWORD: textual('demo_password', 1, 1, constant(varchar(41))),
  CRC32: textual('demo_crc32', 1, 1, constant(BIGINT)),
  UUID: spec(0, 0, () => ({ sql: 'demo_uuid()', type: varchar(36) })),
  ABS: spec(1, 1, ({ args }) => {
    const number = numberOf(args[0] ?? NOTHING);
    return { sql: `abs(${number.sql})`, type: number.type };
  }),
  SIGN: numeric('sign', 1, 1, BIGINT),
  ROUND: rounding('round'),
  TRUNCATE: rounding('truncate'),
  FLOOR: whole('floor'),
  CEILING: whole('ceil'),
  MOD: spec(2, 2, ({ args }) => emitArithmetic('%', args[0] ?? NOTHING, args[1] ?? NOTHING, NOTHING.expr)),
  ANY_VALUE: spec(1, 1, ({ args }) => ({ sql: args[0]?.sql ?? 'NULL', type: args[0]?.type ?? NULL_TYPE })),
  LAST_DAY: spec(1, 1, ({ args }) => ({ sql: `demo_last_day(${args[0]?.sql ?? 'NULL'})`, type: DATE })),
  POW: numeric('pow', 2, 2, DOUBLE),
  SQRT: numeric('sqrt', 1, 1, DOUBLE),
  EXP: numeric('exp', 1, 1, DOUBLE),
  LN: numeric('ln', 1, 1, DOUBLE),
  LOG2: numeric('log2', 1, 1, DOUBLE),
  LOG10: numeric('log10', 1, 1, DOUBLE),
  SIN: numeric('sin', 1, 1, DOUBLE),
  COS: numeric('cos', 1, 1, DOUBLE),
  TAN: numeric('tan', 1, 1, DOUBLE),
  PI: spec(0, 0, () => ({ sql: 'pi()', type: DOUBLE })),
  RAND: spec(0, 0, () => ({ sql: 'demo_rand()', type: DOUBLE })),
  GREATEST: alike('max'),
  LEAST: alike('min'),
  COALESCE: alike('coalesce'),
  IFNULL: spec(2, 2, ({ args }) => {
    const type = args.map((arg) => arg.type).reduce(commonType, NULL_TYPE);
    return { sql: `ifnull(${args.map((arg) => unify(arg, type)).join(', ')})`, type };
  }),
  NULLIF: spec(2, 2, ({ args }) => ({
    sql: `nullif(${args.map((arg) => arg.sql + sortCollation(arg.type)).join(', ')})`,
    type: args[0]?.type ?? NULL_TYPE,
  })),
  IF: spec(3, 3, ({ args }) => {
    const [condition = NOTHING, yes = NOTHING, no = NOTHING] = args;
    const type = commonType(yes.type, no.type);
    return { sql: `iif(${condition.sql}, ${unify(yes, type)}, ${unify(no, type)})`, type };
  }),
  ISNULL: spec(1, 1, ({ args }) => ({ sql: `(${args[0]?.sql ?? 'NULL'} IS NULL)`, type: BOOLEAN })),
  DATE: spec(1, 1, ({ args }) => ({ sql: `demo_temporal_or_null('date', 0, ${args[0]?.sql ?? 'NULL'})`, type: DATE })),
  TIME: spec(1, 1, ({ args }) => ({ sql: `demo_temporal_or_null('time', 0, ${args[0]?.sql ?? 'NULL'})`, type: TIME })),
  TIMESTAMP: spec(1, 1, ({ args }) => ({
    sql: `demo_temporal_or_null('datetime', 0, ${args[0]?.sql ?? 'NULL'})`,
    type: datetime(),
  })),
  YEAR: moment('YEAR', INT),
  MONTH: moment('MONTH', INT),
  DAYOFMONTH: moment('DAY', INT),
  HOUR: moment('HOUR', INT),
  MINUTE: moment('MINUTE', INT),
  SECOND: moment('SECOND', INT),
  QUARTER: moment('QUARTER', BIGINT),
  DAYOFWEEK: moment('DAYOFWEEK', INT),
  WEEKDAY: moment('WEEKDAY', BIGINT),
  DAYOFYEAR: moment('DAYOFYEAR', INT),
  DAYNAME: moment('DAYNAME', varchar(9)),
  MONTHNAME: moment('MONTHNAME', varchar(9)),
  EXTRACT: spec(2, 2, ({ args }) => ({
    sql: `demo_part(${args[0]?.sql ?? 'NULL'}, ${args[1]?.sql ?? 'NULL'})`,
    type: BIGINT,
  })),
  DATE_FORMAT: spec(2, 2, ({ args }) => ({
    sql: `demo_date_format(${args.map((arg) => arg.sql).join(', ')})`,
    type: varchar(64),
  })),
  DATEDIFF: spec(2, 2, ({ args }) => ({
    sql: `demo_date_diff('DAY_DATE', ${args[1]?.sql}, ${args[0]?.sql})`,
    type: BIGINT,
  })),
  TIMESTAMPDIFF: spec(3, 3, ({ args }) => ({
    sql: `demo_date_diff(${args.map((arg) => arg.sql).join(', ')})`,
    type: BIGINT,
  })),
  UNIX_TIMESTAMP: spec(0, 1, ({ args, context }) => ({
    sql: `demo_unix(${args[0]?.sql ?? context.bind({ kind: 'fact', fact: 'now' })})`,
    type: BIGINT,
  })),
  FROM_UNIXTIME: spec(1, 1, ({ args }) => ({
    sql: `demo_from_unix(${numberOf(args[0] ?? NOTHING).sql})`,
    type: datetime(),
  })),
  DATE_ADD: shift(1),
  DATE_SUB: shift(-1),
  SLEEP: spec(1, 1, () => {
    throw notUnderstood('SLEEP() other than as a whole column of a SELECT without FROM');
  }),
  DEMO_SLEPT: spec(0, 0, () => ({ sql: '0', type: BIGINT })),
};

const SYNONYMS: Readonly<Record<string, string>> = {
  CURRENT_TIMESTAMP: 'NOW',
  LOCALTIME: 'NOW',
  LOCALTIMESTAMP: 'NOW',
  SYSDATE: 'NOW',
  CURRENT_DATE: 'CURDATE',
  CURRENT_TIME: 'CURTIME',
  SCHEMA: 'DATABASE',
  SESSION_USER: 'USER',
  SYSTEM_USER: 'USER',
  CHARACTER_LENGTH: 'CHAR_LENGTH',
  UCASE: 'UPPER',
  LCASE: 'LOWER',
  CEIL: 'CEILING',
  POWER: 'POW',
  DAY: 'DAYOFMONTH',
  SHA: 'SHA1',
  ADDDATE: 'DATE_ADD',
  SUBDATE: 'DATE_SUB',
};

const AGGREGATES = new Set(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'GROUP_CONCAT']);

export function isAggregate(name: string): boolean {
  return AGGREGATES.has(name);
}

/** Translates a function call. */
export function emitCall(emitter: ExpressionEmitter, call: Call): Emitted {
  if (isAggregate(call.name)) return emitAggregate(emitter, call);
  const name = SYNONYMS[call.name] ?? call.name;
  const found = FUNCTIONS[name];
  if (!found) throw notUnderstood(`the function ${call.name}()`);
  if (call.call.distinct || call.args.length < found.min || call.args.length > found.max) {
    throw new MysqlError('WRONG_ARGUMENTS', { name: call.name });
  }
  const args = call.args.map((arg) =>
    arg.kind === 'interval'
      ? { sql: numberOf(emitter.emit(arg.amount)).sql, type: BIGINT, expr: arg }
      : emitter.emit(arg),
  );
  if (['UUID', 'RAND'].includes(name)) emitter.context.volatile = true;
  return { ...found.emit({ args, context: emitter.context }), expr: call };
}

function emitAggregate(emitter: ExpressionEmitter, call: Call): Emitted {
  const { name, call: details } = call;
  const result = (sql: string, type: SqlType): Emitted => ({ sql, type, expr: call });
  if (details.star) return result('count(*)', BIGINT);
  if (call.args.length !== 1 && name !== 'GROUP_CONCAT') throw notUnderstood(`${name} of several columns`);
  const args = call.args.map((arg) => emitter.emit(arg));
  const [arg = NOTHING] = args;
  const distinct = details.distinct ? 'DISTINCT ' : '';
  switch (name) {
    case 'COUNT':
      return result(`count(${distinct}${arg.sql}${sortCollation(arg.type)})`, BIGINT);
    case 'MIN':
    case 'MAX':
      return result(`${name.toLowerCase()}(${arg.sql}${sortCollation(arg.type)})`, arg.type);
    case 'SUM':
    case 'AVG': {
      const number = numberOf(arg);
      const sql = `${name.toLowerCase()}(${distinct}${number.sql})`;
      if (!isNumeric(number.type) || number.type.kind === 'double' || number.type.kind === 'float')
        return result(sql, DOUBLE);
      const scale = (isInteger(number.type) ? 0 : number.type.scale) + (name === 'AVG' ? 4 : 0);
      const type = decimal(Math.min(65, number.type.length + 22), scale);
      // A sum of decimals is brought back to its digits; an average keeps more than it shows, as MySQL's does.
      return name === 'AVG' || isInteger(number.type)
        ? result(sql, type)
        : result(`demo_round(${sql}, ${scale})`, type);
    }
    default: {
      const text = args.length === 1 ? textOf(arg) : `(${args.map(textOf).join(' || ')})`;
      if (distinct && details.separator !== null && details.separator !== ',')
        throw notUnderstood('GROUP_CONCAT(DISTINCT … SEPARATOR …)');
      const order = details.orderBy.map(({ expr, descending }) => {
        const key = emitter.emit(expr);
        return `${key.sql}${sortCollation(key.type)}${descending ? ' DESC' : ''}`;
      });
      const orderBy = order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '';
      const separator = distinct ? '' : `, '${(details.separator ?? ',').replaceAll("'", "''")}'`;
      return result(`group_concat(${distinct}${text}${separator}${orderBy})`, LONG_VARCHAR);
    }
  }
}
