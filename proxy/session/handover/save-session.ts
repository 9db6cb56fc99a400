/** Reads a client session's state, and which of its server sessions can go along. */
import type { ClientSession } from '../client-session.ts';
import type { LoginCredentials } from '../login-credentials.ts';
import type { SessionStatement } from '../request.ts';
import type { ServerSession } from '../server-session.ts';
import { type ServerState, type SessionState, STATE_VERSION } from './session-state.ts';

/** @param servers those that go along, in the order in which their connections are sent */
export function saveSession(session: ClientSession, servers: readonly ServerSession[]): SessionState {
  const at = (server: ServerSession | null): number | null => {
    const index = server === null ? -1 : servers.indexOf(server);
    return index < 0 ? null : index;
  };
  const { pinned, pins, bound } = session.servers;
  const isPinned = at(pinned) !== null;
  return {
    stateVersion: STATE_VERSION,
    id: session.id,
    host: session.host,
    port: session.port,
    vip: session.vip,
    connectedAtMs: session.connectedAtMs,
    idleMs: session.idleMs,
    identity: session.identity,
    user: session.user,
    tenant: session.tenant,
    clusterName: session.clusterName,
    cluster: session.cluster?.name ?? null,
    credentials: session.credentials === null ? null : saveCredentials(session.credentials),
    database: session.database,
    databaseVersion: session.databaseVersion,
    status: session.status,
    multiStatements: session.multiStatements,
    isOceanBase: session.isOceanBase,
    sharesIds: session.sharesIds,
    heldBegin: session.heldBegin,
    heldSets: [...session.heldSets],
    transactionCount: session.transactionCount,
    transactionBeganAtMs: performance.timeOrigin + session.transactionBeganAtMs,
    loss: session.loss.text,
    variables: writable(session.variables.save()),
    imposed: session.variables.imposed.save(),
    prepared: {
      lastId: session.prepared.lastId,
      statements: [...session.prepared.all()].map((statement) => saveStatement(statement, servers)),
    },
    servers: servers.map(saveServer),
    last: at(session.servers.last),
    lastInsertIdAt: at(session.servers.lastInsertIdAt),
    bound: at(bound),
    routesInside: session.servers.routesInside,
    pinned: at(pinned),
    pins: isPinned ? [...pins.names] : [],
    lockCount: isPinned ? pins.lockCount : 0,
    stayOnLast: session.servers.stayOnLast,
    routeAddress: session.servers.routeAddress,
    blocks: writable(session.servers.blocks.save()),
    unserved: session.unserved(),
  };
}

function saveCredentials(kept: LoginCredentials): NonNullable<SessionState['credentials']> {
  return {
    serverUser: kept.serverUser,
    authAnswer: kept.authAnswer,
    authPlugin: kept.authPlugin,
    scramble: kept.scramble,
    capabilities: kept.capabilities,
    maxPacketBytes: kept.maxPacketBytes,
    collation: kept.collation,
    database: kept.database,
    clientAttributes: kept.clientAttributes.map(([name, value]) => [name, value]),
    cluster: kept.cluster,
    tenant: kept.scope.tenant,
    idVersion: kept.idVersion,
    connectedAtMs: kept.connectedAtMs,
  };
}

function saveServer(server: ServerSession): ServerState {
  return {
    address: server.address,
    database: server.database,
    databaseVersion: server.databaseVersion,
    multiStatements: server.multiStatements,
    requestCount: server.requestCount,
    clientCapabilities: server.clientCapabilities,
    serverCapabilities: server.serverCapabilities,
    extraOk: server.extraOk,
    connectionId: server.connectionId,
    synced: writable(server.synced.save()),
    framing: server.framing === null ? null : writable(server.framing.save()),
  };
}

function saveStatement(
  statement: SessionStatement,
  servers: readonly ServerSession[],
): SessionState['prepared']['statements'][number] {
  const { holder } = statement;
  const holderAt = servers.indexOf(holder as ServerSession);
  return {
    id: statement.id,
    text: statement.text,
    isTextWhole: statement.isTextWhole,
    dialect: { ...statement.dialect },
    parameterCount: statement.parameterCount,
    parameterTypes: statement.parameterTypes,
    serverIds: servers.flatMap((server, index) => {
      const id = statement.serverIds.get(server);
      return id === undefined ? [] : [[index, id]];
    }),
    typedServers: servers.flatMap((server, index) => (statement.typedServers.has(server) ? [index] : [])),
    holder: holder === null ? null : holderAt < 0 ? holder.address : holderAt,
    hasCursor: statement.hasCursor,
    longData: [...statement.longData],
  };
}

type Writable<Value> = Value extends Buffer | string | number | boolean | null
  ? Value
  : { -readonly [Key in keyof Value]: Writable<Value[Key]> };

/** The same value: what is read only to others is not so in the form that is sent. */
const writable = <Value>(value: Value): Writable<Value> => value as Writable<Value>;
