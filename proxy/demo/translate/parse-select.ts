import { notUnderstood } from '../mysql-error.ts';
import type { Expr, Limit, OrderItem, Select, SelectCore, SelectItem, StarItem, TableRef } from './ast.ts';
import type { TokenCursor } from './cursor.ts';
import { ExpressionParser } from './parse-expression.ts';

/** Expressions that start at the cursor, with sub-queries read by `parseSelect`. */
export function expressionsAt(cursor: TokenCursor): ExpressionParser {
  return new ExpressionParser(cursor, parseSelect);
}

/** Reads a SELECT, a UNION of SELECTs or one in parentheses, with ORDER BY, LIMIT and FOR UPDATE. */
export function parseSelect(cursor: TokenCursor): Select {
  if (cursor.isWord('WITH')) throw notUnderstood('common table expressions (WITH)');
  const cores: SelectCore[] = [];
  const unions: ('union' | 'union all')[] = [];
  const into: string[] = [];
  let calcFoundRows = false;
  let inner: Select | null = null;
  do {
    if (cores.length > 0) {
      const all = cursor.takeAnyWord('ALL', 'DISTINCT') === 'ALL';
      unions.push(all ? 'union all' : 'union');
    }
    const operand = readOperand(cursor, into);
    calcFoundRows ||= operand.calcFoundRows;
    cores.push(operand.core);
    if (operand.query) inner = operand.query;
  } while (cursor.takeWords('UNION'));
  if (inner && cores.length > 1 && (inner.orderBy.length > 0 || inner.limit)) {
    throw notUnderstood('ORDER BY or LIMIT inside one part of a UNION');
  }
  const alone = cores.length === 1 ? inner : null;
  const orderBy: readonly OrderItem[] = cursor.takeWords('ORDER', 'BY')
    ? expressionsAt(cursor).orderList()
    : (alone?.orderBy ?? []);
  const limit = readLimit(cursor) ?? alone?.limit ?? null;
  if (cursor.isWord('PROCEDURE')) throw notUnderstood('PROCEDURE in SELECT');
  const locking = readLocking(cursor) || (alone?.locking ?? false);
  readInto(cursor, into);
  return { kind: 'select', cores, unions, orderBy, limit, locking, calcFoundRows, into };
}

interface Operand {
  readonly core: SelectCore;
  readonly query: Select | null;
  readonly calcFoundRows: boolean;
}

function readOperand(cursor: TokenCursor, into: string[]): Operand {
  if (!cursor.takeOp('(')) return readCore(cursor, into);
  const query = parseSelect(cursor);
  cursor.expectOp(')');
  const [core] = query.cores;
  if (!core || query.cores.length > 1) throw notUnderstood('a UNION in parentheses inside another one');
  return { core, query, calcFoundRows: query.calcFoundRows };
}

function readCore(cursor: TokenCursor, into: string[]): Operand {
  cursor.expectWords('SELECT');
  let distinct = false;
  let calcFoundRows = false;
  for (;;) {
    const option = cursor.takeAnyWord(
      'ALL',
      'DISTINCT',
      'DISTINCTROW',
      'SQL_CALC_FOUND_ROWS',
      'SQL_NO_CACHE',
      'SQL_CACHE',
      'STRAIGHT_JOIN',
      'HIGH_PRIORITY',
      'SQL_BIG_RESULT',
      'SQL_SMALL_RESULT',
      'SQL_BUFFER_RESULT',
    );
    if (!option) break;
    distinct ||= option.startsWith('DISTINCT');
    calcFoundRows ||= option === 'SQL_CALC_FOUND_ROWS';
  }
  const expressions = expressionsAt(cursor);
  const items = cursor.list(() => readItem(cursor, expressions));
  readInto(cursor, into);
  const from = cursor.takeWords('FROM') ? readFrom(cursor, expressions) : null;
  const where = cursor.takeWords('WHERE') ? expressions.parse() : null;
  const groupBy = cursor.takeWords('GROUP', 'BY') ? expressions.orderList() : [];
  if (cursor.isWord('WITH') && cursor.peek().upper === 'ROLLUP') throw notUnderstood('WITH ROLLUP');
  const having = cursor.takeWords('HAVING') ? expressions.parse() : null;
  if (cursor.isWord('WINDOW')) throw notUnderstood('window functions (WINDOW)');
  return { core: { distinct, items, from, where, groupBy, having }, query: null, calcFoundRows };
}

function readItem(cursor: TokenCursor, expressions: ExpressionParser): SelectItem | StarItem {
  if (cursor.takeOp('*')) return { star: true, database: '', table: '' };
  const mark = cursor.mark();
  if (cursor.isName() && cursor.peek().text === '.') {
    const first = cursor.name();
    cursor.next();
    if (cursor.takeOp('*')) return { star: true, database: '', table: first };
    if (['word', 'quoted'].includes(cursor.current.kind) && cursor.peek().text === '.' && cursor.peek(2).text === '*') {
      const table = cursor.anyName();
      cursor.next();
      cursor.next();
      return { star: true, database: first, table };
    }
    cursor.rewind(mark);
  }
  const start = cursor.current.start;
  const expr = expressions.parse();
  const text = cursor.sql.slice(start, cursor.lastEnd);
  return { expr, alias: readAlias(cursor, true), text };
}

function readAlias(cursor: TokenCursor, stringAllowed: boolean): string | null {
  if (cursor.takeWords('AS')) return cursor.nameOrString();
  if (stringAllowed && cursor.current.kind === 'string') return cursor.string();
  return cursor.isName() ? cursor.name() : null;
}

