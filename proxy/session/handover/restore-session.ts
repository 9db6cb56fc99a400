/** Makes a client session of another generation anew, with its connections. It reads nothing until `settle`. */
import type { TcpHandle } from '../../net/raw-handles.ts';
import { ClientSession } from '../client-session.ts';
import { ConnectionScope } from '../connection-scope.ts';
import type { SessionStatement } from '../request.ts';
import { WHOLE_REQUEST_BYTES } from '../request-intake.ts';
import { ServerFraming } from '../server-framing.ts';
import { ServerSession } from '../server-session.ts';
import type { SessionCluster, SessionContext } from '../session-context.ts';
import type { ServerState, SessionState } from './session-state.ts';

/** The connections that came with a state: all of them are the session's from then on. */
export interface SessionHandles {
  readonly client: TcpHandle;
  /** As many as there are `servers` in the state, in their order. */
  readonly servers: readonly TcpHandle[];
}

export function restoreSession(
  context: SessionContext,
  state: SessionState,
  cluster: SessionCluster | null,
  handles: SessionHandles,
): ClientSession {
  const session = new ClientSession(handles.client, context, state);
  restoreIdentity(session, state, cluster);
  session.variables.restore(state.variables);
  session.variables.imposed.restore(state.imposed);
  session.servers.blocks.restore(state.blocks);
  const servers = state.servers.map((server, index) => restoreServer(session, server, handles.servers[index]));
  for (const server of servers) session.servers.add(server);
  restoreTies(session, state, servers);
  const statements = state.prepared.statements.map((statement) => restoreStatement(context, statement, servers));
  session.prepared.restore(state.prepared.lastId, statements);
  session.keepBytes(state.unserved);
  return session;
}

function restoreIdentity(session: ClientSession, state: SessionState, cluster: SessionCluster | null): void {
  session.identity = state.identity;
  session.user = state.user;
  session.tenant = state.tenant;
  session.clusterName = state.clusterName;
  session.cluster = cluster;
  if (state.credentials !== null) {
    const { tenant, ...kept } = state.credentials;
    const scope = new ConnectionScope(session, kept.cluster, tenant);
    session.credentials = {
      ...kept,
      scope,
      clientHost: state.host,
      clientPort: state.port,
      sessionId: state.id,
    };
  }
  session.refreshConfig();
  session.database = state.database;
  session.databaseVersion = state.databaseVersion;
  session.status = state.status;
  session.multiStatements = state.multiStatements;
  session.isOceanBase = state.isOceanBase;
  session.sharesIds = state.sharesIds;
  session.heldBegin = state.heldBegin;
  session.heldSets.push(...state.heldSets);
  session.transactionCount = state.transactionCount;
  session.transactionBeganAtMs = state.transactionBeganAtMs - performance.timeOrigin;
  if (state.loss !== null) session.loss.note(state.loss);
}

function restoreServer(session: ClientSession, state: ServerState, handle: TcpHandle | undefined): ServerSession {
  const { credentials, context } = session;
  if (credentials === null || handle === undefined)
    throw new Error('a server session without its connection or log-in');
  const target = { address: state.address, host: '', port: 0 };
  const server = new ServerSession(session.forwarder, context, target, credentials, false, handle);
  server.database = state.database;
  server.databaseVersion = state.databaseVersion;
  server.multiStatements = state.multiStatements;
  server.requestCount = state.requestCount;
  server.clientCapabilities = state.clientCapabilities;
  server.serverCapabilities = state.serverCapabilities;
  server.extraOk = state.extraOk;
  server.connectionId = state.connectionId;
  server.synced.restore(state.synced);
  if (state.framing !== null) server.framing = ServerFraming.restore(state.connectionId, state.framing);
  return server;
}

function restoreTies({ servers: held }: ClientSession, state: SessionState, servers: readonly ServerSession[]): void {
  const at = (index: number | null): ServerSession | null => (index === null ? null : (servers[index] ?? null));
  held.last = at(state.last);
  held.lastInsertIdAt = at(state.lastInsertIdAt);
  held.stayOnLast = state.stayOnLast;
  held.routeAddress = state.routeAddress;
  const [bound, pinned] = [at(state.bound), at(state.pinned)];
  if (bound !== null) held.bind(bound, state.routesInside);
  if (pinned !== null) held.restorePins(pinned, state.pins, state.lockCount);
}

function restoreStatement(
  context: SessionContext,
  state: SessionState['prepared']['statements'][number],
  servers: readonly ServerSession[],
): SessionStatement {
  const { text, isTextWhole, dialect, holder } = state;
  const known = <Value>(index: number, value: Value): [ServerSession, Value][] => {
    const server = servers[index];
    return server === undefined ? [] : [[server, value]];
  };
  return {
    id: state.id,
    text,
    isTextWhole,
    info: context.statements.classify(text, dialect, { maxBytes: WHOLE_REQUEST_BYTES, incomplete: !isTextWhole }),
    dialect,
    parameterCount: state.parameterCount,
    serverIds: new Map(state.serverIds.flatMap(([index, id]) => known(index, id))),
    parameterTypes: state.parameterTypes,
    typedServers: new Set(state.typedServers.flatMap((index) => known(index, null).map(([server]) => server))),
    holder: typeof holder === 'string' ? { address: holder, closed: true } : (servers[holder ?? -1] ?? null),
    hasCursor: state.hasCursor,
    longData: state.longData,
  };
}
