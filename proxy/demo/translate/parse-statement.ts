import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { Assignment, Delete, Insert, Statement, TableName, Update } from './ast.ts';
import { TokenCursor } from './cursor.ts';
import { parseAlter, parseCreate, parseDrop } from './parse-ddl.ts';
import { expressionsAt, parseSelect, readLimit } from './parse-select.ts';
import { parseSet } from './parse-set.ts';
import { parseShow } from './parse-show.ts';
import type { Token } from './tokens.ts';

export interface ParsedStatement {
  readonly statement: Statement;
  readonly paramCount: number;
}

/**
 * Reads one statement.
 * @throws MysqlError SYNTAX for what MySQL would not accept either, NOT_SUPPORTED for what only the demo cannot do
 */
export function parseStatement(sql: string, tokens: readonly Token[]): ParsedStatement {
  const cursor = new TokenCursor(sql, tokens);
  if (cursor.atEnd) {
    if (sql.trim() === '') throw new MysqlError('EMPTY_QUERY');
    return { statement: { kind: 'empty' }, paramCount: 0 };
  }
  const statement = readStatement(cursor);
  cursor.expectEnd();
  return { statement, paramCount: cursor.paramCount };
}

function readStatement(cursor: TokenCursor): Statement {
  if (cursor.isOp('(')) return parseSelect(cursor);
  switch (cursor.current.upper) {
    case 'SELECT':
    case 'WITH':
      return parseSelect(cursor);
    case 'INSERT':
    case 'REPLACE':
      return readInsert(cursor);
    case 'UPDATE':
      return readUpdate(cursor);
    case 'DELETE':
      return readDelete(cursor);
    case 'CREATE':
      return parseCreate(cursor);
    case 'DROP':
      return parseDrop(cursor);
    case 'ALTER':
      return parseAlter(cursor);
    case 'SET':
      return parseSet(cursor);
    case 'SHOW':
      return parseShow(cursor);
    default:
      return readShortStatement(cursor);
  }
}

function readShortStatement(cursor: TokenCursor): Statement {
  const { upper } = cursor.current;
  const word = upper;
  cursor.next();
  switch (word) {
    case 'USE':
      return { kind: 'use', database: cursor.anyName() };
    case 'BEGIN':
      cursor.takeWords('WORK');
      return { kind: 'begin', readOnly: false };
    case 'START':
      return readStart(cursor);
    case 'COMMIT':
      cursor.takeWords('WORK');
      return { kind: 'commit' };
    case 'ROLLBACK': {
      cursor.takeWords('WORK');
      if (!cursor.takeWords('TO')) return { kind: 'rollback', to: null };
      cursor.takeWords('SAVEPOINT');
      return { kind: 'rollback', to: cursor.anyName() };
    }
    case 'SAVEPOINT':
      return { kind: 'savepoint', name: cursor.anyName() };
    case 'RELEASE':
      cursor.expectWords('SAVEPOINT');
      return { kind: 'release', name: cursor.anyName() };
    case 'TRUNCATE':
      cursor.takeWords('TABLE');
      return { kind: 'truncate', table: cursor.tableName() };
    case 'RENAME': {
      cursor.expectWords('TABLE');
      const from = cursor.tableName();
      cursor.expectWords('TO');
      return { kind: 'renameTable', from, to: cursor.tableName() };
    }
    case 'DESC':
    case 'DESCRIBE':
    case 'EXPLAIN':
      return readExplain(cursor);
    case 'KILL': {
      const query = cursor.takeAnyWord('QUERY', 'CONNECTION') === 'QUERY';
      return { kind: 'kill', query, id: expressionsAt(cursor).parse() };
    }
    case 'PREPARE': {
      const name = cursor.anyName().toLowerCase();
      cursor.expectWords('FROM');
      return { kind: 'prepare', name, source: expressionsAt(cursor).parse() };
    }
    case 'EXECUTE':
      return readExecute(cursor);
    case 'DEALLOCATE':
      cursor.expectWords('PREPARE');
      return { kind: 'deallocate', name: cursor.anyName().toLowerCase() };
    case 'DO':
      return { kind: 'do', exprs: cursor.list(() => expressionsAt(cursor).parse()) };
    case 'LOCK':
      if (!cursor.takeAnyWord('TABLES', 'TABLE')) throw cursor.syntaxError();
      return { kind: 'lockTables', tables: cursor.list(() => readLockedTable(cursor)) };
    case 'UNLOCK':
      if (!cursor.takeAnyWord('TABLES', 'TABLE')) throw cursor.syntaxError();
      return { kind: 'unlockTables' };
    case 'GRANT':
    case 'REVOKE':
    case 'FLUSH':
      while (!cursor.atEnd) cursor.next();
      return { kind: 'grant' };
    case 'ANALYZE':
    case 'OPTIMIZE':
    case 'CHECK':
    case 'REPAIR':
      if (!cursor.takeAnyWord('TABLE', 'TABLES')) throw cursor.syntaxError();
      return { kind: 'maintenance', operation: word.toLowerCase(), tables: cursor.list(() => cursor.tableName()) };
    case 'LOAD':
      return readLoadData(cursor);
    default:
      if (/^(CALL|XA|HANDLER|INSTALL|UNINSTALL|HELP|CHANGE|PURGE|BINLOG|CACHE|RESET|SHUTDOWN)$/.test(word)) {
        throw notUnderstood(`${word} statements`);
      }
      cursor.rewind(0);
      throw cursor.syntaxError();
  }
}

