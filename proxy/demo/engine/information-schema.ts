import type { SqlValue, VirtualTable } from '../translate/context.ts';
import { isString, typeText } from '../translate/sql-type.ts';
import type { Column, Table } from './catalog.ts';
import type { DemoSession } from './session.ts';
import { defaultText, extraText, keyMark } from './show-table.ts';
import { virtualTable } from './virtual-table.ts';

type Row = Readonly<Record<string, SqlValue>>;

/** The tables of information_schema and mysql that clients and tools commonly read. */
export function informationSchema(session: DemoSession): VirtualTable[] {
  const { store } = session;
  const schema = (name: string, columns: string, rows: () => readonly Row[]): VirtualTable =>
    virtualTable('information_schema', name, columns, rows);
  const empty = (name: string, columns: string): VirtualTable => schema(name, columns, () => []);
  return [
    schema(
      'SCHEMATA',
      'CATALOG_NAME SCHEMA_NAME DEFAULT_CHARACTER_SET_NAME DEFAULT_COLLATION_NAME SQL_PATH DEFAULT_ENCRYPTION',
      () =>
        store.databases.map((name) => ({
          CATALOG_NAME: 'def',
          SCHEMA_NAME: name,
          DEFAULT_CHARACTER_SET_NAME: 'utf8mb4',
          DEFAULT_COLLATION_NAME: 'utf8mb4_general_ci',
          DEFAULT_ENCRYPTION: 'NO',
        })),
    ),
    schema(
      'TABLES',
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_TYPE ENGINE VERSION:n ROW_FORMAT TABLE_ROWS:n AVG_ROW_LENGTH:n ' +
        'DATA_LENGTH:n MAX_DATA_LENGTH:n INDEX_LENGTH:n DATA_FREE:n AUTO_INCREMENT:n CREATE_TIME:t UPDATE_TIME:t ' +
        'CHECK_TIME:t TABLE_COLLATION CHECKSUM:n CREATE_OPTIONS TABLE_COMMENT',
      () => store.tables.map((table) => tableRow(session, table)),
    ),
    schema(
      'COLUMNS',
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME ORDINAL_POSITION:n COLUMN_DEFAULT:l IS_NULLABLE DATA_TYPE ' +
        'CHARACTER_MAXIMUM_LENGTH:n CHARACTER_OCTET_LENGTH:n NUMERIC_PRECISION:n NUMERIC_SCALE:n DATETIME_PRECISION:n ' +
        'CHARACTER_SET_NAME COLLATION_NAME COLUMN_TYPE:l COLUMN_KEY EXTRA PRIVILEGES COLUMN_COMMENT GENERATION_EXPRESSION:l',
      () => store.tables.flatMap((table) => table.columns.map((column, index) => columnRow(table, column, index))),
    ),
    schema(
      'STATISTICS',
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME NON_UNIQUE:n INDEX_SCHEMA INDEX_NAME SEQ_IN_INDEX:n COLUMN_NAME COLLATION ' +
        'CARDINALITY:n SUB_PART:n PACKED NULLABLE INDEX_TYPE COMMENT INDEX_COMMENT IS_VISIBLE',
      () => store.tables.flatMap(statisticsRows),
    ),
    schema(
      'KEY_COLUMN_USAGE',
      'CONSTRAINT_CATALOG CONSTRAINT_SCHEMA CONSTRAINT_NAME TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME ' +
        'ORDINAL_POSITION:n POSITION_IN_UNIQUE_CONSTRAINT:n REFERENCED_TABLE_SCHEMA REFERENCED_TABLE_NAME REFERENCED_COLUMN_NAME',
      () =>
        store.tables.flatMap((table) =>
          statisticsRows(table)
            .filter((row) => row.NON_UNIQUE === 0n)
            .map((row) => ({
              CONSTRAINT_CATALOG: 'def',
              CONSTRAINT_SCHEMA: table.database,
              CONSTRAINT_NAME: row.INDEX_NAME ?? null,
              TABLE_CATALOG: 'def',
              TABLE_SCHEMA: table.database,
              TABLE_NAME: table.name,
              COLUMN_NAME: row.COLUMN_NAME ?? null,
              ORDINAL_POSITION: row.SEQ_IN_INDEX ?? null,
            })),
        ),
    ),
    schema(
      'TABLE_CONSTRAINTS',
      'CONSTRAINT_CATALOG CONSTRAINT_SCHEMA CONSTRAINT_NAME TABLE_SCHEMA TABLE_NAME CONSTRAINT_TYPE',
      () =>
        store.tables.flatMap((table) =>
          table.definition.keys
            .filter((key) => key.kind !== 'key')
            .map((key) => ({
              CONSTRAINT_CATALOG: 'def',
              CONSTRAINT_SCHEMA: table.database,
              CONSTRAINT_NAME: key.name,
              TABLE_SCHEMA: table.database,
              TABLE_NAME: table.name,
              CONSTRAINT_TYPE: key.kind === 'primary' ? 'PRIMARY KEY' : 'UNIQUE',
            })),
        ),
    ),
    schema(
      'PARTITIONS',
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME PARTITION_NAME PARTITION_ORDINAL_POSITION:n PARTITION_METHOD PARTITION_EXPRESSION PARTITION_DESCRIPTION',
      () =>
        store.tables.flatMap((table) =>
          (table.definition.partition?.partitions ?? []).map((part, index) => ({
            TABLE_CATALOG: 'def',
            TABLE_SCHEMA: table.database,
            TABLE_NAME: table.name,
            PARTITION_NAME: part.name,
            PARTITION_ORDINAL_POSITION: BigInt(index + 1),
            PARTITION_METHOD: table.definition.partition?.method.toUpperCase() ?? null,
            PARTITION_EXPRESSION: table.definition.partition?.expression ?? null,
            PARTITION_DESCRIPTION: part.bound || null,
          })),
        ),
    ),
    schema('COLLATIONS', 'COLLATION_NAME CHARACTER_SET_NAME ID:n IS_DEFAULT IS_COMPILED SORTLEN:n', () => [
      {
        COLLATION_NAME: 'utf8mb4_general_ci',
        CHARACTER_SET_NAME: 'utf8mb4',
        ID: 45n,
        IS_DEFAULT: 'Yes',
        IS_COMPILED: 'Yes',
        SORTLEN: 1n,
      },
      {
        COLLATION_NAME: 'utf8mb4_bin',
        CHARACTER_SET_NAME: 'utf8mb4',
        ID: 46n,
        IS_DEFAULT: '',
        IS_COMPILED: 'Yes',
        SORTLEN: 1n,
      },
      {
        COLLATION_NAME: 'binary',
        CHARACTER_SET_NAME: 'binary',
        ID: 63n,
        IS_DEFAULT: 'Yes',
        IS_COMPILED: 'Yes',
        SORTLEN: 1n,
      },
    ]),
    schema('CHARACTER_SETS', 'CHARACTER_SET_NAME DEFAULT_COLLATE_NAME DESCRIPTION MAXLEN:n', () => [
      {
        CHARACTER_SET_NAME: 'utf8mb4',
        DEFAULT_COLLATE_NAME: 'utf8mb4_general_ci',
        DESCRIPTION: 'UTF-8 Unicode',
        MAXLEN: 4n,
      },
      {
        CHARACTER_SET_NAME: 'binary',
        DEFAULT_COLLATE_NAME: 'binary',
        DESCRIPTION: 'Binary pseudo charset',
        MAXLEN: 1n,
      },
    ]),
    schema('ENGINES', 'ENGINE SUPPORT COMMENT TRANSACTIONS XA SAVEPOINTS', () => [
      {
        ENGINE: 'OceanBase',
        SUPPORT: 'DEFAULT',
        COMMENT: 'Posed by the ODP demo cluster',
        TRANSACTIONS: 'YES',
        XA: 'NO',
        SAVEPOINTS: 'YES',
      },
    ]),
    ...['GLOBAL_VARIABLES', 'SESSION_VARIABLES'].map((name) =>
      schema(name, 'VARIABLE_NAME VARIABLE_VALUE', () =>
        session.variables
          .listed(name === 'GLOBAL_VARIABLES')
          .map(([variable, value]) => ({ VARIABLE_NAME: variable, VARIABLE_VALUE: value })),
      ),
    ),
    schema('PROCESSLIST', 'ID:n USER HOST DB COMMAND TIME:n STATE INFO:l', () =>
      [...session.engine.sessions.values()]
        .filter((other) => other.store === store)
        .map((other) => ({
          ID: BigInt(other.identity.connectionId),
          USER: other.identity.user,
          HOST: other.identity.host,
          DB: other.database || null,
          COMMAND: other.running ? 'Query' : 'Sleep',
          TIME: BigInt(Math.floor((Date.now() - (other.running?.since ?? other.startedAt)) / 1000)),
          STATE: other.running ? 'ACTIVE' : 'SLEEP',
          INFO: other.running?.text ?? null,
        })),
    ),
    empty(
      'VIEWS',
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME VIEW_DEFINITION CHECK_OPTION IS_UPDATABLE DEFINER SECURITY_TYPE',
    ),
    empty(
      'TRIGGERS',
      'TRIGGER_CATALOG TRIGGER_SCHEMA TRIGGER_NAME EVENT_MANIPULATION EVENT_OBJECT_SCHEMA EVENT_OBJECT_TABLE ACTION_STATEMENT',
    ),
    empty('EVENTS', 'EVENT_CATALOG EVENT_SCHEMA EVENT_NAME DEFINER STATUS'),
    empty(
      'ROUTINES',
      'SPECIFIC_NAME ROUTINE_CATALOG ROUTINE_SCHEMA ROUTINE_NAME ROUTINE_TYPE DATA_TYPE ROUTINE_DEFINITION ROUTINE_COMMENT',
    ),
    empty(
      'PARAMETERS',
      'SPECIFIC_CATALOG SPECIFIC_SCHEMA SPECIFIC_NAME ORDINAL_POSITION:n PARAMETER_MODE PARAMETER_NAME DATA_TYPE ROUTINE_TYPE',
    ),
    empty(
      'REFERENTIAL_CONSTRAINTS',
      'CONSTRAINT_CATALOG CONSTRAINT_SCHEMA CONSTRAINT_NAME UNIQUE_CONSTRAINT_NAME UPDATE_RULE DELETE_RULE TABLE_NAME REFERENCED_TABLE_NAME',
    ),
    virtualTable('mysql', 'user', 'host user plugin', () =>
      store.accounts.all.map(({ user }) => ({ host: '%', user, plugin: 'mysql_native_password' })),
    ),
  ];
}

