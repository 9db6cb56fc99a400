import { notUnderstood } from '../mysql-error.ts';
import type { Expr, NamesItem, SetItem, Statement, UserName } from './ast.ts';
import type { TokenCursor } from './cursor.ts';
import { expressionsAt } from './parse-select.ts';

/** Reads SET in all its spellings: variables, NAMES, CHARACTER SET, TRANSACTION, PASSWORD. */
export function parseSet(cursor: TokenCursor): Statement {
  cursor.expectWords('SET');
  if (cursor.isWord('PASSWORD')) return readPassword(cursor);
  const transaction = readTransaction(cursor);
  if (transaction) return transaction;
  if (cursor.isWord('ROLE', 'RESOURCE') || (cursor.isWord('DEFAULT') && cursor.peek().upper === 'ROLE')) {
    throw notUnderstood(`SET ${cursor.current.upper}`);
  }
  return { kind: 'set', items: readItems(cursor) };
}

function readItems(cursor: TokenCursor): (SetItem | NamesItem)[] {
  let scope: 'session' | 'global' = 'session';
  const items = cursor.list((): SetItem | NamesItem => {
    if (cursor.current.kind === 'uservar') {
      const name = cursor.next().text.toLowerCase();
      expectAssign(cursor);
      return { target: 'user', name, value: expressionsAt(cursor).parse() };
    }
    if (cursor.current.kind === 'sysvar') {
      const [first = '', second] = cursor.next().text.toLowerCase().split('.', 2);
      expectAssign(cursor);
      const target = second !== undefined && first === 'global' ? 'global' : 'session';
      return { target, name: second ?? first, value: readSettingValue(cursor) };
    }
    if (cursor.isWord('NAMES', 'CHARSET') || (cursor.isWord('CHARACTER') && cursor.peek().upper === 'SET')) {
      return readNames(cursor);
    }
    const word = cursor.isWord('GLOBAL', 'SESSION', 'LOCAL') ? cursor.next().upper : null;
    if (word) scope = word === 'GLOBAL' ? 'global' : 'session';
    const name = cursor.anyName().toLowerCase();
    expectAssign(cursor);
    const target = scope;
    scope = 'session';
    return { target, name, value: readSettingValue(cursor) };
  });
  return items;
}

function expectAssign(cursor: TokenCursor): void {
  if (!cursor.takeOp('=') && !cursor.takeOp(':=')) throw cursor.syntaxError();
}

/** A bare word stands for its text: `SET sql_mode = ANSI`, `SET autocommit = ON`. */
function readSettingValue(cursor: TokenCursor): Expr {
  const { kind, text, upper } = cursor.current;
  const following = cursor.peek();
  const ends = following.kind === 'end' || following.text === ',';
  if (
    kind === 'word' &&
    ends &&
    !['NULL', 'TRUE', 'FALSE', 'DEFAULT'].includes(upper) &&
    upper !== 'CURRENT_TIMESTAMP'
  ) {
    cursor.next();
    return { kind: 'string', value: text };
  }
  return expressionsAt(cursor).parse();
}

function readNames(cursor: TokenCursor): NamesItem {
  if (cursor.next().upper === 'CHARACTER') cursor.expectWords('SET');
  const charset = cursor.takeWords('DEFAULT') ? 'utf8mb4' : cursor.nameOrString().toLowerCase();
  const collation = cursor.takeWords('COLLATE') ? cursor.nameOrString().toLowerCase() : null;
  return { target: 'names', charset, collation };
}

function readTransaction(cursor: TokenCursor): Statement | null {
  const mark = cursor.mark();
  const word = cursor.isWord('GLOBAL', 'SESSION', 'LOCAL') ? cursor.next().upper : null;
  if (!cursor.takeWords('TRANSACTION')) {
    cursor.rewind(mark);
    return null;
  }
  const scope = word === 'GLOBAL' ? 'global' : word ? 'session' : 'next';
  if (cursor.takeWords('READ', 'ONLY')) return { kind: 'setTransaction', scope, name: 'tx_read_only', value: '1' };
  if (cursor.takeWords('READ', 'WRITE')) return { kind: 'setTransaction', scope, name: 'tx_read_only', value: '0' };
  cursor.expectWords('ISOLATION', 'LEVEL');
  let level = cursor.next().upper;
  if (level === 'READ') level += `-${cursor.next().upper}`;
  else if (level === 'REPEATABLE') level += `-${cursor.next().upper}`;
  if (!['READ-COMMITTED', 'READ-UNCOMMITTED', 'REPEATABLE-READ', 'SERIALIZABLE'].includes(level)) {
    throw cursor.syntaxError();
  }
  return { kind: 'setTransaction', scope, name: 'tx_isolation', value: level };
}

function readPassword(cursor: TokenCursor): Statement {
  cursor.next();
  const user = cursor.takeWords('FOR') ? readUser(cursor) : null;
  expectAssign(cursor);
  if (cursor.takeWords('PASSWORD')) {
    cursor.expectOp('(');
    const password = cursor.string();
    cursor.expectOp(')');
    return { kind: 'setPassword', user, password };
  }
  return { kind: 'setPassword', user, password: cursor.string() };
}

/** 'name'@'host'; the host is `%` when it is not written. */
export function readUser(cursor: TokenCursor): UserName {
  if (cursor.takeWords('CURRENT_USER')) {
    if (cursor.takeOp('(')) cursor.expectOp(')');
    return { user: '', host: '' };
  }
  const user = cursor.nameOrString();
  if (cursor.current.kind !== 'uservar') return { user, host: '%' };
  return { user, host: cursor.next().text };
}
