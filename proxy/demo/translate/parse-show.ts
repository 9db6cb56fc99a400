import { notUnderstood } from '../mysql-error.ts';
import type { Expr, Limit, Statement, TableName, UserName } from './ast.ts';
import type { TokenCursor } from './cursor.ts';
import { expressionsAt, readLimit } from './parse-select.ts';
import { readUser } from './parse-set.ts';

/** SHOW forms that take nothing but LIKE or WHERE. */
const PLAIN = new Set([
  'DATABASES',
  'SCHEMAS',
  'VARIABLES',
  'STATUS',
  'PROCESSLIST',
  'ENGINES',
  'PLUGINS',
  'PRIVILEGES',
  'COLLATION',
  'CHARSET',
  'TENANT',
  'ERRORS',
  'WARNINGS',
  'EVENTS',
]);

/** Reads SHOW. `what` of the result is the form in lower case: `tables`, `create table`, `columns` … */
export function parseShow(cursor: TokenCursor): Statement {
  cursor.expectWords('SHOW');
  let global = false;
  let full = false;
  for (;;) {
    const word = cursor.takeAnyWord('GLOBAL', 'SESSION', 'LOCAL', 'FULL', 'EXTENDED', 'STORAGE');
    if (!word) break;
    global ||= word === 'GLOBAL';
    full ||= word === 'FULL';
  }
  let table: TableName | null = null;
  let database: string | null = null;
  let user: UserName | null = null;
  let what = cursor.next().upper.toLowerCase();
  if (PLAIN.has(what.toUpperCase())) {
    if (what === 'schemas') what = 'databases';
  } else if (what === 'character') {
    cursor.expectWords('SET');
    what = 'charset';
  } else if (what === 'create') {
    const kind = cursor.takeAnyWord('TABLE', 'DATABASE', 'SCHEMA', 'VIEW');
    if (!kind) throw notUnderstood(`SHOW CREATE ${cursor.current.text}`);
    what = kind === 'SCHEMA' ? 'create database' : `create ${kind.toLowerCase()}`;
    if (what === 'create database') {
      if (cursor.takeWords('IF')) cursor.expectWords('NOT', 'EXISTS');
      database = cursor.anyName();
    } else table = cursor.tableName();
  } else if (what === 'tables' || takeTableStatus(cursor, what)) {
    if (what === 'table') what = 'table status';
    if (cursor.takeAnyWord('FROM', 'IN')) database = cursor.anyName();
  } else if (['columns', 'fields', 'index', 'indexes', 'keys'].includes(what)) {
    what = what === 'columns' || what === 'fields' ? 'columns' : 'index';
    if (!cursor.takeAnyWord('FROM', 'IN')) throw cursor.syntaxError();
    const read = cursor.tableName();
    table = cursor.takeAnyWord('FROM', 'IN') ? { database: cursor.anyName(), name: read.name } : read;
  } else if (what === 'grants') {
    if (cursor.takeWords('FOR')) user = readUser(cursor);
  } else if (what === 'count') {
    cursor.expectOp('(');
    cursor.expectOp('*');
    cursor.expectOp(')');
    const counted = cursor.takeAnyWord('WARNINGS', 'ERRORS');
    if (!counted) throw cursor.syntaxError();
    what = `count ${counted.toLowerCase()}`;
  } else if (what === 'procedure' || what === 'function') {
    cursor.expectWords('STATUS');
    what = 'routines';
  } else if (what === 'triggers' || what === 'open') {
    if (what === 'open') cursor.expectWords('TABLES');
    if (cursor.takeAnyWord('FROM', 'IN')) database = cursor.anyName();
  } else throw notUnderstood(`SHOW ${what.toUpperCase()}`);
  const like = cursor.takeWords('LIKE') ? cursor.string() : null;
  const where: Expr | null = like === null && cursor.takeWords('WHERE') ? expressionsAt(cursor).parse() : null;
  const limit: Limit | null = readLimit(cursor);
  return { kind: 'show', what, global, full, table, database, like, where, user, limit };
}

function takeTableStatus(cursor: TokenCursor, what: string): boolean {
  return what === 'table' && cursor.takeWords('STATUS');
}
