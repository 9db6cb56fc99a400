/**
 * Errors that a demo OBServer answers with. They are the server's own (MySQL's and OceanBase's numbers), not the
 * proxy's, hence their own table. Texts follow a genuine kernel where one was seen.
 */
const specs = {
  ACCESS_DENIED: [1045, '42000', "Access denied for user '{user}'@'{host}' (using password: {usingPassword})"],
  DB_ACCESS_DENIED: [1044, '42000', "Access denied for user '{user}'@'%' to database '{database}'"],
  NO_DATABASE: [1046, '3D000', 'No database selected'],
  UNKNOWN_COMMAND: [1047, '08S01', 'Unknown command'],
  NULL_NOT_ALLOWED: [1048, '23000', "Column '{column}' cannot be null"],
  UNKNOWN_DATABASE: [1049, '42000', "Unknown database '{database}'"],
  TABLE_EXISTS: [1050, '42S01', "Table '{table}' already exists"],
  UNKNOWN_TABLE: [1051, '42S02', "Unknown table '{table}'"],
  AMBIGUOUS_COLUMN: [1052, '23000', "Column '{column}' in {clause} is ambiguous"],
  UNKNOWN_COLUMN: [1054, '42S22', "Unknown column '{column}' in '{clause}'"],
  DUPLICATE_COLUMN: [1060, '42S21', "Duplicate column name '{column}'"],
  DUPLICATE_KEY_NAME: [1061, '42000', "Duplicate key name '{key}'"],
  DUPLICATE_ENTRY: [1062, '23000', "Duplicate entry '{value}' for key '{key}'"],
  SYNTAX: [
    1064,
    '42000',
    'You have an error in your SQL syntax; check the manual that corresponds to your OceanBase version for the right syntax to use near {near}',
  ],
  EMPTY_QUERY: [1065, '42000', 'Query was empty'],
  NOT_UNIQUE_ALIAS: [1066, '42000', "Not unique table/alias: '{table}'"],
  INVALID_DEFAULT: [1067, '42000', "Invalid default value for '{column}'"],
  MULTIPLE_PRIMARY_KEY: [1068, '42000', 'Multiple primary key defined'],
  KEY_COLUMN_MISSING: [1072, '42000', "Key column '{column}' doesn't exist in table"],
  CANT_DROP_KEY: [1091, '42000', "Can't DROP '{key}'; check that column/key exists"],
  UNKNOWN_THREAD: [1094, 'HY000', 'Unknown thread id: {id}'],
  NOT_THREAD_OWNER: [1095, 'HY000', 'You are not owner of thread {id}'],
  DATABASE_EXISTS: [1007, 'HY000', "Can't create database '{database}'; database exists"],
  DROP_UNKNOWN_DATABASE: [1008, 'HY000', "Can't drop database '{database}'; database doesn't exist"],
  TOO_MANY_TABLE_VALUES: [1136, '21S01', "Column count doesn't match value count at row {row}"],
  NO_SUCH_TABLE: [1146, '42S02', "Table '{table}' doesn't exist"],
  BAD_FIELD_IN_SET: [1110, '42000', "Column '{column}' specified twice"],
  INVALID_GROUP_FUNCTION: [1111, 'HY000', 'Invalid use of group function'],
  UNKNOWN_CHARSET: [1115, '42000', "Unknown character set: '{charset}'"],
  OPERAND_COLUMNS: [1241, '21000', 'Operand should contain {count} column(s)'],
  SUBQUERY_ROWS: [1242, '21000', 'Subquery returns more than 1 row'],
  PACKET_TOO_LARGE: [1153, '08S01', "Got a packet bigger than 'max_allowed_packet' bytes"],
  UNKNOWN_VARIABLE: [1193, 'HY000', "Unknown system variable '{name}'"],
  LOCK_WAIT_TIMEOUT: [1205, 'HY000', 'Lock wait timeout exceeded; try restarting transaction'],
  WRONG_ARGUMENTS: [1210, 'HY000', 'Incorrect arguments to {name}'],
  DERIVED_NEEDS_ALIAS: [1248, '42000', 'Every derived table must have its own alias'],
  UNION_COLUMNS: [1222, '21000', 'The used SELECT statements have a different number of columns'],
  ACCESS_RIGHT: [
    1227,
    '42000',
    'Access denied; you need (at least one of) the {right} privilege(s) for this operation',
  ],
  GLOBAL_VARIABLE: [1229, 'HY000', "Variable '{name}' is a GLOBAL variable and should be set with SET GLOBAL"],
  WRONG_VALUE_FOR_VARIABLE: [1231, '42000', "Variable '{name}' can't be set to the value of '{value}'"],
  WRONG_TYPE_FOR_VARIABLE: [1232, '42000', "Incorrect argument type to variable '{name}'"],
  NOT_SUPPORTED: [1235, '0A000', 'The demo cluster does not understand {detail}'],
  UNSUPPORTED_COMMAND: [1235, '0A000', 'Not supported feature or function'],
  READ_ONLY_VARIABLE: [1238, 'HY000', "Variable '{name}' is a read only variable"],
  UNKNOWN_STATEMENT: [1243, 'HY000', 'Unknown prepared statement handle'],
  UNKNOWN_NAMED_STATEMENT: [1243, 'HY000', 'Unknown prepared statement handler ({name}) given to {command}'],
  OUT_OF_RANGE: [1264, '22003', "Out of range value for column '{column}' at row {row}"],
  TRUNCATED: [1265, '01000', "Data truncated for column '{column}' at row {row}"],
  INCORRECT_VALUE: [1292, '22007', "Incorrect {type} value: '{value}'"],
  INVALID_STRING: [1300, 'HY000', "Invalid {charset} character string: '{value}'"],
  SAVEPOINT_UNKNOWN: [1305, '42000', 'savepoint does not exist'],
  ROUTINE_UNKNOWN: [1305, '42000', 'FUNCTION {name} does not exist'],
  TOO_MANY_ROWS: [1172, '42000', 'Result consisted of more than one row'],
  QUERY_INTERRUPTED: [1317, '70100', 'Query execution was interrupted'],
  NO_DEFAULT: [1364, 'HY000', "Field '{column}' doesn't have a default value"],
  DIVISION_BY_ZERO: [1365, '22012', 'Division by 0'],
  INCORRECT_COLUMN_VALUE: [1366, 'HY000', "Incorrect {type} value: '{value}' for column '{column}' at row {row}"],
  CANNOT_USER: [1396, 'HY000', 'Operation {operation} failed for {user}'],
  DATA_TOO_LONG: [1406, '22001', "Data too long for column '{column}' at row {row}"],
  CURSOR_NOT_OPEN: [1421, 'HY000', 'The statement ({id}) has no open cursor.'],
  PARTITION_KEY: [1503, 'HY000', "A PRIMARY KEY must include all columns in the table's partitioning function"],
  NO_PARTITION_FOR_VALUE: [1526, 'HY000', 'Table has no partition for value'],
  UNKNOWN_PARTITION: [1735, 'HY000', "Unknown partition '{partition}' in table '{table}'"],
  NUMBER_OUT_OF_RANGE: [1690, '22003', "{type} value is out of range in '{expression}'"],
  READ_ONLY_TRANSACTION: [1792, '25006', 'Cannot execute statement in a READ ONLY transaction.'],
  MALFORMED_PACKET: [1835, 'HY000', 'Malformed communication packet.'],
  QUERY_TIMEOUT: [4012, 'HY000', 'Timeout, query has reached the maximum query timeout'],
  REPLICA_NOT_READABLE: [6231, 'HY000', 'replica is not readable'],
  ZONE_UNKNOWN: [4668, 'HY000', "zone not exist: '{zone}'"],
  LOCAL_FILES_OFF: [
    3948,
    '42000',
    'Loading local data is disabled; this must be enabled on both the client and server sides',
  ],
  CHECK_VIOLATED: [3819, 'HY000', "Check constraint '{name}' is violated."],
  TRANSACTION_STATE_OLD: [
    6002,
    '40001',
    'Transaction rolled back: its state is at version {version}, and this server was told of {told}',
  ],
  NOT_FOR_PARTICIPANTS: [6279, 'HY000', 'A server that only takes part in a transaction does not run this statement'],
  FAULT: [0, 'HY000', 'Error {errno}, asked for through the fault door of the demo cluster'],
  INTERNAL: [1105, 'HY000', 'The demo cluster failed: {detail}'],
} as const satisfies Record<string, readonly [errno: number, sqlState: string, text: string]>;

export type MysqlErrorCode = keyof typeof specs;

/** An ERR packet's content as an exception. Blanks of the text are filled from `blanks`. */
export class MysqlError extends Error {
  readonly code: MysqlErrorCode;
  readonly errno: number;
  readonly sqlState: string;

  constructor(code: MysqlErrorCode, blanks: Readonly<Record<string, string | number | bigint>> = {}, errno?: number) {
    super(specs[code][2].replace(/\{(\w+)\}/g, (mark, name: string) => (name in blanks ? String(blanks[name]) : mark)));
    this.name = 'MysqlError';
    this.code = code;
    this.errno = errno ?? specs[code][0];
    this.sqlState = specs[code][1];
  }
}

/** The error for SQL outside what the demo cluster covers: a clear refusal instead of a wrong answer. */
export function notUnderstood(detail: string): MysqlError {
  return new MysqlError('NOT_SUPPORTED', { detail });
}
