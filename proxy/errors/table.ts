/**
 * Every error this product itself answers, declared once: the MySQL door sends `errno`/`sqlState`/text, the
 * HTTP door sends `httpStatus`/code/text. Codes are never reused. Numbers follow the reference proxy where it has one.
 */
export interface ErrorSpec {
  /** MySQL error number on the wire. */
  readonly errno: number;
  /** Five-character SQLSTATE. */
  readonly sqlState: string;
  /** HTTP status when the same failure is answered by the control API. */
  readonly httpStatus: number;
  /** Text; `{name}` marks are filled from the error's details. */
  readonly text: string;
}

const spec = (errno: number, sqlState: string, httpStatus: number, text: string): ErrorSpec => ({
  errno,
  sqlState,
  httpStatus,
  text,
});

export const errorTable = {
  // Login and connections
  ACCESS_DENIED: spec(1045, '42000', 401, "Access denied for user '{user}'@'{host}' (using password: {usingPassword})"),
  BAD_HANDSHAKE: spec(1043, '08S01', 400, 'Bad handshake: {detail}'),
  CLUSTER_NOT_EXIST: spec(4669, 'HY000', 404, "cluster not exist: '{cluster}'"),
  CLUSTERS_NOT_KNOWN: spec(
    4669,
    'HY000',
    503,
    "cluster not exist: '{cluster}': which clusters there are is not known ({detail})",
  ),
  TOO_MANY_SESSIONS: spec(1203, '42000', 503, 'Too many sessions: client_max_connections is {limit}'),
  NOT_IN_WHITE_LIST: spec(
    8205,
    'HY000',
    403,
    "Can not pass whitelist: nobody may log in to tenant '{tenant}' of cluster '{cluster}' from {host}",
  ),
  TOO_MANY_CONNECTIONS: spec(
    1040,
    '08004',
    503,
    "Too many connections: tenant '{tenant}' of cluster '{cluster}' may have {limit}",
  ),
  TLS_REQUIRED: spec(
    3159,
    'HY000',
    403,
    'Connections without TLS are refused: ssl_attributes has using_ssl ENABLE_FORCE',
  ),
  AUTH_METHOD_NOT_SUPPORTED: spec(
    1251,
    '08004',
    501,
    'Client does not support authentication protocol requested by server: {detail}',
  ),
  UNKNOWN_COMMAND: spec(1047, '08S01', 400, 'Unknown command {command}'),
  MALFORMED_PACKET: spec(1835, 'HY000', 400, 'Malformed communication packet: {detail}'),
  PACKET_CHECKSUM: spec(8003, 'HY000', 502, "Packet checksum error: the {part}'s does not match"),
  NOT_SUPPORTED: spec(1235, '0A000', 501, 'Not supported feature or function: {detail}'),
  UNSUPPORTED_IN_PREPARED: spec(
    1295,
    'HY000',
    400,
    'This command is not supported in the prepared statement protocol yet: {command}',
  ),
  UNKNOWN_STATEMENT: spec(1243, 'HY000', 404, 'Unknown prepared statement handler ({id}) given to {command}'),
  CURSOR_NOT_OPEN: spec(1421, 'HY000', 404, 'The statement ({id}) has no open cursor.'),
  // Forwarding
  LOCATION_UNAVAILABLE: spec(4012, 'HY000', 503, 'Get Location Cache Fail: {detail}'),
  NO_SERVER_CONNECTION: spec(
    10013,
    'HY000',
    503,
    "Fail to build connection to observer: no server of cluster '{cluster}' answers ({detail})",
  ),
  SERVER_CLOSED: spec(
    10014,
    'HY000',
    502,
    'An unexpected connection event received while proxy reading response: {detail}',
  ),
  SERVER_TIMEOUT: spec(10015, 'HY000', 504, 'An timeout event received while obproxy reading response: {detail}'),
  TARGET_NOT_ALLOWED: spec(
    4179,
    'HY000',
    409,
    'Not allow to route to target db server in the hint or configure: {detail}',
  ),
  NO_LAST_SERVER: spec(4637, 'HY000', 409, 'last session is invalid'),
  BAD_ROUTE_REQUEST: spec(1235, '0A000', 501, 'Not supported, bad route request: {detail}'),
  SETTING_NOT_ALLOWED: spec(4179, 'HY000', 403, '{setting} is not allowed'),
  CANNOT_RETRY: spec(10019, 'HY000', 502, 'OBProxy cannot retry this request: {detail}'),
  INTERNAL: spec(10001, 'HY000', 500, 'An internal error occured in obproxy: {detail}'),
  MEMORY_LIMIT: spec(4080, 'HY013', 507, 'exceed memory limit: {detail}'),
  SHUTTING_DOWN: spec(1152, '08S01', 503, 'This session will be disconnected: {detail}'),
  // Kill
  CLIENT_READ_TIMEOUT: spec(1159, '08S01', 408, 'Got timeout reading communication packets: {detail}'),
  UNKNOWN_THREAD: spec(1094, 'HY000', 404, 'Unknown thread id: {id}'),
  NOT_THREAD_OWNER: spec(1095, 'HY000', 403, 'You are not owner of thread {id}'),
  QUERY_INTERRUPTED: spec(1317, '70100', 499, 'Query execution was interrupted'),
  // Internal commands and configuration
  BAD_INTERNAL_COMMAND: spec(5010, '21000', 400, 'Unknown operator, bad internal cmd: {detail}'),
  EMPTY_QUERY: spec(1065, '42000', 400, 'Query was empty'),
  UNKNOWN_SYSTEM_VARIABLE: spec(1193, 'HY000', 404, "Unknown system variable '{name}'"),
  UNKNOWN_PARAMETER: spec(5099, '42000', 404, "System config unknown: '{name}'"),
  INVALID_PARAMETER: spec(4147, 'HY000', 400, "Invalid config: {name} = '{value}': {detail}"),
  INVALID_ARGUMENT: spec(1210, 'HY000', 400, 'Invalid argument: {detail}'),
  PARAMETER_NOT_ALTERABLE: spec(1235, '0A000', 403, 'Not supported feature or function: {name} {detail}'),
  PROXY_ID_TOO_LARGE: spec(
    10025,
    'HY000',
    400,
    'When reset client_session_id_version to v1, proxy_id must be set to less than 255',
  ),
  TLS_FILE_UNUSABLE: spec(10904, 'HY000', 400, 'Invalid config: ssl_key_info: {file} {detail}'),
  STALE_REVISION: spec(
    10901,
    'HY000',
    409,
    "{name} was changed to '{current}' by {by} at {at}; your page showed revision {given}, it is now {revision}",
  ),
  FOUR_EYES_NEEDED: spec(10960, '42000', 403, '{names}: a second person is needed (four_eyes_parameters). {way}'),
  PROPOSAL_CLOSED: spec(10961, 'HY000', 409, 'Proposal {id} is not open any more: {state} by {by} at {at}'),
  PROPOSAL_STALE: spec(
    10962,
    'HY000',
    409,
    'Proposal {id} cannot be approved: {names} changed after it was made. Propose it anew',
  ),
  PROPOSAL_PERSON: spec(10963, '42000', 403, 'Proposal {id} is by {proposer}: {detail}'),
  TOO_MANY_PROPOSALS: spec(
    10964,
    'HY000',
    409,
    '{count} proposals are waiting already: have some of them decided first',
  ),
  UPGRADE_RUNNING: spec(
    10905,
    'HY000',
    409,
    '{kind} {number}, which {by} began at {at}, is in phase {phase}: commit it or roll it back before another one begins',
  ),
  UPGRADE_NOT_POSSIBLE: spec(10906, 'HY000', 409, 'This cannot be done now: {detail}'),
  NO_DEMO: spec(
    10907,
    'HY000',
    404,
    'There is no demo lab here: the proxy does not run with its embedded demo cluster',
  ),
  DEMO_FAILED: spec(10908, 'HY000', 503, 'The demo cluster did not do it: {detail}'),
  DUPLICATE_ROW: spec(1062, '23000', 409, 'Duplicate entry: {detail} has a value already'),
  UNKNOWN_COLUMN: spec(1054, '42S22', 400, "Unknown column '{name}': {table} has {columns}"),
  STORE_FAILED: spec(10902, 'HY000', 503, 'The change was not made: it could not be stored ({detail})'),
  // Cluster metadata (internal account)
  METADATA_LOGIN_REFUSED: spec(
    10920,
    'HY000',
    502,
    "OBServer {server} refuses the proxy's internal account '{user}' ({detail}). Create it in the sys tenant: CREATE USER proxyro IDENTIFIED BY '<password>'; GRANT SELECT ON oceanbase.* TO proxyro; and tell the proxy the same password: ALTER PROXYCONFIG SET observer_sys_password = '<password>'",
  ),
  METADATA_FORBIDDEN: spec(
    10921,
    'HY000',
    502,
    "The proxy's internal account '{user}' may not read the metadata of OBServer {server} ({detail}). In the sys tenant: GRANT SELECT ON oceanbase.* TO proxyro",
  ),
  METADATA_QUERY_FAILED: spec(10922, 'HY000', 502, 'OBServer {server} cannot answer a metadata query: {detail}'),
  METADATA_TIMEOUT: spec(10923, 'HY000', 504, 'OBServer {server} did not {what} within {timeoutMs} ms'),
  CLUSTER_VIEW_INVALID: spec(10924, 'HY000', 502, 'OBServer {server} gave an unusable cluster view: {detail}'),
  STORE_UNUSABLE: spec(10903, 'HY000', 503, 'The database {file} cannot be used: {detail}'),
  // ConfigServer
  CONFIG_SERVER_FAILED: spec(10925, 'HY000', 502, 'The ConfigServer cannot be read at {url}: {detail}'),
  CONFIG_SERVER_ANSWER: spec(10926, 'HY000', 502, "The ConfigServer's answer at {url} is not usable: {detail}"),
  CONFIG_SERVER_COPY: spec(
    10927,
    'HY000',
    500,
    "The kept copy of the ConfigServer's answers {file} is not usable: {detail}",
  ),
  // Console
  NOT_LOGGED_IN: spec(10910, '28000', 401, 'Log in first'),
  FORBIDDEN: spec(10911, '42000', 403, 'Your role may not do this: it needs {permission}'),
  BAD_REQUEST: spec(10912, 'HY000', 400, 'Bad request: {detail}'),
  NOT_FOUND: spec(10913, 'HY000', 404, 'Not found: {detail}'),
  TOO_MANY_ATTEMPTS: spec(10914, 'HY000', 429, 'Too many failed log-ins; try again in {seconds} s'),
  BAD_ORIGIN: spec(10915, 'HY000', 403, 'The request came from another site ({origin})'),
  LOGIN_FAILED: spec(10916, '28000', 401, 'Wrong name or password'),
  PASSWORD_CHANGE_REQUIRED: spec(
    10917,
    '28000',
    403,
    'Set a password of your own first: this one was for the first log-in only',
  ),
  TOKEN_REFUSED: spec(10940, '28000', 401, 'This API token does not work: {detail}'),
  NOT_BY_TOKEN: spec(10941, '42000', 403, 'An API token may not do this: sign in to the console for it'),
  TOO_MUCH_TO_REPLAY: spec(
    10918,
    'HY000',
    413,
    'Replaying {failures} failures takes more than {seconds} s; choose fewer hours',
  ),
  USER_EXISTS: spec(10950, 'HY000', 409, 'There is a user {name} already'),
  USER_CHANGED: spec(10951, 'HY000', 409, '{name} was changed by somebody else in the meantime: look again'),
  USER_NOT_CHANGED: spec(10952, 'HY000', 409, '{name} stays as it is: {detail}'),
  // Start
  KERNEL_UNAVAILABLE: spec(10930, 'HY000', 503, 'The genuine OceanBase kernel cannot be started: {detail}'),
} as const satisfies Record<string, ErrorSpec>;

/** Stable name of an error; never used again for another. */
export type ErrorCode = keyof typeof errorTable;