function readFrom(cursor: TokenCursor, expressions: ExpressionParser): TableRef | null {
  if (cursor.isWord('DUAL')) {
    cursor.next();
    return null;
  }
  return readJoined(cursor, expressions);
}

function readJoined(cursor: TokenCursor, expressions: ExpressionParser): TableRef {
  let left = readFactor(cursor, expressions);
  for (;;) {
    if (cursor.takeOp(',')) {
      left = { kind: 'join', type: 'inner', left, right: readFactor(cursor, expressions), on: null, using: [] };
      continue;
    }
    if (cursor.isWord('NATURAL')) throw notUnderstood('NATURAL JOIN');
    const type = readJoinType(cursor);
    if (!type) return left;
    const right = readFactor(cursor, expressions);
    const on: Expr | null = cursor.takeWords('ON') ? expressions.parse() : null;
    const using = !on && cursor.takeWords('USING') ? cursor.nameList() : [];
    if (type !== 'inner' && !on && using.length === 0) throw cursor.syntaxError();
    left = { kind: 'join', type, left, right, on, using };
  }
}

function readJoinType(cursor: TokenCursor): 'inner' | 'left' | 'right' | null {
  if (cursor.takeWords('JOIN') || cursor.takeWords('STRAIGHT_JOIN')) return 'inner';
  if (cursor.takeWords('INNER', 'JOIN') || cursor.takeWords('CROSS', 'JOIN')) return 'inner';
  if (cursor.isWord('LEFT', 'RIGHT') && ['JOIN', 'OUTER'].includes(cursor.peek().upper)) {
    const side = cursor.next().upper;
    cursor.takeWords('OUTER');
    cursor.expectWords('JOIN');
    return side === 'LEFT' ? 'left' : 'right';
  }
  return null;
}

function readFactor(cursor: TokenCursor, expressions: ExpressionParser): TableRef {
  if (cursor.takeOp('(')) {
    if (cursor.isWord('SELECT') || cursor.isOp('(')) {
      const query = parseSelect(cursor);
      cursor.expectOp(')');
      const alias = readAlias(cursor, false);
      if (alias === null) throw notUnderstood('a derived table without an alias');
      return { kind: 'derived', query, alias };
    }
    const joined = readJoined(cursor, expressions);
    cursor.expectOp(')');
    return joined;
  }
  if (cursor.current.upper === 'DEMO_ROWS' && cursor.peek().text === '(') {
    cursor.next();
    cursor.next();
    const count = expressions.parse();
    cursor.expectOp(',');
    const bytes = expressions.parse();
    cursor.expectOp(')');
    return { kind: 'rows', count, bytes, alias: readAlias(cursor, false) ?? 'demo_rows' };
  }
  const { database, name } = cursor.tableName();
  const partitions = cursor.takeWords('PARTITION') ? cursor.nameList() : [];
  const alias = readAlias(cursor, false);
  readIndexHints(cursor);
  return { kind: 'table', database, name, alias, partitions };
}

function readIndexHints(cursor: TokenCursor): void {
  while (cursor.isWord('USE', 'FORCE', 'IGNORE') && ['INDEX', 'KEY'].includes(cursor.peek().upper)) {
    cursor.next();
    cursor.next();
    if (cursor.takeWords('FOR')) while (cursor.takeAnyWord('JOIN', 'ORDER', 'GROUP', 'BY'));
    cursor.expectOp('(');
    while (!cursor.takeOp(')')) {
      if (cursor.atEnd) throw cursor.syntaxError();
      cursor.next();
    }
  }
}

/** LIMIT n, LIMIT offset, n or LIMIT n OFFSET offset. */
export function readLimit(cursor: TokenCursor): Limit | null {
  if (!cursor.takeWords('LIMIT')) return null;
  const first = readLimitNumber(cursor);
  if (cursor.takeOp(',')) return { offset: first, count: readLimitNumber(cursor) };
  return { count: first, offset: cursor.takeWords('OFFSET') ? readLimitNumber(cursor) : null };
}

function readLimitNumber(cursor: TokenCursor): Expr {
  if (cursor.current.kind === 'param') {
    cursor.next();
    return { kind: 'param', index: cursor.paramCount++ };
  }
  if (cursor.current.kind !== 'number' || !/^\d+$/.test(cursor.current.text)) throw cursor.syntaxError();
  const digits = cursor.next().text;
  // "All rows" is often written as the largest unsigned number, which the engine cannot hold.
  return { kind: 'number', text: BigInt(digits) > 0x7fffffffffffffffn ? '9223372036854775807' : digits };
}

function readLocking(cursor: TokenCursor): boolean {
  if (cursor.takeWords('FOR', 'UPDATE')) {
    if (cursor.takeWords('NOWAIT')) return true;
    if (cursor.takeWords('SKIP', 'LOCKED')) throw notUnderstood('SKIP LOCKED');
    if (cursor.takeWords('WAIT')) cursor.integer();
    return true;
  }
  return cursor.takeWords('LOCK', 'IN', 'SHARE', 'MODE') || cursor.takeWords('FOR', 'SHARE');
}

function readInto(cursor: TokenCursor, into: string[]): void {
  if (!cursor.takeWords('INTO')) return;
  if (cursor.current.kind !== 'uservar') throw notUnderstood('SELECT … INTO other than user variables');
  into.push(
    ...cursor.list(() => {
      if (cursor.current.kind !== 'uservar') throw cursor.syntaxError();
      return cursor.next().text.toLowerCase();
    }),
  );
}
