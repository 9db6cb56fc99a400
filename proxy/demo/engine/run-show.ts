import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { Expr, Select, Statement } from '../translate/ast.ts';
import type { SqlValue, VirtualTable } from '../translate/context.ts';
import { BIGINT, INT, type SqlType, typeText, varchar } from '../translate/sql-type.ts';
import type { Column, Table } from './catalog.ts';
import { makePlan } from './plan.ts';
import { type RowsResult, rowsOf } from './result.ts';
import type { DemoSession } from './session.ts';
import { describeColumn, describeVirtual, keyRows, showCreateTable } from './show-table.ts';
import { allTableNames } from './virtual-tables.ts';

type Show = Extract<Statement, { kind: 'show' }>;
type Heading = readonly [label: string, type: SqlType];

const text = (label: string, length = 128): Heading => [label, varchar(length)];
const number = (label: string): Heading => [label, BIGINT];

/** Answers SHOW and DESCRIBE. */
export function runShow(
  session: DemoSession,
  statement: Extract<Statement, { kind: 'show' | 'describe' }>,
): RowsResult {
  if (statement.kind === 'describe') return describeTable(session, statement);
  const answer = (headings: readonly Heading[], rows: readonly (readonly SqlValue[])[], filterColumn = 0): RowsResult =>
    filtered(session, statement, headings, rows, filterColumn);
  switch (statement.what) {
    case 'databases': {
      const names = [...session.store.databases];
      return answer(
        [text('Database')],
        names.map((name) => [name]),
      );
    }
    case 'tables':
      return showTables(session, statement, answer);
    case 'table status':
      return showTableStatus(session, statement, answer);
    case 'columns':
      return showColumns(session, statement, answer);
    case 'index': {
      const table = storedTable(session, statement);
      return answer(KEY_HEADINGS, table ? keyRows(table) : []);
    }
    case 'create table': {
      const table = storedTable(session, statement);
      if (!table) throw notUnderstood('SHOW CREATE TABLE of an internal table');
      return answer([text('Table', 256), text('Create Table', 65535)], [[table.name, showCreateTable(table)]]);
    }
    case 'create database': {
      const database = statement.database ?? '';
      if (!session.store.hasDatabase(database)) throw new MysqlError('UNKNOWN_DATABASE', { database });
      return answer(
        [text('Database'), text('Create Database', 1024)],
        [[database, `CREATE DATABASE \`${database}\` DEFAULT CHARACTER SET = utf8mb4`]],
      );
    }
    case 'variables':
      return answer([text('Variable_name'), text('Value', 1024)], session.variables.listed(statement.global));
    case 'status':
      return answer([text('Variable_name'), text('Value', 1024)], statusRows(session));
    case 'warnings':
    case 'errors':
      return answer([text('Level', 32), ['Code', INT], text('Message', 512)], problems(session));
    case 'count warnings':
    case 'count errors':
      return answer(
        [number(`@@session.${statement.what.slice(6) === 'errors' ? 'error_count' : 'warning_count'}`)],
        [[BigInt(problems(session).length)]],
      );
    case 'processlist':
      return answer(PROCESS_HEADINGS, processRows(session, statement.full));
    case 'grants': {
      const user = statement.user?.user || session.identity.user;
      if (!session.store.accounts.find(user))
        throw new MysqlError('CANNOT_USER', { operation: 'SHOW GRANTS', user: `'${user}'@'%'` });
      return answer([text(`Grants for ${user}@%`, 1024)], [[`GRANT ALL PRIVILEGES ON *.* TO '${user}'`]]);
    }
    case 'engines':
      return answer(
        [text('Engine'), text('Support'), text('Comment'), text('Transactions'), text('XA'), text('Savepoints')],
        [['OceanBase', 'DEFAULT', 'Posed by the ODP demo cluster', 'YES', 'NO', 'YES']],
      );
    case 'collation':
      return answer(
        [text('Collation'), text('Charset'), number('Id'), text('Default'), text('Compiled'), number('Sortlen')],
        COLLATIONS,
      );
    case 'charset':
      return answer([text('Charset'), text('Description'), text('Default collation'), number('Maxlen')], CHARSETS);
    case 'plugins':
      return answer([text('Name'), text('Status'), text('Type'), text('Library'), text('License')], []);
    case 'tenant':
      return answer([text('Current_tenant_name')], [[session.store.name]]);
    case 'privileges':
    case 'events':
    case 'triggers':
    case 'routines':
    case 'open':
      return answer([text('Name')], []);
    default:
      throw notUnderstood(`SHOW ${statement.what.toUpperCase()}`);
  }
}

