/** What worker threads and the coordinator ask of each other. */
import type { ClusterTopology } from '../cluster/topology.ts';
import type {
  Caller,
  CongestionHistoryQuery,
  CongestionRow,
  ParameterTexts,
  SessionDetail,
  SessionSummary,
} from '../command/services.ts';
import type { FailureEvent, ServerVerdict } from '../congestion/types.ts';
import type { StoredTransition } from '../history/blocklist-row.ts';
import type { LocationCounters } from '../routing/location/location-cache.ts';
import type { LocationFilter, LocationKey, LocationView } from '../routing/location/location-view.ts';
import type { RouteExplanation } from '../session/explain-route.ts';
import type { ExplainCall } from './explain-call.ts';

/** Everything a worker is started with. */
export interface WorkerStart {
  readonly index: number;
  /** Workers of the process: limits are shared out among them. */
  readonly workerCount: number;
  /** Bound descriptor of the MySQL port. */
  readonly listenFd: number;
  readonly proxyVersion: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly clusters: readonly WorkerClusterStart[];
  /** Counter of client connections over all workers: one Int32. */
  readonly connectionCount: SharedArrayBuffer;
}

/** What a worker is told of a cluster when it starts. */
export interface WorkerClusterStart {
  readonly topology: ClusterTopology;
  readonly rootServers: readonly string[];
  readonly verdicts: readonly ServerVerdict[];
}

/** What a worker has done; sent once a second when it changed. */
export interface WorkerReport {
  readonly clientSessions: number;
  readonly serverSessions: number;
  readonly requests: number;
  /** By server address. */
  readonly servers: Readonly<Record<string, { readonly serverSessions: number; readonly requests: number }>>;
  /** By cluster. */
  readonly locations: Readonly<Record<string, LocationCounters>>;
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

/** Which cached locations are wanted, and how many of each worker at most. */
interface LocationsCall {
  readonly filter: LocationFilter;
  readonly limit: number;
}

/** Answered by a worker. */
export type WorkerCalls = {
  applyConfig: (changes: readonly { readonly name: string; readonly text: string }[]) => void;
  applyTopology: (topology: ClusterTopology) => void;
  applyVerdicts: (verdicts: readonly ServerVerdict[]) => void;
  closeServerSessions: (call: { readonly address: string; readonly reason: string }) => void;
  sessions: (none: null) => readonly SessionSummary[];
  session: (id: number) => SessionDetail | null;
  killSession: (id: number) => boolean;
  killServerSession: (call: KillServerCall) => boolean;
  killQuery: (id: number) => Promise<boolean>;
  explainRoute: (call: ExplainCall) => Promise<RouteExplanation | null>;
  locations: (call: LocationsCall) => readonly LocationView[];
  refreshLocation: (key: LocationKey) => Promise<LocationView | null>;
};

/** Answered by the coordinator. */
export type CoordinatorCalls = {
  started: (none: null) => void;
  report: (report: WorkerReport) => void;
  parameters: (none: null) => readonly ParameterTexts[];
  alterParameter: (call: ParameterCall) => Promise<void>;
  allSessions: (none: null) => Promise<readonly SessionSummary[]>;
  anySession: (id: number) => Promise<SessionDetail | null>;
  killAnySession: (id: number) => Promise<boolean>;
  killAnyServerSession: (call: KillServerCall) => Promise<boolean>;
  killAnyQuery: (id: number) => Promise<boolean>;
  allLocations: (call: LocationsCall) => Promise<readonly LocationView[]>;
  /** A failure of business SQL (B10). */
  serverFailed: (event: FailureEvent) => void;
  /** A request is trying a listed server (B12). */
  retryStarted: (address: string) => void;
  /** A request has worked on a listed server (B13). */
  listedServerWorked: (call: { readonly address: string; readonly sessionId: number }) => void;
  congestion: (none: null) => readonly CongestionRow[];
  congestionHistory: (query: CongestionHistoryQuery) => Promise<readonly StoredTransition[]>;
};
