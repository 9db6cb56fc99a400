import { notUnderstood } from '../mysql-error.ts';
import type { KeySpec, Statement, TableName, UserName, UserPassword } from './ast.ts';
import type { TokenCursor } from './cursor.ts';
import { parseColumnSpec, parseCreateTable } from './parse-create-table.ts';
import { readUser } from './parse-set.ts';

export function parseCreate(cursor: TokenCursor): Statement {
  cursor.expectWords('CREATE');
  if (cursor.takeAnyWord('DATABASE', 'SCHEMA')) {
    const ifNotExists = takeIfNotExists(cursor);
    const database = cursor.name();
    skipDatabaseOptions(cursor);
    return { kind: 'createDatabase', database, ifNotExists };
  }
  if (cursor.isWord('TEMPORARY')) throw notUnderstood('temporary tables');
  if (cursor.takeWords('TABLE')) return parseCreateTable(cursor, takeIfNotExists(cursor));
  const unique = cursor.takeWords('UNIQUE');
  if (cursor.takeAnyWord('INDEX', 'KEY')) return readCreateIndex(cursor, unique);
  if (cursor.takeWords('USER')) {
    const ifNotExists = takeIfNotExists(cursor);
    return { kind: 'createUser', ifNotExists, users: readUserPasswords(cursor) };
  }
  throw notUnderstood(`CREATE ${cursor.current.text.toUpperCase()}`);
}

function takeIfNotExists(cursor: TokenCursor): boolean {
  if (!cursor.takeWords('IF')) return false;
  cursor.expectWords('NOT', 'EXISTS');
  return true;
}

function takeIfExists(cursor: TokenCursor): boolean {
  if (!cursor.takeWords('IF')) return false;
  cursor.expectWords('EXISTS');
  return true;
}

function skipDatabaseOptions(cursor: TokenCursor): void {
  while (!cursor.atEnd) {
    cursor.takeWords('DEFAULT');
    if (!cursor.takeWords('CHARACTER', 'SET') && !cursor.takeAnyWord('CHARSET', 'COLLATE')) throw cursor.syntaxError();
    cursor.takeOp('=');
    cursor.nameOrString();
  }
}

function readCreateIndex(cursor: TokenCursor, unique: boolean): Statement {
  const name = cursor.name();
  skipIndexType(cursor);
  cursor.expectWords('ON');
  const table = cursor.tableName();
  const columns = cursor.nameList();
  skipIndexType(cursor);
  const key: KeySpec = { name, kind: unique ? 'unique' : 'key', columns };
  return { kind: 'createIndex', table, key };
}

function skipIndexType(cursor: TokenCursor): void {
  if (cursor.takeWords('USING')) cursor.next();
  cursor.takeAnyWord('LOCAL', 'GLOBAL');
}

function readUserPasswords(cursor: TokenCursor): UserPassword[] {
  return cursor.list(() => {
    const user = readUser(cursor);
    if (!cursor.takeWords('IDENTIFIED')) return { ...user, password: null, hash: null };
    if (cursor.takeWords('WITH') && cursor.nameOrString().toLowerCase() !== 'mysql_native_password') {
      throw notUnderstood('other authentication than mysql_native_password');
    }
    if (cursor.takeWords('AS')) return { ...user, password: null, hash: cursor.string() };
    cursor.expectWords('BY');
    if (cursor.takeWords('PASSWORD')) return { ...user, password: null, hash: cursor.string() };
    return { ...user, password: cursor.string(), hash: null };
  });
}

export function parseDrop(cursor: TokenCursor): Statement {
  cursor.expectWords('DROP');
  if (cursor.takeAnyWord('DATABASE', 'SCHEMA')) {
    const ifExists = takeIfExists(cursor);
    return { kind: 'dropDatabase', ifExists, database: cursor.name() };
  }
  if (cursor.takeAnyWord('TABLE', 'TABLES')) {
    const ifExists = takeIfExists(cursor);
    const tables: TableName[] = cursor.list(() => cursor.tableName());
    cursor.takeAnyWord('RESTRICT', 'CASCADE');
    return { kind: 'dropTable', tables, ifExists };
  }
  if (cursor.takeAnyWord('INDEX', 'KEY')) {
    const name = cursor.name();
    cursor.expectWords('ON');
    return { kind: 'dropIndex', name, table: cursor.tableName() };
  }
  if (cursor.takeWords('USER')) {
    const ifExists = takeIfExists(cursor);
    const users: UserName[] = cursor.list(() => readUser(cursor));
    return { kind: 'dropUser', users, ifExists };
  }
  if (cursor.takeWords('PREPARE')) return { kind: 'deallocate', name: cursor.anyName().toLowerCase() };
  throw notUnderstood(`DROP ${cursor.current.text.toUpperCase()}`);
}