type Answer = (
  headings: readonly Heading[],
  rows: readonly (readonly SqlValue[])[],
  filterColumn?: number,
) => RowsResult;

const COLLATIONS: readonly (readonly SqlValue[])[] = [
  ['utf8mb4_general_ci', 'utf8mb4', 45n, 'Yes', 'Yes', 1n],
  ['utf8mb4_bin', 'utf8mb4', 46n, '', 'Yes', 1n],
  ['binary', 'binary', 63n, 'Yes', 'Yes', 1n],
];

const CHARSETS: readonly (readonly SqlValue[])[] = [
  ['utf8mb4', 'UTF-8 Unicode', 'utf8mb4_general_ci', 4n],
  ['binary', 'Binary pseudo charset', 'binary', 1n],
];

const PROCESS_HEADINGS: readonly Heading[] = [
  number('Id'),
  text('User', 32),
  text('Host'),
  text('db'),
  text('Command', 4096),
  number('Time'),
  text('State'),
  text('Info', 262143),
];

const KEY_HEADINGS: readonly Heading[] = [
  text('Table'),
  number('Non_unique'),
  text('Key_name'),
  number('Seq_in_index'),
  text('Column_name'),
  text('Collation'),
  number('Cardinality'),
  number('Sub_part'),
  text('Packed'),
  text('Null'),
  text('Index_type'),
  text('Comment'),
  text('Index_comment'),
  text('Visible'),
  text('Expression'),
];

function databaseOf(session: DemoSession, statement: Show): string {
  const database = statement.database ?? session.database;
  if (database === '') throw new MysqlError('NO_DATABASE');
  if (!session.store.hasDatabase(database)) throw new MysqlError('UNKNOWN_DATABASE', { database });
  return database.toLowerCase();
}

function showTables(session: DemoSession, statement: Show, answer: Answer): RowsResult {
  const database = databaseOf(session, statement);
  const names = allTableNames(session, database);
  const label = `Tables_in_${database}`;
  if (!statement.full)
    return answer(
      [text(label)],
      names.map((name) => [name]),
    );
  const kind = database === 'information_schema' ? 'SYSTEM VIEW' : 'BASE TABLE';
  return answer(
    [text(label), text('Table_type')],
    names.map((name) => [name, kind]),
  );
}

function showTableStatus(session: DemoSession, statement: Show, answer: Answer): RowsResult {
  const database = databaseOf(session, statement);
  const headings =
    'Name,Engine,Version,Row_format,Rows,Avg_row_length,Data_length,Max_data_length,Index_length,Data_free,Auto_increment,Create_time,Update_time,Check_time,Collation,Checksum,Create_options,Comment'
      .split(',')
      .map((label) => text(label, 256));
  const tables = session.store.tables.filter((table) => table.database === database);
  const rows = tables.map((table) => {
    const [count] = session.readAll(`SELECT count(*) FROM "${table.storeName}"`, {})[0] ?? [];
    return [
      table.name,
      'OceanBase',
      null,
      'DYNAMIC',
      count ?? 0n,
      0n,
      0n,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      'utf8mb4_general_ci',
      null,
      '',
      table.definition.comment,
    ];
  });
  return answer(headings, rows);
}

function storedTable(session: DemoSession, statement: Show): Table | null {
  const { database = '', name = '' } = statement.table ?? {};
  const inDatabase = database || session.database;
  if (inDatabase === '') throw new MysqlError('NO_DATABASE');
  const table = session.findTable(inDatabase, name);
  return table.kind === 'stored' ? table : null;
}

function columnsOf(session: DemoSession, database: string, name: string): (readonly [Column | null, SqlValue[]])[] {
  if (database === '') throw new MysqlError('NO_DATABASE');
  const table = session.findTable(database, name);
  if (table.kind === 'virtual') return table.columns.map((column) => [null, describeVirtual(column)]);
  return table.columns.map((column) => [column, describeColumn(table, column)]);
}

const COLUMN_HEADINGS = ['Field', 'Type', 'Null', 'Key', 'Default', 'Extra'].map((label) => text(label, 1024));

