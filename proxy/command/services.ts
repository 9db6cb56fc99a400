/** What the command room needs of the process around it, and the shapes in which it gets it. */

import type { ConfigServerStatus, ConfiguredCluster } from '../cluster/cluster-directory.ts';
import type { ClusterTopology } from '../cluster/topology.ts';
import type { VariableFlags } from '../cluster/variable-flags.ts';
import type { ParameterName } from '../config/parameter-table.ts';
import type { BlocklistRow } from '../congestion/server-details.ts';
import type { StoredTransition } from '../history/blocklist-row.ts';
import type { LocationFilter, LocationView } from '../routing/location/location-view.ts';
import type { RoutineView } from '../routing/location/routine-view.ts';
import type { StaleReplica } from '../routing/stale-replicas.ts';
import type { RouteExplanation } from '../session/explain-route.ts';
import type { Identity } from '../session/identity.ts';
import type { SessionCounters } from '../session/session-counters.ts';
import type { UpgradeView } from '../upgrade/view.ts';
import type { ConfigRow } from './config-table/config-row.ts';
import type { TableChange } from './config-table/table-statement.ts';
import type { TableName, TableRow } from './config-table/tables.ts';

/** Who sent the statement. */
export interface Caller {
  readonly identity: Identity;
  /** Connection id of the caller's session (`cs_id`). */
  readonly sessionId: number;
  readonly cluster: string;
  readonly tenant: string;
  /** Without the tenant. */
  readonly user: string;
  /** Address of the client, without the port. */
  readonly host: string;
  /** Privileges that the server has reported for the user. */
  readonly hasSuper: boolean;
  readonly hasProcess: boolean;
  /** Its servers know the ids of all proxies' client sessions (`client_session_id_version` 2). */
  readonly sharesIds: boolean;
}

/** A KILL over SQL and what came of it. */
export interface KillAttempt {
  readonly caller: Caller;
  /** `connection of session 7: app@t1 from 10.0.0.9:40112`. */
  readonly what: string;
  /** For whose sessions: `tenant=t1 cluster=c1`; empty: there is no such session. */
  readonly scope: string;
  readonly result: 'killed' | 'sent on to a server' | null;
  /** Code and text of the error it was answered with; empty: there was none. */
  readonly failure: string;
}

/** The value of a parameter, as SHOW PROXYCONFIG shows it. */
export interface ParameterTexts {
  readonly name: ParameterName;
  /** In force. */
  readonly text: string;
  /** Kept: differs from `text` while a change waits for a restart. */
  readonly storedText: string;
}

/** A client session as SHOW PROCESSLIST and SHOW PROXYSESSION list it. */
export interface SessionSummary {
  /** Connection id (`cs_id`). */
  readonly id: number;
  /** Unsigned 64 bits in decimal; `0` for sessions of the proxysys tenant. */
  readonly proxySessionId: string;
  readonly cluster: string;
  readonly tenant: string;
  readonly user: string;
  readonly clientHost: string;
  readonly clientPort: number;
  readonly database: string | null;
  /** Transactions that are over; a request that was part of none is one by itself. */
  readonly transactionCount: number;
  readonly serverSessionCount: number;
  readonly state: 'MCS_INIT' | 'MCS_ACTIVE_READER' | 'MCS_KEEP_ALIVE' | 'MCS_HALF_CLOSED' | 'MCS_CLOSED';
  readonly threadId: number;
  readonly processId: number;
  readonly usesTls: boolean;
}

/** Version counters of the synchronised state (C11). */
export interface StateVersions {
  readonly hotSystemVariables: number;
  readonly systemVariables: number;
  readonly userVariables: number;
  readonly lastInsertId: number;
  readonly database: number;
}

/** What proxy and server have agreed on at log-in, as far as SHOW PROXYSESSION ATTRIBUTE tells it. */
interface ServerFeatures {
  /** Compressed protocol with a checksum. */
  readonly checksum: boolean;
  readonly checksumSwitch: boolean;
  readonly safeWeakRead: boolean;
  /** An OK packet of its own behind results, with what has changed. */
  readonly extraOk: boolean;
}

/** A server session as SHOW PROXYSESSION ATTRIBUTE lists it. */
export interface ServerSessionDetail {
  readonly host: string;
  readonly port: number;
  /** The proxy's number for it (`ss_id`). */
  readonly id: number;
  /** The OBServer's connection id. */
  readonly serverSessionId: number;
  /** Busy with a request; tied to a transaction, or idle. Names of the reference. */
  readonly state: 'MSS_ACTIVE' | 'MSS_KA_CLIENT_SLAVE' | 'MSS_KA_SHARED';
  /** Requests that it was sent. */
  readonly requestCount: number;
  /** A request is with it. */
  readonly isBusy: boolean;
  /** Features that both sides have (reference protocol page §1.4). */
  readonly features: ServerFeatures;
  readonly versions: StateVersions;
  /** `current`: in use by the request or transaction that is running; `last`: used by the one before. */
  readonly use: 'current' | 'last' | 'pool';
  readonly holdsLastInsertId: boolean;
}

/** A variable as SHOW PROXYSESSION VARIABLES lists it. */
export interface SessionVariable {
  readonly name: string;
  /** As a SQL literal for system variables, plain for user variables. */
  readonly value: string;
  readonly kind: 'changed-system' | 'system' | 'user';
  readonly group: 'hot' | 'cold' | 'last-insert-id';
}

/** Numbers that a session keeps of what it has done. */
export type CounterName = {
  [Name in keyof SessionCounters]: SessionCounters[Name] extends number ? Name : never;
}[keyof SessionCounters];

