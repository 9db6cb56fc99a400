import { notUnderstood } from '../mysql-error.ts';
import type { ColumnSpec, ColumnType, CreateTable, Expr, KeySpec, PartitionSpec } from './ast.ts';
import type { TokenCursor } from './cursor.ts';
import { expressionsAt } from './parse-select.ts';

/** Reads what follows CREATE TABLE [IF NOT EXISTS]. */
export function parseCreateTable(cursor: TokenCursor, ifNotExists: boolean): CreateTable {
  const table = cursor.tableName();
  const nothing = {
    columns: [],
    keys: [],
    partition: null,
    like: null,
    autoIncrement: null,
    comment: '',
    duplicate: false,
  };
  if (cursor.takeWords('LIKE'))
    return { ...nothing, kind: 'createTable', table, ifNotExists, like: cursor.tableName() };
  if (cursor.isWord('AS', 'SELECT')) throw notUnderstood('CREATE TABLE … SELECT');
  cursor.expectOp('(');
  if (cursor.takeWords('LIKE')) {
    const like = cursor.tableName();
    cursor.expectOp(')');
    return { ...nothing, kind: 'createTable', table, ifNotExists, like };
  }
  const columns: ColumnSpec[] = [];
  const keys: KeySpec[] = [];
  cursor.list(() => {
    const key = readKey(cursor);
    if (key) keys.push(key);
    else columns.push(parseColumnSpec(cursor));
  });
  cursor.expectOp(')');
  const options = readTableOptions(cursor);
  const partition = cursor.takeWords('PARTITION', 'BY') ? readPartition(cursor) : null;
  if (cursor.isWord('AS', 'SELECT')) throw notUnderstood('CREATE TABLE … SELECT');
  return { kind: 'createTable', table, ifNotExists, columns, keys, partition, like: null, ...options };
}

function readKey(cursor: TokenCursor): KeySpec | null {
  const mark = cursor.mark();
  if (cursor.takeWords('CONSTRAINT') && !cursor.isWord('PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK')) cursor.name();
  if (cursor.takeWords('PRIMARY', 'KEY')) {
    skipUsing(cursor);
    const columns = cursor.nameList();
    skipKeyOptions(cursor);
    return { name: 'PRIMARY', kind: 'primary', columns };
  }
  if (cursor.isWord('FOREIGN', 'FULLTEXT', 'SPATIAL', 'CHECK'))
    throw notUnderstood(`${cursor.current.upper} in CREATE TABLE`);
  const unique = cursor.takeWords('UNIQUE');
  if (cursor.takeAnyWord('KEY', 'INDEX') || unique) {
    const name = cursor.isOp('(') || cursor.isWord('USING') ? '' : cursor.name();
    skipUsing(cursor);
    const columns = cursor.nameList();
    skipKeyOptions(cursor);
    return { name: name || (columns[0] ?? ''), kind: unique ? 'unique' : 'key', columns };
  }
  cursor.rewind(mark);
  return null;
}

function skipUsing(cursor: TokenCursor): void {
  if (cursor.takeWords('USING')) cursor.next();
}

function skipKeyOptions(cursor: TokenCursor): void {
  for (;;) {
    if (cursor.takeWords('USING')) cursor.next();
    else if (cursor.takeWords('COMMENT')) cursor.string();
    else if (cursor.takeAnyWord('BLOCK_SIZE', 'KEY_BLOCK_SIZE')) {
      cursor.takeOp('=');
      cursor.integer();
    } else if (!cursor.takeAnyWord('LOCAL', 'GLOBAL')) return;
  }
}