function readStart(cursor: TokenCursor): Statement {
  cursor.expectWords('TRANSACTION');
  let readOnly = false;
  while (!cursor.atEnd) {
    if (cursor.takeWords('READ', 'ONLY')) readOnly = true;
    else if (!cursor.takeWords('READ', 'WRITE') && !cursor.takeWords('WITH', 'CONSISTENT', 'SNAPSHOT')) {
      throw cursor.syntaxError();
    }
    cursor.takeOp(',');
  }
  return { kind: 'begin', readOnly };
}

function readExplain(cursor: TokenCursor): Statement {
  if (
    !cursor.isWord(
      'SELECT',
      'INSERT',
      'UPDATE',
      'DELETE',
      'REPLACE',
      'FORMAT',
      'EXTENDED',
      'EXTENDED_NOADDR',
      'BASIC',
      'OUTLINE',
      'PARTITIONS',
    ) &&
    cursor.isName()
  ) {
    const table = cursor.tableName();
    const column = cursor.atEnd ? null : cursor.nameOrString();
    return { kind: 'describe', table, column };
  }
  if (cursor.isWord('FORMAT')) throw notUnderstood('EXPLAIN FORMAT');
  cursor.takeAnyWord('EXTENDED', 'EXTENDED_NOADDR', 'BASIC', 'OUTLINE', 'PARTITIONS');
  const text = cursor.sql.slice(cursor.current.start);
  return { kind: 'explain', statement: readStatement(cursor), text };
}

function readExecute(cursor: TokenCursor): Statement {
  const name = cursor.anyName().toLowerCase();
  const using = cursor.takeWords('USING')
    ? cursor.list(() => {
        if (cursor.current.kind !== 'uservar') throw cursor.syntaxError();
        return cursor.next().text.toLowerCase();
      })
    : [];
  return { kind: 'execute', name, using };
}

function readLockedTable(cursor: TokenCursor): TableName {
  const table = cursor.tableName();
  if (cursor.takeWords('AS') || (cursor.isName() && !cursor.isWord('READ', 'WRITE', 'LOW_PRIORITY'))) cursor.name();
  cursor.takeWords('LOW_PRIORITY');
  if (!cursor.takeAnyWord('READ', 'WRITE')) throw cursor.syntaxError();
  cursor.takeWords('LOCAL');
  return table;
}

function readInsert(cursor: TokenCursor): Insert {
  let mode: Insert['mode'] = cursor.next().upper === 'REPLACE' ? 'replace' : 'insert';
  cursor.takeAnyWord('LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY');
  if (mode === 'insert' && cursor.takeWords('IGNORE')) mode = 'ignore';
  cursor.takeWords('INTO');
  const table = cursor.tableName();
  if (cursor.isWord('PARTITION')) throw notUnderstood('PARTITION (…) in INSERT');
  const expressions = expressionsAt(cursor);
  let columns: string[] | null = null;
  let rows: Insert['rows'] = null;
  let query: Insert['query'] = null;
  if (cursor.takeWords('SET')) {
    const assignments = cursor.list(() => readAssignment(cursor));
    columns = assignments.map((assignment) => assignment.column);
    rows = [assignments.map((assignment) => assignment.value)];
  } else {
    if (cursor.isOp('(') && cursor.peek().upper !== 'SELECT') {
      if (cursor.peek().text === ')') {
        cursor.next();
        cursor.next();
        columns = [];
      } else columns = cursor.nameList();
    }
    if (cursor.takeAnyWord('VALUES', 'VALUE')) {
      rows = cursor.list(() => {
        cursor.expectOp('(');
        if (cursor.takeOp(')')) return [];
        const row = cursor.list(() => expressions.parse());
        cursor.expectOp(')');
        return row;
      });
    } else query = parseSelect(cursor);
  }
  const onDuplicate = cursor.takeWords('ON', 'DUPLICATE', 'KEY', 'UPDATE')
    ? cursor.list(() => readAssignment(cursor))
    : [];
  if (onDuplicate.length > 0 && mode === 'replace') throw cursor.syntaxError();
  return { kind: 'insert', mode, table, columns, rows, query, onDuplicate };
}

