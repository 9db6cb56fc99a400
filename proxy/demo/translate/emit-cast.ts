import { notUnderstood } from '../mysql-error.ts';
import type { CastTarget, Expr } from './ast.ts';
import { type Emitted, numberOf, textOf } from './conversion.ts';
import {
  BIGINT,
  DATE,
  DOUBLE,
  datetime,
  decimal,
  isInteger,
  isString,
  type SqlType,
  TIME,
  UNSIGNED_BIGINT,
  varbinary,
  varchar,
} from './sql-type.ts';

/** CAST(x AS type) and CONVERT(x, type). */
export function emitCast(operand: Emitted, expr: Expr & { readonly target: CastTarget }): Emitted {
  const { target } = expr;
  const result = (sql: string, type: SqlType): Emitted => ({ sql, type, expr });
  switch (target.type) {
    case 'signed':
    case 'unsigned': {
      const type = target.type === 'signed' ? BIGINT : UNSIGNED_BIGINT;
      if (isInteger(operand.type)) return result(operand.sql, type);
      if (isString(operand.type)) return result(`CAST(${operand.sql} AS INTEGER)`, type);
      return result(`CAST(demo_round(${numberOf(operand).sql}, 0) AS INTEGER)`, type);
    }
    case 'char': {
      const text = textOf(operand);
      if (target.length === null)
        return result(
          `CAST(${text} AS TEXT)`,
          isString(operand.type) ? operand.type : varchar(Math.max(1, operand.type.length)),
        );
      return result(`substr(${text}, 1, ${target.length})`, varchar(target.length));
    }
    case 'binary':
      if (target.length !== null) throw notUnderstood('CAST to BINARY with a length');
      return result(`CAST(${textOf(operand)} AS BLOB)`, varbinary(operand.type.length));
    case 'decimal': {
      const length = target.length ?? 10;
      const scale = target.scale ?? 0;
      if (length > 15) throw notUnderstood(`DECIMAL of more than 15 digits (${length})`);
      return result(`demo_round(${numberOf(operand).sql}, ${scale})`, decimal(length, scale));
    }
    case 'double':
      return result(`CAST(${numberOf(operand).sql} AS REAL)`, DOUBLE);
    case 'date':
      return result(`demo_temporal_or_null('date', 0, ${operand.sql})`, DATE);
    case 'datetime':
      return result(
        `demo_temporal_or_null('datetime', ${target.length ?? 0}, ${operand.sql})`,
        datetime(target.length ?? 0),
      );
    case 'time':
      return result(`demo_temporal_or_null('time', ${target.length ?? 0}, ${operand.sql})`, TIME);
  }
}
