import { KEYWORD } from './keywords.ts';
import type { StatementKind } from './statement-info.ts';

const kinds = new Map<number, StatementKind>([
  [KEYWORD.SELECT, 'select'],
  [KEYWORD.VALUES, 'select'],
  [KEYWORD.TABLE, 'select'],
  [KEYWORD.INSERT, 'insert'],
  [KEYWORD.REPLACE, 'replace'],
  [KEYWORD.UPDATE, 'update'],
  [KEYWORD.DELETE, 'delete'],
  [KEYWORD.MERGE, 'merge'],
  [KEYWORD.BEGIN, 'begin'],
  [KEYWORD.START, 'begin'],
  [KEYWORD.COMMIT, 'commit'],
  [KEYWORD.ROLLBACK, 'rollback'],
  [KEYWORD.SAVEPOINT, 'savepoint'],
  [KEYWORD.RELEASE, 'savepoint'],
  [KEYWORD.SET, 'set'],
  [KEYWORD.USE, 'use'],
  [KEYWORD.SHOW, 'show'],
  [KEYWORD.DESC, 'desc'],
  [KEYWORD.DESCRIBE, 'desc'],
  [KEYWORD.EXPLAIN, 'explain'],
  [KEYWORD.HELP, 'help'],
  [KEYWORD.CALL, 'call'],
  [KEYWORD.PREPARE, 'prepare'],
  [KEYWORD.EXECUTE, 'execute'],
  [KEYWORD.DEALLOCATE, 'deallocate'],
  [KEYWORD.XA, 'xa'],
  [KEYWORD.LOAD, 'load-data'],
  [KEYWORD.LOCK, 'lock'],
  [KEYWORD.UNLOCK, 'unlock'],
  [KEYWORD.KILL, 'kill'],
  [KEYWORD.CREATE, 'ddl'],
  [KEYWORD.DROP, 'ddl'],
  [KEYWORD.ALTER, 'ddl'],
  [KEYWORD.TRUNCATE, 'ddl'],
  [KEYWORD.RENAME, 'ddl'],
  [KEYWORD.GRANT, 'ddl'],
  [KEYWORD.REVOKE, 'ddl'],
  [KEYWORD.ANALYZE, 'ddl'],
  [KEYWORD.PURGE, 'ddl'],
  [KEYWORD.FLASHBACK, 'ddl'],
  [KEYWORD.COMMENT, 'ddl'],
  [KEYWORD.AUDIT, 'ddl'],
  [KEYWORD.NOAUDIT, 'ddl'],
]);

/** Kind of statement that begins with this keyword (index: number in KEYWORD); `other` when none does. */
export const kindOfVerb: readonly StatementKind[] = Array.from({ length: 256 }, (_, id) => kinds.get(id) ?? 'other');

/** SELECT, INSERT, REPLACE, UPDATE, DELETE or MERGE. */
export function isDmlKind(kind: StatementKind): boolean {
  switch (kind) {
    case 'select':
    case 'insert':
    case 'replace':
    case 'update':
    case 'delete':
    case 'merge':
      return true;
    default:
      return false;
  }
}
