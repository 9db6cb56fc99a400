/** Client sessions as the command room lists them. */
import { threadId } from 'node:worker_threads';
import type {
  ServerSessionDetail,
  SessionDetail,
  SessionSummary,
  SessionVariable,
  StateVersions,
} from '../command/services.ts';
import type { ClientSession } from '../session/client-session.ts';
import type { ServerSession } from '../session/server-session.ts';
import { isHotVariable, sqlLiteral } from '../session/session-variables.ts';

/** A session's row. */
export function sessionSummary(session: ClientSession): SessionSummary {
  return {
    id: session.id,
    proxySessionId: session.cluster === null ? '0' : String(session.id),
    cluster: session.clusterName,
    tenant: session.tenant,
    user: session.user,
    clientHost: session.host,
    clientPort: session.port,
    database: session.database === '' ? null : session.database,
    transactionCount: session.transactionCount,
    serverSessionCount: session.servers.size,
    state: session.loggedIn ? (session.active ? 'MCS_ACTIVE_READER' : 'MCS_KEEP_ALIVE') : 'MCS_INIT',
    threadId,
    processId: process.pid,
    usesTls: session.usesTls,
  };
}

/** A session's row with all that ATTRIBUTE and VARIABLES show. */
export function sessionDetail(session: ClientSession, idcName: string): SessionDetail {
  const { version } = session.variables;
  return {
    ...sessionSummary(session),
    idcName,
    versions: versions(version),
    serverSessions: session.servers.all().map((server) => serverDetail(session, server)),
    variables: variables(session),
  };
}

/** One counter serves all kinds of variables here; the reference keeps one for each. */
function versions(version: number): StateVersions {
  return {
    hotSystemVariables: version,
    systemVariables: version,
    userVariables: version,
    lastInsertId: 0,
    database: 0,
  };
}

function serverDetail(session: ClientSession, server: ServerSession): ServerSessionDetail {
  const cut = server.address.lastIndexOf(':');
  const isCurrent = session.forwarder.currentServer === server || session.servers.bound === server;
  return {
    host: server.address.slice(0, cut),
    port: Number(server.address.slice(cut + 1)),
    id: server.id,
    serverSessionId: server.connectionId,
    state: server.busy ? 'SSE_ACTIVE' : 'SSE_IDLE',
    transactionCount: server.requestCount,
    versions: versions(server.synced.version),
    use: isCurrent ? 'current' : session.servers.last === server ? 'last' : 'pool',
    holdsLastInsertId: false,
  };
}

function variables(session: ClientSession): SessionVariable[] {
  const list: SessionVariable[] = [];
  const changed = new Set<string>();
  const add = (name: string, value: string, kind: SessionVariable['kind']): void => {
    const group = isHotVariable(name) ? 'hot' : name === 'last_insert_id' ? 'last-insert-id' : 'cold';
    // Session state is kept as bytes.
    list.push({ name, value: Buffer.from(value, 'latin1').toString('utf8'), kind, group });
  };
  for (const [name, text] of session.variables.changedSystem()) {
    changed.add(name);
    add(name, sqlLiteral(text), 'changed-system');
  }
  for (const [name, text] of session.variables.loginSystem()) {
    if (!changed.has(name)) add(name, sqlLiteral(text), 'system');
  }
  for (const [name, literal] of session.variables.userVariables()) add(name, literal, 'user');
  return list;
}
