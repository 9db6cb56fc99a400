import type { OdpError } from '../errors/odp-error.ts';

/** A statement that the proxy answers itself, read. `like` null: no pattern was given. Ids are connection ids (`cs_id`). */
export type InternalCommand =
  | { readonly type: 'show-proxyconfig'; readonly scope: ProxyConfigScope; readonly like: string | null }
  | { readonly type: 'alter-proxyconfig'; readonly name: string; readonly value: string }
  | { readonly type: 'ping-proxy' }
  | { readonly type: 'select-proxy-version'; readonly column: string }
  | { readonly type: 'show-processlist' }
  | { readonly type: 'show-proxysession' }
  /** `id` null: the caller's own session. */
  | { readonly type: 'show-proxysession-attribute'; readonly id: number | null; readonly like: string | null }
  | {
      readonly type: 'show-proxysession-variables';
      /** Also the system variables that have not been changed. */
      readonly all: boolean;
      readonly id: number | null;
      readonly like: string | null;
    }
  | { readonly type: 'show-proxysession-stat'; readonly id: number | null; readonly like: string | null }
  | { readonly type: 'show-proxysession-read-stale'; readonly id: number | null; readonly like: string | null }
  | { readonly type: 'show-proxycluster'; readonly like: string | null }
  | { readonly type: 'show-proxycluster-idc'; readonly like: string | null }
  | { readonly type: 'show-proxyresource'; readonly like: string | null }
  | { readonly type: 'delete-proxyresource'; readonly cluster: string }
  | { readonly type: 'show-proxyinfo-binary' }
  | { readonly type: 'show-proxyinfo-upgrade' }
  | { readonly type: 'show-proxyinfo-idc' }
  | { readonly type: 'show-proxyinfo-configserver' }
  /** `all`: those on no list as well. `cluster` null: every cluster. */
  | { readonly type: 'show-proxycongestion'; readonly all: boolean; readonly cluster: string | null }
  | { readonly type: 'show-proxyroute'; readonly like: string | null }
  | { readonly type: 'show-proxyroute-partition' }
  | { readonly type: 'show-proxyroute-globalindex' }
  | { readonly type: 'show-proxyroute-routine'; readonly like: string | null }
  | { readonly type: 'show-proxycongestion-history'; readonly cluster: string | null; readonly limit: number }
  /** The statement to explain, as written. */
  | { readonly type: 'explain-route'; readonly sql: string }
  /** `id` null: the caller's own session. */
  | { readonly type: 'kill-connection'; readonly id: number | null }
  | { readonly type: 'kill-query'; readonly id: number | null }
  /** `serverSessionId` null: the whole client session. */
  | { readonly type: 'kill-proxysession'; readonly id: number; readonly serverSessionId: number | null }
  /** The head is an internal command's, the rest is not right or not supported. */
  | { readonly type: 'invalid'; readonly head: CommandHead; readonly error: OdpError };

/** Which parameters SHOW PROXYCONFIG shows: all, or those that differ from their default, and the columns of `ALL`. */
export type ProxyConfigScope = 'plain' | 'all' | 'diff' | 'diff-user';

/** First words of the internal commands (reference: odp-show-commands §1). */
export const commandHeads = [
  'SHOW PROXYCONFIG',
  'ALTER PROXYCONFIG',
  'PING PROXY',
  'SELECT PROXY_VERSION',
  'SHOW PROCESSLIST',
  'SHOW PROXYSESSION',
  'SHOW PROXYCLUSTER',
  'SHOW PROXYRESOURCE',
  'ALTER PROXYRESOURCE',
  'SHOW PROXYINFO',
  'SHOW PROXYCONGESTION',
  'SHOW PROXYROUTE',
  'KILL',
  'KILL PROXYSESSION',
  'EXPLAIN ROUTE',
  // Known, not built yet: a clear answer instead of the server's syntax error.
  'SHOW PROXYVIP',
  'SHOW PROXYSTAT',
  'SHOW PROXYMEMORY',
  'SHOW PROXYNET',
  'SHOW PROXYSM',
  'SHOW PROXYTRACE',
  'SHOW GLOBALSESSION',
  'SHOW WARNLOG',
  'SHOW SQLAUDIT',
  'KILL GLOBALSESSION',
] as const;
/** The words an internal command begins with. */
export type CommandHead = (typeof commandHeads)[number];
