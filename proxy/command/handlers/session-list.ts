import { addressText } from '../../config/server-address.ts';
import { OdpError } from '../../errors/odp-error.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { columns, rowsReply } from '../result.ts';
import type { Caller, CommandServices, SessionDetail, SessionSummary } from '../services.ts';

const processColumns = columns(
  'Id:LONGLONG',
  'Tenant',
  'User',
  'Host',
  'db',
  'trans_count:LONGLONG',
  'svr_session_count:LONGLONG',
  'state',
  'tid:LONGLONG',
  'pid:LONG',
);
const sessionColumns = columns(
  'proxy_sessid:LONGLONG',
  'Id:LONGLONG',
  'Cluster',
  'Tenant',
  'User',
  'Host',
  'db',
  'trans_count:LONGLONG',
  'svr_session_count:LONGLONG',
  'state',
  'tid:LONGLONG',
  'pid:LONG',
  'using_ssl:LONG',
);

const FIRST_SERVER_ID = 0x8000_0000;

/** SHOW PROCESSLIST. */
export async function showProcessList(caller: Caller, services: CommandServices): Promise<CommandReply> {
  const sessions = await visibleSessions(caller, services);
  return rowsReply(
    processColumns,
    sessions.map((session) => [String(session.id), session.tenant, session.user, ...commonValues(session)]),
  );
}

/** SHOW PROXYSESSION. */
export async function showProxySession(caller: Caller, services: CommandServices): Promise<CommandReply> {
  const sessions = await visibleSessions(caller, services);
  return rowsReply(
    sessionColumns,
    sessions.map((session) => [
      session.proxySessionId,
      String(session.id),
      session.cluster,
      session.tenant,
      session.user,
      ...commonValues(session),
      session.usesTls ? '1' : '0',
    ]),
  );
}

/** Whether the caller sees another session's row (reference §2.2). */
function seesSession(caller: Caller, session: SessionSummary): boolean {
  if (session.id === caller.sessionId || caller.identity === 'proxysys') return true;
  if (session.cluster !== caller.cluster) return false;
  if (caller.identity === 'rootsys') return true;
  return session.tenant === caller.tenant && caller.hasProcess;
}

/** The session asked for, the caller's own without an id. @throws OdpError UNKNOWN_THREAD: for those it may not see, too */
export async function visibleSession(
  id: number | null,
  caller: Caller,
  services: CommandServices,
): Promise<SessionDetail> {
  const wanted = id ?? caller.sessionId;
  const session = await services.session(await ownId(wanted, caller, services));
  if (session === null || !seesSession(caller, session)) throw new OdpError('UNKNOWN_THREAD', { id: wanted });
  return session;
}

/**
 * A client session's id by the one that somebody has written. Servers' own ids, as CONNECTION_ID() tells them, have
 * the top bit set, which is 0 in those of proxies: what is meant is the client session that such a server session belongs to.
 */
export async function ownId(id: number, caller: Caller, services: CommandServices): Promise<number> {
  if (id < FIRST_SERVER_ID) return id;
  const cluster = caller.identity === 'proxysys' ? null : caller.cluster;
  return (await services.sessionAtServer(id, cluster)) ?? id;
}

async function visibleSessions(caller: Caller, services: CommandServices): Promise<SessionSummary[]> {
  const sessions = await services.sessions();
  return sessions.filter((session) => seesSession(caller, session)).sort((left, right) => left.id - right.id);
}

function commonValues(session: SessionSummary): string[] {
  return [
    addressText(session.clientHost, session.clientPort),
    session.database ?? 'NULL',
    String(session.transactionCount),
    String(session.serverSessionCount),
    session.state,
    String(session.threadId),
    String(session.processId),
  ];
}