function showColumns(session: DemoSession, statement: Show, answer: Answer): RowsResult {
  const { database = '', name = '' } = statement.table ?? {};
  const columns = columnsOf(session, database || session.database, name);
  if (!statement.full)
    return answer(
      COLUMN_HEADINGS,
      columns.map(([, row]) => row),
    );
  const headings = ['Field', 'Type', 'Collation', 'Null', 'Key', 'Default', 'Extra', 'Privileges', 'Comment'].map(
    (label) => text(label, 1024),
  );
  const rows = columns.map(([column, [field = null, type = null, ...rest]]) => {
    const collated = column !== null && /char|text|enum/.test(typeText(column.spec.type));
    const collation = collated ? (column.type.binaryCollation ? 'utf8mb4_bin' : 'utf8mb4_general_ci') : null;
    return [field, type, collation, ...rest, 'SELECT,INSERT,UPDATE,REFERENCES', column?.spec.comment ?? ''];
  });
  return answer(headings, rows);
}

function describeTable(session: DemoSession, { table, column }: Extract<Statement, { kind: 'describe' }>): RowsResult {
  const rows = columnsOf(session, table.database || session.database, table.name).map(([, row]) => row);
  const wanted = column === null ? rows : rows.filter(([name]) => likePattern(column).test(String(name)));
  return rowsOf(
    COLUMN_HEADINGS.map(([label, type]) => ({ label, type, origin: null })),
    wanted,
  );
}

function statusRows(session: DemoSession): SqlValue[][] {
  const sessions = [...session.engine.sessions.values()].filter(
    (other) => other.identity.server === session.identity.server,
  );
  return [
    ['Ssl_cipher', session.identity.tls.cipher],
    ['Ssl_version', session.identity.tls.version],
    ['Threads_connected', String(sessions.length)],
    ['Threads_running', String(sessions.filter((other) => other.running !== null).length)],
    ['Uptime', String(Math.floor(process.uptime()))],
  ];
}

function problems({ lastError }: DemoSession): SqlValue[][] {
  return lastError ? [['Error', BigInt(lastError.errno), lastError.message]] : [];
}

function processRows(session: DemoSession, full: boolean): SqlValue[][] {
  return [...session.engine.sessions.values()]
    .filter((other) => other.store === session.store)
    .map((other) => {
      const { identity, running } = other;
      const info = running === null ? null : full ? running.text : running.text.slice(0, 100);
      const since = Math.floor((Date.now() - (running?.since ?? other.startedAt)) / 1000);
      return [
        BigInt(identity.connectionId),
        identity.user,
        identity.host,
        other.database || null,
        running ? 'Query' : 'Sleep',
        BigInt(since),
        running ? 'ACTIVE' : 'SLEEP',
        info,
      ];
    });
}

/** Applies LIKE (on one column) or WHERE (on all, by the translator) to rows. */
function filtered(
  session: DemoSession,
  statement: Show,
  headings: readonly Heading[],
  rows: readonly (readonly SqlValue[])[],
  filterColumn: number,
): RowsResult {
  const columns = headings.map(([label, type]) => ({ label, type, origin: null }));
  if (statement.where) return rowsOf(columns, selectWhere(session, statement.where, headings, rows));
  const pattern = statement.like === null ? null : likePattern(statement.like);
  return rowsOf(columns, pattern ? rows.filter((row) => pattern.test(String(row[filterColumn] ?? ''))) : rows);
}

function selectWhere(
  session: DemoSession,
  where: Expr,
  headings: readonly Heading[],
  rows: readonly (readonly SqlValue[])[],
): SqlValue[][] {
  const table: VirtualTable = {
    kind: 'virtual',
    database: 'information_schema',
    name: 'show',
    columns: headings.map(([name, type]) => ({ name, type })),
    rows: () => rows,
  };
  const query: Select = {
    kind: 'select',
    cores: [
      {
        distinct: false,
        items: [{ star: true, database: '', table: '' }],
        from: { kind: 'table', database: table.database, name: table.name, alias: null, partitions: [] },
        where,
        groupBy: [],
        having: null,
      },
    ],
    unions: [],
    orderBy: [],
    limit: null,
    locking: false,
    calcFoundRows: false,
    into: [],
  };
  return session.readPlan(makePlan(session.environment([], [table]), query));
}

function likePattern(like: string): RegExp {
  const source = like.replace(/\\(.)|[%_]|[\\^$.*+?()[\]{}|/-]/g, (match, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    return match === '%' ? '.*' : match === '_' ? '.' : `\\${match}`;
  });
  return new RegExp(`^${source}$`, 'is');
}