/** A client session with its server sessions and variables. */
export interface SessionDetail extends SessionSummary {
  /** `@proxy_idc_name`, else the parameter of that name. */
  readonly idcName: string;
  /** Unix time of its last request's beginning or end, milliseconds with a fraction; null: it has had none. */
  readonly usedAtMs: number | null;
  readonly counters: Readonly<Record<CounterName, number>>;
  readonly versions: StateVersions;
  readonly serverSessions: readonly ServerSessionDetail[];
  readonly variables: readonly SessionVariable[];
}

/** A cluster as SHOW PROXYCLUSTER, PROXYRESOURCE and PROXYINFO IDC list it. */
export interface ClusterDetail {
  readonly configured: ConfiguredCluster;
  /** Null: nobody has asked for it, so that it isn't served. */
  readonly topology: ClusterTopology | null;
  /** Wall-clock milliseconds; null as well. */
  readonly servedSinceMs: number | null;
  readonly lastUsedAtMs: number | null;
}

/** A server's row of SHOW PROXYCONGESTION (B24). */
export interface CongestionRow extends BlocklistRow {
  readonly clusterName: string;
  /** `cr_version`: how often what is known of the cluster has changed. */
  readonly clusterVersion: number;
}

/** What the process was started from. */
export interface BuildInfo {
  /** Of the tree, 32 hex digits. */
  readonly md5: string;
  /** Commit; empty: not known. */
  readonly revision: string;
  /** ISO 8601. */
  readonly builtAt: string;
}

/** Which listings and releases are wanted; `cluster` null: of every cluster. */
export interface CongestionHistoryQuery {
  readonly cluster: string | null;
  /** Rows at most. */
  readonly limit: number;
}

/**
 * Supplied by the worker. Lists cover all workers of the process. Whatever rejects with an OdpError is answered with it.
 */
export interface CommandServices {
  /** Package version, as PROXY_VERSION() tells it. */
  readonly proxyVersion: string;
  /** How it has its connections, and why not by raw handles if it has not. */
  readonly sockets: string;
  /** `mysql_version`: what clients take the server's version for. */
  readonly mysqlVersion: string;
  /** `proxy_idc_name`. */
  readonly idcName: string;
  /** `internal_cmd_mem_limited`, bytes; 0: no limit. */
  readonly answerLimitBytes: number;
  /** False once the process takes no new sessions (hot upgrade): PING PROXY then drops the connection. */
  readonly acceptsSessions: boolean;
  parameters(): Promise<readonly ParameterTexts[]>;
  /** The rows of the table `proxy_config`. */
  configRows(): Promise<readonly ConfigRow[]>;
  /** The rows of any table. */
  tableRows(table: TableName): Promise<readonly TableRow[]>;
  /** Changes all rows meant or none. @returns how many; resolves when that is stored and in force in every worker. */
  changeTable(change: TableChange, caller: Caller): Promise<number>;
  /** Resolves when the value is stored and in force in every worker. */
  alterParameter(name: string, value: string, caller: Caller): Promise<void>;
  sessions(): Promise<readonly SessionSummary[]>;
  session(id: number): Promise<SessionDetail | null>;
  /**
   * Id of the client session that has the server session with a server's own connection id; null: there is none.
   * @param cluster null: of any
   */
  sessionAtServer(connectionId: number, cluster: string | null): Promise<number | null>;
  /** Closes a client session and its server sessions (C19); false when it is gone. */
  killSession(id: number): Promise<boolean>;
  /** Closes one server session of a client session; false when there is no such one. */
  killServerSession(id: number, serverSessionId: number): Promise<boolean>;
  /** Makes the OBServer interrupt what a client session is running; false when the session is gone. */
  killQuery(id: number): Promise<boolean>;
  /** Writes a KILL of another session into the history, or into the log when that cannot be. */
  noteKill(attempt: KillAttempt): Promise<void>;
  /**
   * The route of a statement, were the caller's session to send it now. Null: a session without a cluster, or one that
   * is gone.
   */
  explainRoute(sessionId: number, sql: string): Promise<RouteExplanation | null>;
  /** Of the system variables of the session's cluster; null: it does not tell. */
  variableFlags(sessionId: number): Promise<VariableFlags | null>;
  /** Replicas that were too old for weak reads of the session's tenant, as far as the session's worker has met them. */
  staleReplicas(sessionId: number): Promise<readonly StaleReplica[]>;
  /** Every configured cluster. */
  clusters(): Promise<readonly ClusterDetail[]>;
  /** Null: the proxy runs without one. */
  configServer(): Promise<ConfigServerStatus | null>;
  /** Serves a cluster no more until it is asked for again. Rejects with CLUSTER_NOT_EXIST when it isn't served. */
  deleteCluster(key: string, caller: Caller): Promise<void>;
  /** Every server of every cluster, listed or not; cluster by cluster. */
  congestion(): Promise<readonly CongestionRow[]>;
  /** Cached locations of all workers, one view each, in the order of their names. @param limit of each worker */
  locations(filter: LocationFilter, limit: number): Promise<readonly LocationView[]>;
  /** Cached procedures of all workers, one view each, in the order of their names. @param limit of each worker */
  routines(like: string | null, limit: number): Promise<readonly RoutineView[]>;
  build(): Promise<BuildInfo>;
  upgrade(): Promise<UpgradeView>;
  /** Newest first. */
  congestionHistory(query: CongestionHistoryQuery): Promise<readonly StoredTransition[]>;
}