export function parseAlter(cursor: TokenCursor): Statement {
  cursor.expectWords('ALTER');
  if (cursor.takeWords('USER')) return { kind: 'alterUser', users: readUserPasswords(cursor) };
  if (cursor.takeWords('SYSTEM')) return readAlterSystem(cursor);
  if (!cursor.takeWords('TABLE')) throw notUnderstood(`ALTER ${cursor.current.text.toUpperCase()}`);
  const table = cursor.tableName();
  const statement = readAlteration(cursor, table);
  if (cursor.isOp(',')) throw notUnderstood('several changes in one ALTER TABLE');
  return statement;
}

function readAlteration(cursor: TokenCursor, table: TableName): Statement {
  if (cursor.takeWords('ADD')) {
    const unique = cursor.takeWords('UNIQUE');
    if (cursor.takeAnyWord('INDEX', 'KEY') || unique) {
      const name = cursor.isOp('(') ? '' : cursor.name();
      const columns = cursor.nameList();
      const key: KeySpec = { name: name || (columns[0] ?? ''), kind: unique ? 'unique' : 'key', columns };
      return { kind: 'createIndex', table, key };
    }
    if (cursor.isWord('PRIMARY', 'CONSTRAINT', 'FOREIGN', 'PARTITION')) {
      throw notUnderstood(`ALTER TABLE … ADD ${cursor.current.upper}`);
    }
    cursor.takeWords('COLUMN');
    const column = parseColumnSpec(cursor);
    if (cursor.isWord('FIRST', 'AFTER')) throw notUnderstood('ALTER TABLE … ADD COLUMN at a place');
    return { kind: 'addColumn', table, column };
  }
  if (cursor.takeWords('DROP')) {
    if (cursor.takeAnyWord('INDEX', 'KEY')) return { kind: 'dropIndex', table, name: cursor.name() };
    if (cursor.isWord('PRIMARY', 'FOREIGN', 'PARTITION'))
      throw notUnderstood(`ALTER TABLE … DROP ${cursor.current.upper}`);
    cursor.takeWords('COLUMN');
    return { kind: 'dropColumn', table, column: cursor.name() };
  }
  if (cursor.takeWords('RENAME')) {
    if (!cursor.takeAnyWord('TO', 'AS') && cursor.isWord('COLUMN', 'INDEX'))
      throw notUnderstood('RENAME of a column or an index');
    return { kind: 'renameTable', from: table, to: cursor.tableName() };
  }
  if (cursor.takeAnyWord('ENABLE', 'DISABLE')) {
    cursor.expectWords('KEYS');
    return { kind: 'maintenance', operation: 'keys', tables: [] };
  }
  throw notUnderstood(`ALTER TABLE … ${cursor.current.text.toUpperCase()}`);
}

/** `ALTER SYSTEM MODIFY ZONE "z1" SET region = "…", idc = "…"` (requirement R6). */
function readAlterSystem(cursor: TokenCursor): Statement {
  if (!cursor.takeAnyWord('MODIFY', 'ALTER', 'CHANGE') || !cursor.takeWords('ZONE')) {
    throw notUnderstood('ALTER SYSTEM other than MODIFY ZONE … SET region/idc');
  }
  const zone = cursor.nameOrString();
  cursor.takeWords('SET');
  const settings = cursor.list((): readonly [string, string] => {
    const name = cursor.anyName().toLowerCase();
    if (name !== 'region' && name !== 'idc') throw notUnderstood(`the zone setting ${name}`);
    cursor.expectOp('=');
    return [name, cursor.nameOrString()];
  });
  return { kind: 'modifyZone', zone, settings };
}
