import type { Column, Table } from '../engine/catalog.ts';
import { MysqlError, notUnderstood } from '../mysql-error.ts';
import { type EmitContext, quoteText } from './context.ts';
import { type Emitted, textOf } from './conversion.ts';
import { isBytes, isInteger, isNumeric, isTemporal } from './sql-type.ts';
import { normalizeTemporal } from './temporal.ts';

/** Converts a value to what a column keeps, by MySQL's strict rules; what cannot be converted is an error at run time. */
export function storeAs(context: EmitContext, table: Table, column: Column, value: Emitted): string {
  if (column.spec.autoIncrement) {
    const given = value.type.kind === 'null' ? 'NULL' : integer(context, column, value);
    return `demo_auto(${quoteText(context, table.storeName)}, ${given})`;
  }
  if (value.type.kind === 'null') {
    if (column.spec.notNull) throw new MysqlError('NULL_NOT_ALLOWED', { column: column.name });
    return 'NULL';
  }
  const { type } = column;
  const name = quoteText(context, column.name);
  switch (type.kind) {
    case 'int':
    case 'year':
      return integer(context, column, value);
    case 'decimal':
      if (isNumeric(value.type)) return `demo_round(${value.sql}, ${type.scale})`;
      return `demo_round(demo_to_number(${value.sql}, ${name}), ${type.scale})`;
    case 'double':
    case 'float':
      return isNumeric(value.type) ? `CAST(${value.sql} AS REAL)` : `demo_to_number(${value.sql}, ${name})`;
    case 'char':
    case 'varchar':
    case 'text': {
      const text =
        isBytes(value.type) || value.type.kind === 'unknown' ? `demo_utf8(${value.sql}, ${name})` : textOf(value);
      return type.kind === 'char' ? `rtrim(${text})` : text;
    }
    case 'binary':
      throw notUnderstood('BINARY columns (write VARBINARY)');
    case 'varbinary':
    case 'blob':
      return isBytes(value.type) ? value.sql : `CAST(${textOf(value)} AS BLOB)`;
    default:
      return temporal(context, column, value);
  }
}

function integer(context: EmitContext, column: Column, value: Emitted): string {
  if (isInteger(value.type)) return value.sql;
  if (isNumeric(value.type)) return `CAST(demo_round(${value.sql}, 0) AS INTEGER)`;
  if (isTemporal(value.type)) throw notUnderstood('a date or time stored as a number');
  return `demo_to_int(${value.sql}, ${quoteText(context, column.name)})`;
}

function temporal(context: EmitContext, column: Column, value: Emitted): string {
  const { type } = column;
  const kind = type.kind === 'timestamp' ? 'datetime' : type.kind;
  if (kind !== 'date' && kind !== 'datetime' && kind !== 'time') throw notUnderstood(`the column type ${type.kind}`);
  if (value.expr.kind === 'string') {
    const kept = normalizeTemporal(kind, type.scale, value.expr.value);
    if (kept !== null) return quoteText(context, kept);
  }
  if (value.type.kind === kind && value.type.scale === type.scale) return value.sql;
  if (isBytes(value.type)) throw notUnderstood('bytes stored as a date or time');
  return `demo_store_temporal('${kind}', ${type.scale}, ${value.sql})`;
}
