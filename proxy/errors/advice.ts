import type { ErrorCode } from './table.ts';

/** For operators: what each error means and what to do about it. docs/errors.md is made from this and the table. */
export const errorAdvice: Readonly<Record<ErrorCode, string>> = {
  ACCESS_DENIED:
    'Wrong user, tenant or password, or an account that may not log in from that address. For `user@tenant#cluster` the OBServer has said so; for `…@proxysys` the proxy itself. Check the account in its tenant; the proxy keeps no passwords of users.',
  BAD_HANDSHAKE:
    'The client does not speak the MySQL protocol of version 4.1 or later, or broke off its log-in. Usually a health check or a scanner; a check should only connect and close.',
  CLUSTER_NOT_EXIST:
    'The name after `#` is not a cluster that this proxy serves; `SHOW PROXYCLUSTER` lists those it knows. Correct the user name, enter the cluster at the ConfigServer, or start the proxy with `-r` and `-c` for that cluster.',
  TLS_REQUIRED:
    'The operator lets clients in with TLS only. Switch TLS on in the client (`--ssl-mode=REQUIRED`, `--ssl`, `sslMode=REQUIRED`), or take ENABLE_FORCE out of `ssl_attributes`.',
  CLUSTERS_NOT_KNOWN:
    'The ConfigServer has not told any clusters since the start, and no earlier answer of it is kept. The text says why; see CONFIG_SERVER_FAILED and CONFIG_SERVER_ANSWER. The proxy goes on asking.',
  AUTH_METHOD_NOT_SUPPORTED:
    'The account uses another method than mysql_native_password. Such a log-in is relayed, but its answer cannot be used again, so that only the server that let the client in can be reached. Give the account mysql_native_password, or use TLS on both sides.',
  TOO_MANY_SESSIONS:
    'As many clients are connected as `client_max_connections` allows. Raise it, look for an application that leaks connections, or let idle ones make room (`enable_client_connection_lru_disconnect`).',
  NOT_IN_WHITE_LIST:
    "The tenant has a white list (`client_white_list`, or its row in `white_list`), and the client's address is not in it. Behind a load balancer the address is the load balancer's unless `proxy_protocol_networks` names it.",
  TOO_MANY_CONNECTIONS:
    'The tenant has as many client sessions at this proxy as `resource_max_connections` (or its row in `resource_unit`) allows. Raise it for the tenant, or look for an application that leaks connections.',
  UNKNOWN_COMMAND:
    'The client sent a protocol command that the proxy does not know. Name the client and its version in a bug report.',
  MALFORMED_PACKET:
    'Bytes that are no valid packet arrived, from the client or from an OBServer. The connection is closed, for its state is unknown. Look for something on the way that is not a plain TCP path.',
  PACKET_CHECKSUM:
    "A frame of OceanBase's protocol 2.0 arrived changed (OB_PACKET_CHECKSUM_ERROR). Look for a faulty network card, memory or device between proxy and OBServer. A plain read is repeated on another server by itself.",
  NOT_SUPPORTED: 'The statement or protocol feature is valid, but this version does not do it. The text says which.',
  UNSUPPORTED_IN_PREPARED:
    'Internal commands of the proxy work as plain statements only. Send this one without preparing it.',
  UNKNOWN_STATEMENT:
    'The client used the id of a prepared statement that it has closed or never had: a fault of the client or its pool.',
  EMPTY_QUERY: 'The client sent a statement with nothing but blanks and comments.',
  UNKNOWN_SYSTEM_VARIABLE:
    'As `…@proxysys` only the few variables that clients ask for at log-in are answered. Log in to a tenant for the others.',
  CURSOR_NOT_OPEN: 'The client fetched from a prepared statement that has no open cursor: a fault of the client.',
  LOCATION_UNAVAILABLE:
    "No server could tell where the table is; the text has each server's failure. See METADATA_LOGIN_REFUSED and METADATA_FORBIDDEN, and whether the servers answer.",
  NO_SERVER_CONNECTION:
    "No OBServer that may serve this could be connected to; the text has each one's failure. Check the network between proxy and servers, and on the console which servers are up.",
  SERVER_CLOSED:
    'The OBServer closed the connection while its answer was awaited. A transaction that was open has ended; whether its last statement took effect is unknown. Begin it again.',
  SERVER_TIMEOUT:
    "The OBServer did not answer within `ob_query_timeout` plus `observer_query_timeout_delta`. A transaction that was open has ended. Look at the statement and at the server's load.",
  TARGET_NOT_ALLOWED:
    'The statement is kept to servers by `target_db_server` (a comment before it, or the parameter) or `@obproxy_route_addr`, and none of them may take it: none is a server of the cluster, none answers, or the statement belongs to an open transaction or to the statement before it on another server. The text says which.',
  NO_LAST_SERVER: 'No statement of this session has been sent to a server that is still connected. Send one first.',
  BAD_ROUTE_REQUEST:
    'With `enable_bad_route_reject` the first statement of a transaction begun with BEGIN must name a table, since its place decides the server. The transaction has not begun. Name a table first, or turn the parameter off.',
  SETTING_NOT_ALLOWED:
    'The proxy is set to serve this session read-only (`obproxy_read_only` 0) or with weak reads (`obproxy_read_consistency` 1), so that the session may not choose otherwise. Connect through a proxy that allows it.',
  CANNOT_RETRY:
    'The request could not be sent to another server any more, because part of it was already on its way. Send it again.',
  INTERNAL: 'A fault in the proxy. The log has the details under the same time; please report it.',
  MEMORY_LIMIT: 'An answer or buffer would have passed a memory limit; the text says which parameter sets it.',
  SHUTTING_DOWN: 'The proxy is ending, or that part of it. Connect again; a restarted or another proxy will answer.',
  UNKNOWN_THREAD: 'There is no session with that id. `SHOW PROCESSLIST` lists the present ones.',
  NOT_THREAD_OWNER: 'Only the same user, or root of the sys tenant, may end that session.',
  CLIENT_READ_TIMEOUT:
    'The client began a request or a file and then sent nothing for `net_read_timeout`. Look at its network, or set the variable higher.',
  QUERY_INTERRUPTED: 'Somebody ended this statement with KILL QUERY.',
  BAD_INTERNAL_COMMAND:
    'A command to the proxy itself is misspelt or has an option that it does not take. The text says what was read. MariaDB’s client shows it as 2027 (malformed packet): it takes the number for one of its own.',
  UNKNOWN_PARAMETER: "There is no such parameter. `SHOW PROXYCONFIG LIKE '%part%'` finds the right name.",
  INVALID_PARAMETER:
    "The value does not fit the parameter's type, unit or range; nothing was changed. The text says what does.",
  DUPLICATE_ROW: 'INSERT makes new rows only. Use REPLACE to change the value that is there.',
  UNKNOWN_COLUMN: 'The text names the columns that there are. Values that are texts need quotes.',
  INVALID_ARGUMENT: 'A value given to a command or start option cannot be used. The text says which and why.',
  PARAMETER_NOT_ALTERABLE: 'That parameter is fixed while the proxy runs: give it as a start option.',
  PROXY_ID_TOO_LARGE:
    'Session ids of layout 1 have room for a `proxy_id` up to 255. Lower `proxy_id` or stay with layout 2.',
  TLS_FILE_UNUSABLE:
    'The file named in `ssl_key_info` is missing, not readable by the proxy, no PEM, or does not fit the others. Nothing was changed: connections go on with the certificate that was good.',
  STALE_REVISION:
    'Somebody else changed the parameter after your page was loaded. Nothing was changed; look at the new value and decide again.',
  FOUR_EYES_NEEDED:
    'The parameter is named by `four_eyes_parameters`, and nobody changes it alone: not over SQL either. Change it on the console, which makes a proposal of it, and have somebody else approve that. In an emergency a start option (`-o name=value`) sets it; the history says so.',
  PROPOSAL_CLOSED:
    'Somebody else has decided it a moment before, it was withdrawn, or nobody decided it within 24 hours. The text says which.',
  PROPOSAL_STALE:
    'The parameter has another value than the one that the proposal was made on, so that nobody has agreed to what it would do now. Refuse or withdraw it, and propose the change anew.',
  PROPOSAL_PERSON:
    'Nobody approves or refuses what they proposed themselves, and nobody but the proposer withdraws it.',
  TOO_MANY_PROPOSALS: 'At most 100 proposals wait at a time. Have the old ones approved, refused or withdrawn.',
  UPGRADE_RUNNING:
    'One upgrade or restart at a time. `SHOW PROXYINFO UPGRADE` says how far it is; it commits by itself after its watch period unless it was begun with `--hold`.',
  UPGRADE_NOT_POSSIBLE:
    'The order does not fit what is going on; the text says why. `SHOW PROXYINFO UPGRADE` shows the present state.',
  NO_DEMO:
    'Faults can be injected, and a sample load be run, only where the proxy was started without a cluster of its own (or with `--demo`). Nothing of the kind is possible with real servers.',
  DEMO_FAILED:
    'The process of the demo cluster does not answer, or not as expected; the text says what happened. When it has died it is started again by itself, without any fault.',
  STORE_FAILED:
    'The change could not be written to the database, so it is not in force either. Check space and rights of the folder `ODP_HOME`.',
  CONFIG_SERVER_FAILED:
    'The URL could not be read: refused, too slow (`short_async_task_timeout`) or an HTTP error. What the ConfigServer told before stays in force. Try the URL with curl from the same machine.',
  CONFIG_SERVER_ANSWER:
    'An answer came that is no valid document; the text says which field. What was told before stays in force. Correct it at the ConfigServer.',
  CONFIG_SERVER_COPY:
    'The file is broken or of another version of this product. It is written again with the next good answer; until then it counts as not there.',
  STORE_UNUSABLE:
    'The database file is damaged, of a newer version, or not readable. Restore a back-up (docs/operations.md), or start the version that wrote it.',
  METADATA_LOGIN_REFUSED:
    "The proxy's own account cannot log in to the cluster, so it learns neither servers nor locations. Create the account or tell the proxy its password, as the text shows; a change works at once. This never puts a server on a blocklist.",
  METADATA_FORBIDDEN:
    "The proxy's own account logs in but may not read the internal tables. Give it the right that the text names.",
  METADATA_QUERY_FAILED:
    'One OBServer could not be asked for metadata; another one is asked then. Lasting failures show on the console.',
  METADATA_TIMEOUT:
    'One OBServer did not answer a metadata query in time; another one is asked then. Look at its load and at the network.',
  CLUSTER_VIEW_INVALID:
    'A server answered, but its list of servers or zones is empty or unusable. The list known before stays in force.',
  NOT_LOGGED_IN: 'The console session has ended or never began. Log in.',
  FORBIDDEN: 'Your console role lacks that permission. An administrator can give you another role.',
  BAD_REQUEST: 'The control API was called with something that it does not take; the answer names the field.',
  NOT_FOUND: 'There is no such page or object.',
  TOO_MANY_ATTEMPTS: 'Too many wrong passwords in a row. Wait as long as the text says.',
  BAD_ORIGIN:
    'A page of another site tried to use your console session. Open the console under the address it was started for.',
  LOGIN_FAILED:
    'Console user or password is wrong, or the account takes no password now: it is disabled, or locked for 15 minutes after 10 wrong ones. It is not said which. An administrator sees it on the Users page, and can unlock; `--reset-admin` lets `admin` in again.',
  PASSWORD_CHANGE_REQUIRED: 'The one-time password has done its work: choose your own before anything else.',
  TOKEN_REFUSED:
    'The API was called with a token that is unknown, revoked or expired, or whose owner is disabled. Make a new one on the page API tokens of the console.',
  NOT_BY_TOKEN:
    "Making tokens and what belongs to a person's own log-in needs the person: a script whose token is stolen must not be able to make more of them.",
  USER_EXISTS:
    'Names are given once and for all, so that the history stays clear. Take another one, or enable the user that is there.',
  USER_CHANGED:
    'Two administrators had the same user before them, and the other one was faster. The page shows how the user is now; decide again.',
  USER_NOT_CHANGED:
    'Nobody lowers, disables or resets themselves, an enabled administrator always remains, and a change must change something. The text says which it was. Your own password is changed on its own page.',
  TOO_MUCH_TO_REPLAY:
    'So many failures are recorded that trying other parameters on them takes too long. Choose fewer hours.',
  KERNEL_UNAVAILABLE:
    '`--demo kernel` needs Python 3.11 to 3.14 with venv, and room for the kernel. The text says what is missing.',
};
