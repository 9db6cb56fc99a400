import { MysqlError } from '../mysql-error.ts';
import type { Bind, Fact, SqlValue } from '../translate/context.ts';
import { BIGINT, DOUBLE, NULL_TYPE, type SqlType, UNKNOWN, varbinary, varchar } from '../translate/sql-type.ts';
import { localDateTime } from '../translate/temporal.ts';
import type { BindValues } from './connection.ts';
import type { DemoSession } from './session.ts';

/** The values of a translated statement's places, as they are now. */
export function bindValues(
  binds: readonly Bind[],
  params: readonly SqlValue[],
  session: DemoSession,
  now: Date,
): BindValues {
  return Object.fromEntries(binds.map((bind, index) => [`:p${index + 1}`, bindValue(bind, params, session, now)]));
}

function bindValue(bind: Bind, params: readonly SqlValue[], session: DemoSession, now: Date): SqlValue {
  switch (bind.kind) {
    case 'param': {
      const value = params[bind.index];
      if (value === undefined) throw new MysqlError('WRONG_ARGUMENTS', { name: 'EXECUTE' });
      return value;
    }
    case 'value':
      return bind.value;
    case 'fact':
      return factOf(bind.fact, session, now);
    case 'sysvar':
      return session.variables.valueOf(bind.name, bind.scope);
    case 'uservar':
      return session.variables.user(bind.name);
    case 'virtual':
      return rowsAsJson(bind.table.rows());
  }
}

function factOf(fact: Fact, session: DemoSession, now: Date): SqlValue {
  switch (fact) {
    case 'now':
      return localDateTime(now, 0);
    case 'now6':
      return localDateTime(now, 6);
    case 'utc':
      return now.toISOString().slice(0, 19).replace('T', ' ');
    case 'date':
      return localDateTime(now, 0).slice(0, 10);
    case 'time':
      return localDateTime(now, 0).slice(11);
    case 'connectionId':
      return BigInt(session.identity.connectionId);
    case 'database':
      return session.database || null;
    case 'user':
      return `${session.identity.user}@${session.identity.host}`;
    case 'account':
      return `${session.identity.user}@%`;
    case 'lastInsertId':
      return session.lastInsertId;
    case 'rowCount':
      return BigInt(session.rowCount);
    case 'foundRows':
      return BigInt(session.foundRows);
  }
}

/** Type of a bound value. */
export function valueType(value: SqlValue | undefined): SqlType {
  if (value === undefined) return UNKNOWN;
  if (value === null) return NULL_TYPE;
  if (typeof value === 'bigint') return BIGINT;
  if (typeof value === 'number') return DOUBLE;
  if (typeof value === 'string') return varchar(Math.max(1, value.length));
  return varbinary(value.length);
}

/** One JSON text of arrays: 64-bit integers as digits, bytes as hex digits. */
function rowsAsJson(rows: readonly (readonly SqlValue[])[]): string {
  const cell = (value: SqlValue): string => {
    if (typeof value === 'bigint') return String(value);
    return JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);
  };
  return `[${rows.map((row) => `[${row.map(cell).join(',')}]`).join(',')}]`;
}