/** One column of CREATE TABLE or ALTER TABLE … ADD. */
export function parseColumnSpec(cursor: TokenCursor): ColumnSpec {
  const name = cursor.name();
  const type = readType(cursor);
  let notNull = false;
  let autoIncrement = false;
  let primaryKey = false;
  let unique = false;
  let defaultValue: Expr | undefined;
  let onUpdateNow = false;
  let comment = '';
  let binaryCollation = type.binaryCollation;
  for (;;) {
    if (cursor.takeWords('NOT', 'NULL')) notNull = true;
    else if (cursor.takeWords('NULL')) notNull = false;
    else if (cursor.takeWords('AUTO_INCREMENT')) autoIncrement = true;
    else if (cursor.takeWords('PRIMARY', 'KEY')) primaryKey = true;
    else if (cursor.takeWords('UNIQUE')) {
      unique = true;
      cursor.takeWords('KEY');
    } else if (cursor.takeWords('DEFAULT')) defaultValue = expressionsAt(cursor).parse();
    else if (cursor.takeWords('ON', 'UPDATE')) {
      expressionsAt(cursor).parse();
      onUpdateNow = true;
    } else if (cursor.takeWords('COMMENT')) comment = cursor.string();
    else if (cursor.takeWords('COLLATE')) binaryCollation = /_bin$/i.test(cursor.nameOrString());
    else if (cursor.takeWords('CHARACTER', 'SET') || cursor.takeWords('CHARSET')) refuseCharset(cursor.nameOrString());
    else if (cursor.isWord('GENERATED', 'AS', 'REFERENCES', 'CHECK'))
      throw notUnderstood(`${cursor.current.upper} in a column`);
    else break;
  }
  return {
    name,
    type: { ...type, binaryCollation },
    notNull: notNull || primaryKey,
    autoIncrement,
    primaryKey,
    unique,
    defaultValue,
    onUpdateNow,
    comment,
  };
}

function refuseCharset(charset: string): void {
  if (!/^(utf8|utf8mb3|utf8mb4|ascii|latin1|binary)$/i.test(charset))
    throw notUnderstood(`the character set ${charset}`);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  TINYINT: 'tinyint',
  BOOL: 'tinyint',
  BOOLEAN: 'tinyint',
  SMALLINT: 'smallint',
  MEDIUMINT: 'mediumint',
  INT: 'int',
  INTEGER: 'int',
  BIGINT: 'bigint',
  DECIMAL: 'decimal',
  NUMERIC: 'decimal',
  DEC: 'decimal',
  DOUBLE: 'double',
  REAL: 'double',
  FLOAT: 'float',
  CHAR: 'char',
  CHARACTER: 'char',
  VARCHAR: 'varchar',
  TINYTEXT: 'tinytext',
  TEXT: 'text',
  MEDIUMTEXT: 'mediumtext',
  LONGTEXT: 'longtext',
  BINARY: 'binary',
  VARBINARY: 'varbinary',
  TINYBLOB: 'tinyblob',
  BLOB: 'blob',
  MEDIUMBLOB: 'mediumblob',
  LONGBLOB: 'longblob',
  DATE: 'date',
  DATETIME: 'datetime',
  TIMESTAMP: 'timestamp',
  TIME: 'time',
  YEAR: 'year',
  ENUM: 'enum',
};

function readType(cursor: TokenCursor): ColumnType {
  const word = cursor.next().upper;
  const name = TYPE_NAMES[word];
  if (!name) throw notUnderstood(`the column type ${word || cursor.current.text}`);
  if (word === 'DOUBLE') cursor.takeWords('PRECISION');
  const values: string[] = [];
  let length: number | null = /^BOOL/.test(word) ? 1 : null;
  let scale: number | null = null;
  if (cursor.takeOp('(')) {
    if (name === 'enum') values.push(...cursor.list(() => cursor.string()));
    else {
      length = cursor.integer();
      if (cursor.takeOp(',')) scale = cursor.integer();
    }
    cursor.expectOp(')');
  }
  let unsigned = false;
  let binaryCollation = false;
  for (;;) {
    if (cursor.takeWords('UNSIGNED')) unsigned = true;
    else if (cursor.isWord('ZEROFILL')) throw notUnderstood('ZEROFILL');
    else if (cursor.takeWords('BINARY')) binaryCollation = true;
    else if (!cursor.takeWords('SIGNED')) break;
  }
  if (name === 'decimal') {
    length ??= 10;
    scale ??= 0;
    if (length > 15) throw notUnderstood(`DECIMAL of more than 15 digits (${length})`);
  }
  return { name, length, scale, unsigned, binaryCollation, values };
}

interface TableOptions {
  readonly autoIncrement: number | null;
  readonly comment: string;
  readonly duplicate: boolean;
}

