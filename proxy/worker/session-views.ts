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
import { routeSettings } from '../session/route-settings.ts';
import type { ServerSession } from '../session/server-session.ts';
import { kindOfSystem, sqlLiteral } from '../session/session-variables.ts';
import type { VariableVersions } from '../session/variable-versions.ts';
import { OB_CAPABILITY } from '../wire/constants.ts';

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
    transactionCount: session.recent.counters.transactions,
    serverSessionCount: session.servers.size,
    state: stateOf(session),
    threadId,
    processId: process.pid,
    usesTls: session.usesTls,
  };
}

/** As the reference's sessions: a transaction keeps one active between its requests. */
function stateOf(session: ClientSession): SessionSummary['state'] {
  if (!session.loggedIn) return 'MCS_INIT';
  return session.active || session.inTransaction ? 'MCS_ACTIVE_READER' : 'MCS_KEEP_ALIVE';
}

function usedAtMs({ recent: { latest } }: ClientSession): number | null {
  return latest === null ? null : performance.timeOrigin + latest.beganAtMs + (latest.tookMs ?? 0);
}

const has = ({ agreed }: ServerSession, feature: bigint): boolean => (agreed & feature) !== 0n;

/** A session's row with all that ATTRIBUTE and VARIABLES show. */
export function sessionDetail(session: ClientSession): SessionDetail {
  return {
    ...sessionSummary(session),
    idcName: routeSettings(session).idcName,
    usedAtMs: usedAtMs(session),
    counters: { ...session.recent.counters },
    versions: stateVersions(session.variables.versions, session.databaseVersion),
    serverSessions: session.servers.all().map((server) => serverDetail(session, server)),
    variables: variables(session),
  };
}

function stateVersions({ hot, system, user, lastInsertId }: VariableVersions, database: number): StateVersions {
  return { hotSystemVariables: hot, systemVariables: system, userVariables: user, lastInsertId, database };
}

function serverDetail(session: ClientSession, server: ServerSession): ServerSessionDetail {
  const cut = server.address.lastIndexOf(':');
  const isCurrent = session.forwarder.currentServer === server || session.servers.bound === server;
  return {
    host: server.address.slice(0, cut),
    port: Number(server.address.slice(cut + 1)),
    id: server.id,
    serverSessionId: server.connectionId,
    state: server.busy ? 'MSS_ACTIVE' : session.servers.bound === server ? 'MSS_KA_CLIENT_SLAVE' : 'MSS_KA_SHARED',
    requestCount: server.requestCount,
    isBusy: server.busy,
    features: {
      checksum: has(server, OB_CAPABILITY.CHECKSUM),
      checksumSwitch: has(server, OB_CAPABILITY.CHECKSUM_SWITCH),
      safeWeakRead: has(server, OB_CAPABILITY.SAFE_WEAK_READ),
      extraOk: has(server, OB_CAPABILITY.EXTRA_OK_PACKET_FOR_STATISTICS),
    },
    versions: stateVersions(session.variables.versionsAt(server.synced), server.databaseVersion),
    use: isCurrent ? 'current' : session.servers.last === server ? 'last' : 'pool',
    holdsLastInsertId: session.servers.lastInsertIdAt === server,
  };
}

const groups = { hot: 'hot', system: 'cold', lastInsertId: 'last-insert-id' } as const;

function variables(session: ClientSession): SessionVariable[] {
  const list: SessionVariable[] = [];
  const changed = new Set<string>();
  const add = (name: string, value: string, kind: SessionVariable['kind']): void => {
    const group = kind === 'user' ? 'cold' : groups[kindOfSystem(name)];
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