function tableRow(session: DemoSession, table: Table): Row {
  const [count] = session.readAll(`SELECT count(*) FROM "${table.storeName}"`, {})[0] ?? [];
  return {
    TABLE_CATALOG: 'def',
    TABLE_SCHEMA: table.database,
    TABLE_NAME: table.name,
    TABLE_TYPE: 'BASE TABLE',
    ENGINE: 'OceanBase',
    ROW_FORMAT: 'DYNAMIC',
    TABLE_ROWS: count ?? 0n,
    TABLE_COLLATION: 'utf8mb4_general_ci',
    CREATE_OPTIONS: table.definition.partition ? 'partitioned' : '',
    TABLE_COMMENT: table.definition.comment,
  };
}

function columnRow(table: Table, column: Column, index: number): Row {
  const { type, spec } = column;
  const numeric = ['int', 'decimal', 'double', 'float'].includes(type.kind);
  const moment = ['datetime', 'timestamp', 'time'].includes(type.kind);
  const bytes = ['varbinary', 'blob'].includes(type.kind);
  return {
    TABLE_CATALOG: 'def',
    TABLE_SCHEMA: table.database,
    TABLE_NAME: table.name,
    COLUMN_NAME: column.name,
    ORDINAL_POSITION: BigInt(index + 1),
    COLUMN_DEFAULT: defaultText(spec.defaultValue),
    IS_NULLABLE: spec.notNull ? 'NO' : 'YES',
    DATA_TYPE: spec.type.name,
    CHARACTER_MAXIMUM_LENGTH: isString(type) || bytes ? BigInt(type.length) : null,
    CHARACTER_OCTET_LENGTH: isString(type) ? BigInt(type.length * 4) : bytes ? BigInt(type.length) : null,
    NUMERIC_PRECISION: numeric ? BigInt(type.kind === 'int' && type.bits === 64 ? 19 : type.length) : null,
    NUMERIC_SCALE: numeric ? BigInt(type.kind === 'decimal' ? type.scale : 0) : null,
    DATETIME_PRECISION: moment ? BigInt(type.scale) : null,
    CHARACTER_SET_NAME: isString(type) ? 'utf8mb4' : null,
    COLLATION_NAME: isString(type) ? (type.binaryCollation ? 'utf8mb4_bin' : 'utf8mb4_general_ci') : null,
    COLUMN_TYPE: typeText(spec.type),
    COLUMN_KEY: keyMark(table, column.name),
    EXTRA: extraText(column),
    PRIVILEGES: 'SELECT,INSERT,UPDATE,REFERENCES',
    COLUMN_COMMENT: spec.comment,
    GENERATION_EXPRESSION: '',
  };
}

function statisticsRows(table: Table): Row[] {
  return table.definition.keys.flatMap((key) =>
    key.columns.map((name, index) => ({
      TABLE_CATALOG: 'def',
      TABLE_SCHEMA: table.database,
      TABLE_NAME: table.name,
      NON_UNIQUE: key.kind === 'key' ? 1n : 0n,
      INDEX_SCHEMA: table.database,
      INDEX_NAME: key.name,
      SEQ_IN_INDEX: BigInt(index + 1),
      COLUMN_NAME: name,
      COLLATION: 'A',
      NULLABLE: table.column(name)?.spec.notNull ? '' : 'YES',
      INDEX_TYPE: 'BTREE',
      COMMENT: '',
      INDEX_COMMENT: '',
      IS_VISIBLE: 'YES',
    })),
  );
}