function readAssignment(cursor: TokenCursor): Assignment {
  let column = cursor.anyName();
  while (cursor.takeOp('.')) column = cursor.anyName();
  if (!cursor.takeOp('=') && !cursor.takeOp(':=')) throw cursor.syntaxError();
  return { column, value: expressionsAt(cursor).parse() };
}

function readUpdate(cursor: TokenCursor): Update {
  cursor.next();
  cursor.takeWords('LOW_PRIORITY');
  if (cursor.isWord('IGNORE')) throw notUnderstood('UPDATE IGNORE');
  const table = cursor.tableName();
  if (cursor.takeWords('AS')) return finishUpdate(cursor, table, cursor.name());
  return finishUpdate(cursor, table, cursor.isName() ? cursor.name() : null);
}

function finishUpdate(cursor: TokenCursor, table: TableName, alias: string | null): Update {
  if (cursor.isOp(',') || cursor.isWord('JOIN', 'INNER', 'LEFT', 'RIGHT', 'CROSS')) {
    throw notUnderstood('UPDATE of several tables');
  }
  cursor.expectWords('SET');
  const assignments = cursor.list(() => readAssignment(cursor));
  return { kind: 'update', table, alias, assignments, ...readRowChoice(cursor) };
}

function readDelete(cursor: TokenCursor): Delete {
  cursor.next();
  cursor.takeAnyWord('LOW_PRIORITY', 'QUICK');
  if (cursor.isWord('IGNORE')) throw notUnderstood('DELETE IGNORE');
  if (!cursor.takeWords('FROM')) throw notUnderstood('DELETE from several tables');
  const table = cursor.tableName();
  if (cursor.isWord('PARTITION')) throw notUnderstood('PARTITION (…) in DELETE');
  const alias = cursor.takeWords('AS') || cursor.isName() ? cursor.name() : null;
  if (cursor.isWord('USING') || cursor.isOp(',')) throw notUnderstood('DELETE from several tables');
  return { kind: 'delete', table, alias, ...readRowChoice(cursor) };
}

function readRowChoice(cursor: TokenCursor): Pick<Update, 'where' | 'orderBy' | 'limit'> {
  const expressions = expressionsAt(cursor);
  const where = cursor.takeWords('WHERE') ? expressions.parse() : null;
  const orderBy = cursor.takeWords('ORDER', 'BY') ? expressions.orderList() : [];
  const limit = readLimit(cursor);
  if (limit?.offset) throw cursor.syntaxError();
  return { where, orderBy, limit };
}

function readLoadData(cursor: TokenCursor): Statement {
  cursor.expectWords('DATA');
  cursor.takeAnyWord('LOW_PRIORITY', 'CONCURRENT');
  if (!cursor.takeWords('LOCAL')) throw notUnderstood('LOAD DATA without LOCAL');
  cursor.expectWords('INFILE');
  const file = cursor.string();
  const mode = cursor.takeAnyWord('REPLACE', 'IGNORE') === 'REPLACE' ? 'replace' : 'ignore';
  cursor.expectWords('INTO', 'TABLE');
  const table = cursor.tableName();
  if (cursor.takeWords('CHARACTER', 'SET')) cursor.nameOrString();
  let fieldEnd = '\t';
  let enclosed = '';
  let lineEnd = '\n';
  if (cursor.takeAnyWord('FIELDS', 'COLUMNS')) {
    for (;;) {
      if (cursor.takeWords('TERMINATED', 'BY')) fieldEnd = cursor.string();
      else if (cursor.takeWords('OPTIONALLY', 'ENCLOSED', 'BY') || cursor.takeWords('ENCLOSED', 'BY'))
        enclosed = cursor.string();
      else if (cursor.takeWords('ESCAPED', 'BY')) {
        if (cursor.string() !== '\\') throw notUnderstood('LOAD DATA … ESCAPED BY another character than \\');
      } else break;
    }
  }
  if (cursor.takeWords('LINES')) {
    cursor.expectWords('TERMINATED', 'BY');
    lineEnd = cursor.string();
  }
  let ignoreLines = 0;
  if (cursor.takeWords('IGNORE')) {
    ignoreLines = cursor.integer();
    if (!cursor.takeAnyWord('LINES', 'ROWS')) throw cursor.syntaxError();
  }
  const columns = cursor.isOp('(') ? cursor.nameList() : null;
  if (cursor.isWord('SET')) throw notUnderstood('LOAD DATA … SET');
  return { kind: 'loadData', file, table, ignoreLines, columns, fieldEnd, lineEnd, enclosed, mode };
}
