/** Numbers of the MySQL client/server protocol (4.1) and of OceanBase's additions to it. */

/** Client capability flags. Bits above 30 are not used by any server that this proxy meets. */
export const CAP = {
  LONG_PASSWORD: 0x1,
  FOUND_ROWS: 0x2,
  LONG_FLAG: 0x4,
  CONNECT_WITH_DB: 0x8,
  NO_SCHEMA: 0x10,
  COMPRESS: 0x20,
  ODBC: 0x40,
  LOCAL_FILES: 0x80,
  IGNORE_SPACE: 0x100,
  PROTOCOL_41: 0x200,
  INTERACTIVE: 0x400,
  SSL: 0x800,
  IGNORE_SIGPIPE: 0x1000,
  TRANSACTIONS: 0x2000,
  RESERVED: 0x4000,
  SECURE_CONNECTION: 0x8000,
  MULTI_STATEMENTS: 0x10000,
  MULTI_RESULTS: 0x20000,
  PS_MULTI_RESULTS: 0x40000,
  PLUGIN_AUTH: 0x80000,
  CONNECT_ATTRS: 0x100000,
  PLUGIN_AUTH_LENENC: 0x200000,
  EXPIRED_PASSWORDS: 0x400000,
  SESSION_TRACK: 0x800000,
  DEPRECATE_EOF: 0x1000000,
} as const;

/** Server status flags (OK and EOF packets). */
export const STATUS = {
  IN_TRANS: 0x1,
  AUTOCOMMIT: 0x2,
  MORE_RESULTS: 0x8,
  NO_GOOD_INDEX_USED: 0x10,
  NO_INDEX_USED: 0x20,
  CURSOR_EXISTS: 0x40,
  LAST_ROW_SENT: 0x80,
  DB_DROPPED: 0x100,
  NO_BACKSLASH_ESCAPES: 0x200,
  METADATA_CHANGED: 0x400,
  QUERY_WAS_SLOW: 0x800,
  PS_OUT_PARAMS: 0x1000,
  IN_TRANS_READONLY: 0x2000,
  SESSION_STATE_CHANGED: 0x4000,
} as const;

/** Status flags that tell of the session; the others tell of one statement. */
export const LASTING_STATUS = ~(
  STATUS.MORE_RESULTS |
  STATUS.NO_GOOD_INDEX_USED |
  STATUS.NO_INDEX_USED |
  STATUS.CURSOR_EXISTS |
  STATUS.LAST_ROW_SENT |
  STATUS.DB_DROPPED |
  STATUS.NO_BACKSLASH_ESCAPES |
  STATUS.METADATA_CHANGED |
  STATUS.QUERY_WAS_SLOW |
  STATUS.PS_OUT_PARAMS |
  STATUS.SESSION_STATE_CHANGED
);

/** First byte of a request. */
export const COM = {
  SLEEP: 0x00,
  QUIT: 0x01,
  INIT_DB: 0x02,
  QUERY: 0x03,
  FIELD_LIST: 0x04,
  CREATE_DB: 0x05,
  DROP_DB: 0x06,
  REFRESH: 0x07,
  SHUTDOWN: 0x08,
  STATISTICS: 0x09,
  PROCESS_INFO: 0x0a,
  CONNECT: 0x0b,
  PROCESS_KILL: 0x0c,
  DEBUG: 0x0d,
  PING: 0x0e,
  TIME: 0x0f,
  DELAYED_INSERT: 0x10,
  CHANGE_USER: 0x11,
  BINLOG_DUMP: 0x12,
  TABLE_DUMP: 0x13,
  CONNECT_OUT: 0x14,
  REGISTER_SLAVE: 0x15,
  STMT_PREPARE: 0x16,
  STMT_EXECUTE: 0x17,
  STMT_SEND_LONG_DATA: 0x18,
  STMT_CLOSE: 0x19,
  STMT_RESET: 0x1a,
  SET_OPTION: 0x1b,
  STMT_FETCH: 0x1c,
  DAEMON: 0x1d,
  BINLOG_DUMP_GTID: 0x1e,
  RESET_CONNECTION: 0x1f,
} as const;

/** Type bytes of column definitions and parameters. */
export const COLUMN_TYPE = {
  DECIMAL: 0x00,
  TINY: 0x01,
  SHORT: 0x02,
  LONG: 0x03,
  FLOAT: 0x04,
  DOUBLE: 0x05,
  NULL: 0x06,
  TIMESTAMP: 0x07,
  LONGLONG: 0x08,
  INT24: 0x09,
  DATE: 0x0a,
  TIME: 0x0b,
  DATETIME: 0x0c,
  YEAR: 0x0d,
  VARCHAR: 0x0f,
  BIT: 0x10,
  JSON: 0xf5,
  NEWDECIMAL: 0xf6,
  TINY_BLOB: 0xf9,
  MEDIUM_BLOB: 0xfa,
  LONG_BLOB: 0xfb,
  BLOB: 0xfc,
  VAR_STRING: 0xfd,
  STRING: 0xfe,
  GEOMETRY: 0xff,
} as const;

/** Flags of column definitions, those that are set here. */
export const COLUMN_FLAG = { NOT_NULL: 0x1, PRIMARY_KEY: 0x2, UNSIGNED: 0x20, BINARY: 0x80 } as const;

/** Collation ids. 45 = utf8mb4_general_ci, 63 = binary. */
export const COLLATION = { UTF8MB4_GENERAL_CI: 45, BINARY: 63 } as const;

/** Longest payload of one packet; a payload of exactly this length is followed by another packet. */
export const MAX_PAYLOAD = 0xffffff;

/** Header of every packet: payload length (3 bytes, little-endian) and sequence id. */
export const HEADER_LENGTH = 4;

/** Bits of `__proxy_capability_flag`, the OceanBase capabilities a proxy offers at login. */
export const OB_CAPABILITY = {
  PARTITION_TABLE: 1n << 0n,
  CHANGE_USER: 1n << 1n,
  READ_WEAK: 1n << 2n,
  CHECKSUM: 1n << 3n,
  SAFE_WEAK_READ: 1n << 4n,
  PRIORITY_HIT: 1n << 5n,
  CHECKSUM_SWITCH: 1n << 6n,
  OB_PROTOCOL_V2: 1n << 8n,
  EXTRA_OK_PACKET_FOR_STATISTICS: 1n << 9n,
  PL_ROUTE: 1n << 11n,
  /** Session state goes along in blocks. */
  PROXY_SESSION_SYNC: 1n << 13n,
  /** Extra information is type, length, value. */
  PROXY_NEW_EXTRA_INFO: 1n << 15n,
  PROXY_READ_STALE_FEEDBACK: 1n << 17n,
  /** Blocks may be sent once more when nobody knows whether they were taken. */
  SERVER_DUP_SESS_INFO_SYNC: 1n << 19n,
  LOCAL_FILES: 1n << 20n,
  /** Connection ids of clients mean something to servers: KILL takes them, whichever proxy has given them out. */
  ENABLE_CLIENT_SESSION_ID_V2: 1n << 21n,
  /** Frames go inside zlib packets; servers expect nothing else then. */
  OB_PROTOCOL_V2_COMPRESS: 1n << 22n,
} as const;

/** The one authentication method that OceanBase and this proxy offer. */
export const NATIVE_PASSWORD = 'mysql_native_password';