function readTableOptions(cursor: TokenCursor): TableOptions {
  let autoIncrement: number | null = null;
  let duplicate = false;
  let comment = '';
  for (;;) {
    cursor.takeOp(',');
    if (cursor.atEnd || cursor.isWord('PARTITION', 'AS', 'SELECT')) return { autoIncrement, comment, duplicate };
    const mark = cursor.mark();
    cursor.takeWords('DEFAULT');
    const option = cursor.takeWords('CHARACTER', 'SET') ? 'CHARSET' : cursor.next().upper;
    if (option === '') {
      cursor.rewind(mark);
      return { autoIncrement, comment, duplicate };
    }
    cursor.takeOp('=');
    if (option === 'AUTO_INCREMENT') autoIncrement = cursor.integer();
    else if (option === 'COMMENT') comment = cursor.string();
    else if (option === 'DUPLICATE_SCOPE') duplicate = cursor.nameOrString().toLowerCase() === 'cluster';
    else if (/^(ENGINE|CHARSET|COLLATE|ROW_FORMAT|COMPRESSION|TABLEGROUP|PRIMARY_ZONE|LOCALITY)$/.test(option))
      cursor.nameOrString();
    else if (
      /^(REPLICA_NUM|BLOCK_SIZE|TABLET_SIZE|PCTFREE|STATS_PERSISTENT|MAX_ROWS|MIN_ROWS|USE_BLOOM_FILTER|PROGRESSIVE_MERGE_NUM)$/.test(
        option,
      )
    ) {
      cursor.next();
    } else throw notUnderstood(`the table option ${option}`);
  }
}

function readPartition(cursor: TokenCursor): PartitionSpec {
  const word = cursor.takeAnyWord('HASH', 'KEY', 'RANGE', 'LIST');
  if (!word) throw cursor.syntaxError();
  const byColumns = cursor.takeWords('COLUMNS');
  const method = `${word.toLowerCase()}${byColumns ? ' columns' : ''}` as PartitionSpec['method'];
  cursor.expectOp('(');
  const start = cursor.current.start;
  const columns: string[] = [];
  const exprs = cursor.isOp(')') ? [] : cursor.list(() => expressionsAt(cursor).parse());
  const expression = cursor.sql.slice(start, cursor.lastEnd).trim();
  for (const expr of exprs) {
    if (expr.kind !== 'column') throw notUnderstood('partitioning by an expression other than columns');
    columns.push(expr.name);
  }
  cursor.expectOp(')');
  const count = cursor.takeWords('PARTITIONS') ? cursor.integer() : 1;
  if (cursor.isWord('SUBPARTITION')) throw notUnderstood('sub-partitions');
  if (word === 'HASH' || word === 'KEY') {
    const named = cursor.isOp('(') ? readNamedPartitions(cursor) : [];
    const partitions =
      named.length > 0
        ? named
        : Array.from({ length: count }, (_, index) => ({ name: `p${index}`, bound: '', values: [] }));
    return { method, expression, columns, count: partitions.length, partitions };
  }
  const partitions = readNamedPartitions(cursor);
  return { method, expression, columns, count: partitions.length, partitions };
}

function readNamedPartitions(cursor: TokenCursor): PartitionSpec['partitions'][number][] {
  cursor.expectOp('(');
  const partitions = cursor.list(() => {
    cursor.expectWords('PARTITION');
    const name = cursor.anyName();
    if (!cursor.takeWords('VALUES')) return { name, bound: '', values: [] };
    const range = cursor.takeWords('LESS', 'THAN');
    if (!range) cursor.expectWords('IN');
    const start = cursor.current.start;
    if (range && cursor.takeWords('MAXVALUE')) return { name, bound: 'MAXVALUE', values: [[MAXVALUE]] };
    cursor.expectOp('(');
    const items = cursor.list(() => (cursor.takeWords('MAXVALUE') ? MAXVALUE : expressionsAt(cursor).parse()));
    cursor.expectOp(')');
    const bound = cursor.sql.slice(start + 1, cursor.lastEnd - 1).trim();
    return {
      name,
      bound,
      values: range ? [items] : items.map((item) => (item.kind === 'row' ? [...item.items] : [item])),
    };
  });
  cursor.expectOp(')');
  return partitions;
}

/** Stands for MAXVALUE among a partition's bounds. */
const MAXVALUE: Expr = { kind: 'column', database: '', table: '', name: 'MAXVALUE' };
