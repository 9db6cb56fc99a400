import { MysqlError } from '../mysql-error.ts';
import type { Table } from './catalog.ts';

/** Extended result codes of SQLite that stand for an error of the data. */
const CODE = { MISMATCH: 20, TOO_BIG: 18, PRIMARY_KEY: 1555, UNIQUE: 2067, ROWID: 2579 } as const;

/** The key whose uniqueness a failed statement would have broken. */
export interface DuplicateKey {
  readonly key: string;
  readonly columns: readonly string[];
}

function messageOf(error: unknown): { message: string; code: number } | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return { message: error.message, code: Number(error.errcode) };
}

/** What a failed INSERT or UPDATE ran into when that was a key. */
export function duplicateKeyOf(error: unknown, table: Table): DuplicateKey | null {
  const failure = messageOf(error);
  if (!failure || ![CODE.PRIMARY_KEY, CODE.UNIQUE, CODE.ROWID].includes(failure.code as 1555)) return null;
  const columns = failure.message
    .replace(/^UNIQUE constraint failed: /, '')
    .split(', ')
    .map((part) => part.slice(table.storeName.length + 1));
  const same = (names: readonly string[]): boolean =>
    names.length === columns.length &&
    names.every((name, index) => name.toLowerCase() === columns[index]?.toLowerCase());
  const key = table.definition.keys.find((candidate) => candidate.kind !== 'key' && same(candidate.columns));
  return { key: key?.name ?? 'PRIMARY', columns };
}

/** Turns an error of the engine into the one MySQL gives; anything unforeseen becomes a 1105 that shows its text. */
export function asMysqlError(error: unknown): Error {
  if (error instanceof MysqlError) return error;
  const failure = messageOf(error);
  if (!failure) return error instanceof Error ? error : new Error(String(error));
  const check = /^CHECK constraint failed: (\w+):(.*)$/.exec(failure.message);
  if (check) {
    const [, kind = '', column = ''] = check;
    if (kind === 'partition') return new MysqlError('NO_PARTITION_FOR_VALUE');
    if (kind === 'long') return new MysqlError('DATA_TOO_LONG', { column, row: 1 });
    if (kind === 'enum') return new MysqlError('TRUNCATED', { column, row: 1 });
    return new MysqlError('OUT_OF_RANGE', { column, row: 1 });
  }
  const missing = /^NOT NULL constraint failed: .*\.(.+)$/.exec(failure.message);
  if (missing) return new MysqlError('NULL_NOT_ALLOWED', { column: missing[1] ?? '' });
  if (/^UNIQUE constraint failed/.test(failure.message))
    return new MysqlError('DUPLICATE_ENTRY', { value: '', key: 'PRIMARY' });
  if (/integer overflow/.test(failure.message))
    return new MysqlError('NUMBER_OUT_OF_RANGE', { type: 'BIGINT', expression: 'SUM()' });
  if (/misuse of aggregate/.test(failure.message)) return new MysqlError('INVALID_GROUP_FUNCTION');
  if (failure.code === CODE.MISMATCH) return new MysqlError('INCORRECT_VALUE', { type: 'INTEGER', value: '' });
  if (failure.code === CODE.TOO_BIG) return new MysqlError('PACKET_TOO_LARGE');
  return new MysqlError('INTERNAL', { detail: failure.message });
}
