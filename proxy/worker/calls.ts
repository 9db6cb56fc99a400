/** What worker threads and the coordinator ask of each other. */
import type { ConfigServerStatus } from '../cluster/cluster-directory.ts';
import type { ClusterTopology } from '../cluster/topology.ts';
import type { VariableFlags } from '../cluster/variable-flags.ts';
import type { ConfigRow } from '../command/config-table/config-row.ts';
import type { TableChange } from '../command/config-table/table-statement.ts';
import type { TableName, TableRow } from '../command/config-table/tables.ts';
import type {
  BuildInfo,
  Caller,
  ClusterDetail,
  CongestionHistoryQuery,
  CongestionRow,
  KillAttempt,
  ParameterTexts,
  SessionDetail,
  SessionSummary,
} from '../command/services.ts';
import type { ConfigOverride } from '../config/config-level.ts';
import type { FailureEvent, ServerVerdict } from '../congestion/types.ts';
import type { SessionDetail as ConsoleSessionDetail, Session } from '../control/contract.ts';
import type { ExplainAnswer } from '../control/routing-service.ts';
import type { SessionKeys, SessionPick } from '../control/session-page.ts';
import type { StoredTransition } from '../history/blocklist-row.ts';
import type { LocationCounters } from '../routing/location/location-cache.ts';
import type { LocationPage, LocationPageQuery } from '../routing/location/location-page.ts';
import type { LocationFilter, LocationKey, LocationView } from '../routing/location/location-view.ts';
import type { RoutineView } from '../routing/location/routine-view.ts';
import type { StaleReplica } from '../routing/stale-replicas.ts';
import type { UpgradeView } from '../upgrade/view.ts';
import type { ExplainCall } from './explain-call.ts';
import type { WorkerHandOver } from './session-mover.ts';

/** Everything a worker is started with. */
export interface WorkerStart {
  readonly index: number;
  /** Workers of the process: limits are shared out among them. */
  readonly workerCount: number;
  /** Upgrade bit of the generation's connection ids: the other one than that of the generation before. */
  readonly upgradeBit: 0 | 1;
  /** Connection ids that are in use now, at other workers and at other generations: this one gives none of them out. */
  readonly heldIds: readonly number[];
  /** Bound descriptor of the MySQL port; null: it takes no clients yet. */
  readonly listenFd: number | null;
  readonly proxyVersion: string;
  /** ODP_HOME. */
  readonly home: string;
  readonly texts: Readonly<Record<string, string>>;
  /** What counts for parts of the sessions. */
  readonly overrides: readonly ConfigOverride[];
  readonly clusters: readonly WorkerClusterStart[];
  /** Cluster of log-in names that give none; empty: there is none. */
  readonly defaultCluster: string;
  /** Counter of client connections over all workers: one Int32. */
  readonly connectionCount: SharedArrayBuffer;
  /** Memory of the TenantCounts over all workers. */
  readonly tenantCounts: SharedArrayBuffer;
}

/** What a worker is told of a cluster when it starts. */
export interface WorkerClusterStart {
  readonly topology: ClusterTopology;
  readonly verdicts: readonly ServerVerdict[];
}

/** What a worker has done; sent once a second when it changed. */
export interface WorkerReport {
  readonly clientSessions: number;
  readonly serverSessions: number;
  readonly requests: number;
  /** Requests that the proxy itself has answered with an error because it could not serve them. */
  readonly errors: number;
  /** By name of the cluster. */
  readonly clusters: Readonly<Record<string, ClusterReport>>;
  /** By cluster. */
  readonly locations: Readonly<Record<string, LocationCounters>>;
}

/** What a worker has to do with one cluster. */
export interface ClusterReport {
  readonly clientSessions: number;
  /** Log-ins that asked for it since the worker has known it. */
  readonly logins: number;
  /** By server address; every server that was ever used. */
  readonly servers: Readonly<Record<string, ServerReport>>;
}

/** What a worker has to do with one server. */
interface ServerReport {
  readonly serverSessions: number;
  readonly requests: number;
  /** Requests that have ended in an error there: its own, or that it could not be had. */
  readonly errors: number;
}

/** An ALTER PROXYCONFIG on its way to the coordinator. */
interface ParameterCall {
  readonly name: string;
  readonly value: string;
  readonly caller: Caller;
}

/** A KILL of one server session of a client's session. */
interface KillServerCall {
  readonly id: number;
  readonly serverSessionId: number;
}

/** Whose server session is wanted: by a server's own connection id. */
interface ServerIdCall {
  readonly connectionId: number;
  /** Null: of any cluster. */
  readonly cluster: string | null;
}

/** Which cached locations are wanted, and how many of each worker at most. */
interface LocationsCall {
  readonly filter: LocationFilter;
  readonly limit: number;
}

/** Which cached procedures are wanted, and how many of each worker at most. */
interface RoutinesCall {
  readonly like: string | null;
  readonly limit: number;
}

interface ServerOfCluster {
  readonly cluster: string;
  /** `ip:port`. */
  readonly address: string;
}

/** Answered by a worker. */
export type WorkerCalls = {
  /** No client is accepted from now on; those that the system has queued are left to whoever else listens. */
  stopAccepting: (none: null) => void;
  /** Accepts clients again; sessions end no more. @param listenFd a bound descriptor of its own, taken over as that of the start */
  acceptAgain: (call: { readonly listenFd: number }) => Promise<void>;
  applyConfig: (changes: readonly { readonly name: string; readonly text: string }[]) => Promise<void>;
  /** All that count for parts of the sessions from now on. */
  applyOverrides: (overrides: readonly ConfigOverride[]) => void;
  /** A cluster is served from now on. */
  addCluster: (cluster: WorkerClusterStart) => void;
  /** It is served no more: its sessions end. */
  removeCluster: (call: { readonly cluster: string; readonly reason: string }) => void;
  applyDefaultCluster: (name: string) => void;
  applyTopology: (topology: ClusterTopology) => void;
  applyVerdicts: (call: { readonly cluster: string; readonly verdicts: readonly ServerVerdict[] }) => void;
  closeServerSessions: (call: ServerOfCluster & { readonly reason: string }) => void;
  sessions: (none: null) => readonly SessionSummary[];
  session: (id: number) => SessionDetail | null;
  /** Of the system variables of the session's cluster; null: it does not tell. */
  variableFlags: (sessionId: number) => Promise<VariableFlags | null>;
  /** Of the session's tenant, as this worker has met them. */
  staleReplicas: (sessionId: number) => readonly StaleReplica[];
  holdsSession: (id: number) => boolean;
  /** Id of the client session; null: this worker has none. */
  sessionAtServer: (call: ServerIdCall) => number | null;
  /** Connection ids of all sessions, those that are still logging in too. */
  sessionIds: (none: null) => readonly number[];
  /** Takes sessions of another generation. Resolves when it listens there. @param path of a Unix socket, short */
  receiveSessions: (call: { readonly path: string }) => Promise<void>;
  /** A channel has come in at that path. @param fd its descriptor, the worker's from now on */
  takeChannel: (call: { readonly fd: number }) => Promise<void>;
  /** Moves the sessions to the workers that listen there, spread evenly, each as it comes to a stop. */
  handOver: (call: { readonly paths: readonly string[] }) => Promise<void>;
  /** Whoever is not gone stays. Resolves when no session is on the way any more. */
  stopHandOver: (none: null) => Promise<void>;
  handOverState: (none: null) => Promise<WorkerHandOver>;
  /** Ends what is left of the sessions with SHUTTING_DOWN. @param withinMs spread over that time; 0: at once */
  closeRest: (call: { readonly reason: string; readonly withinMs: number }) => Promise<void>;
  killSession: (id: number) => boolean;
  killServerSession: (call: KillServerCall) => boolean;
  killQuery: (id: number) => Promise<boolean>;
  /** The first of the sorted sessions of this worker. */
  sessionKeys: (pick: SessionPick) => SessionKeys;
  /** Those of the ids that this worker has. */
  consoleSessions: (call: { readonly ids: readonly number[]; readonly withLiterals: boolean }) => readonly Session[];
  consoleSession: (call: { readonly id: number; readonly withLiterals: boolean }) => ConsoleSessionDetail | null;
  locations: (call: LocationsCall) => readonly LocationView[];
  /** Procedures; see `routineView`. */
  routines: (call: RoutinesCall) => readonly RoutineView[];
  locationPage: (query: LocationPageQuery) => LocationPage;
  refreshLocation: (key: LocationKey) => Promise<LocationView | null>;
  explainRoute: (call: ExplainCall) => Promise<ExplainAnswer>;
  /** Tenants by cluster; null: the cluster does not tell, or nobody answers. */
  tenants: (none: null) => Promise<readonly (readonly [cluster: string, tenants: readonly string[] | null])[]>;
};

/** Answered by the coordinator. */
export type CoordinatorCalls = {
  started: (none: null) => void;
  report: (report: WorkerReport) => void;
  /** Listens for channels of another generation, which come as `takeChannel`: a thread cannot accept them itself. */
  listenForSessions: (call: { readonly path: string }) => void;
  parameters: (none: null) => readonly ParameterTexts[];
  configRows: (none: null) => readonly ConfigRow[];
  tableRows: (table: TableName) => readonly TableRow[];
  changeTable: (call: { readonly change: TableChange; readonly caller: Caller }) => Promise<number>;
  alterParameter: (call: ParameterCall) => Promise<void>;
  allSessions: (none: null) => Promise<readonly SessionSummary[]>;
  anySession: (id: number) => Promise<SessionDetail | null>;
  anyVariableFlags: (sessionId: number) => Promise<VariableFlags | null>;
  anyStaleReplicas: (sessionId: number) => Promise<readonly StaleReplica[]>;
  sessionAtAnyServer: (call: ServerIdCall) => Promise<number | null>;
  killAnySession: (id: number) => Promise<boolean>;
  killAnyServerSession: (call: KillServerCall) => Promise<boolean>;
  killAnyQuery: (id: number) => Promise<boolean>;
  noteKill: (attempt: KillAttempt) => Promise<void>;
  allLocations: (call: LocationsCall) => Promise<readonly LocationView[]>;
  allRoutines: (call: RoutinesCall) => Promise<readonly RoutineView[]>;
  /** A failure of business SQL (B10). */
  serverFailed: (call: { readonly cluster: string; readonly event: FailureEvent }) => void;
  /** A request is trying a listed server (B12). */
  retryStarted: (call: ServerOfCluster) => void;
  /** A request has worked on a listed server (B13). */
  listedServerWorked: (call: ServerOfCluster & { readonly sessionId: number }) => void;
  /** A client asks for a cluster that the worker does not know; served, and known to it, when this resolves. */
  openCluster: (call: { readonly name: string; readonly id: string }) => Promise<string>;
  clusterDetails: (none: null) => readonly ClusterDetail[];
  configServer: (none: null) => ConfigServerStatus | null;
  buildInfo: (none: null) => BuildInfo;
  upgradeState: (none: null) => UpgradeView;
  deleteCluster: (call: { readonly key: string; readonly caller: Caller }) => Promise<void>;
  congestion: (none: null) => readonly CongestionRow[];
  congestionHistory: (query: CongestionHistoryQuery) => Promise<readonly StoredTransition[]>;
};
