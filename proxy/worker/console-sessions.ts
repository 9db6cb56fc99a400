/** Client sessions as the console shows them. */
import type { Session, SessionDetail, SessionStatement } from '../control/contract.ts';
import { clientOf, stateOf } from '../control/session-page.ts';
import type { ClientSession } from '../session/client-session.ts';
import { type RequestTrace, TRACE_TEXT_BYTES } from '../session/recent-requests.ts';
import { digestStatement } from '../sql/digest.ts';
import { COM } from '../wire/constants.ts';
import { sessionDetail } from './session-views.ts';

const commandWords: ReadonlyMap<number, string> = new Map<number, string>([
  [COM.QUERY, 'query'],
  [COM.STMT_PREPARE, 'prepare'],
  [COM.STMT_EXECUTE, 'execute'],
  [COM.STMT_FETCH, 'fetch'],
  [COM.STMT_RESET, 'reset statement'],
  [COM.STMT_SEND_LONG_DATA, 'long data'],
  [COM.INIT_DB, 'use database'],
  [COM.RESET_CONNECTION, 'reset connection'],
]);

/** A session's row. @param withLiterals texts as the client wrote them, else only digests */
export function consoleSession(session: ClientSession, withLiterals: boolean): Session {
  const nowMs = performance.now();
  const latest = session.recent.latest;
  return {
    id: session.id,
    cluster: session.clusterName,
    tenant: session.tenant,
    user: session.user,
    client: clientOf(session),
    database: session.database,
    state: stateOf(session),
    transactionMs: session.inTransaction ? Math.max(0, nowMs - session.transactionBeganAtMs) : null,
    serverSessions: session.servers.size,
    statement: latest === null ? null : statementOf(session, latest, nowMs, withLiterals),
    connectedAt: new Date(session.connectedAtMs).toISOString(),
    usesTls: session.usesTls,
  };
}

/** A session with its server sessions, variables and last statements. */
export function consoleSessionDetail(session: ClientSession, withLiterals: boolean): SessionDetail {
  const detail = sessionDetail(session);
  const nowMs = performance.now();
  return {
    ...consoleSession(session, withLiterals),
    idcName: detail.idcName,
    transactions: session.transactionCount,
    versions: detail.versions,
    servers: detail.serverSessions.map(({ host, port, id, serverSessionId, requestCount, isBusy, versions }) => {
      const address = `${host}:${port}`;
      const server = session.servers.find(address);
      return {
        address,
        id,
        connectionId: serverSessionId,
        isBusy,
        requests: requestCount,
        versions,
        isBound: server !== undefined && session.servers.bound === server,
        isLast: server !== undefined && session.servers.last === server,
        holds: server === undefined ? null : session.servers.holdings(server),
      };
    }),
    variables: detail.variables.map(({ name, value, kind, group }) => ({
      name,
      value: kind === 'user' && !withLiterals ? null : value,
      kind,
      group,
    })),
    statements: session.recent.list().map((trace) => statementOf(session, trace, nowMs, withLiterals)),
  };
}

function statementOf(
  session: ClientSession,
  trace: RequestTrace,
  nowMs: number,
  withLiterals: boolean,
): SessionStatement {
  const { command, kind, table, beganAtMs, tookMs, errno } = trace;
  const text = Buffer.from(trace.text, 'latin1');
  const database = table?.database ?? trace.database;
  const cut = text.length > TRACE_TEXT_BYTES ? ' ...' : '';
  return {
    command: commandWords.get(command) ?? `command 0x${command.toString(16)}`,
    kind,
    digest: digestStatement(text, session.dialect, TRACE_TEXT_BYTES),
    text: withLiterals && text.length > 0 ? text.toString('utf8', 0, TRACE_TEXT_BYTES) + cut : null,
    table: table === null ? null : database === '' ? table.name : `${database}.${table.name}`,
    server: trace.address === '' ? null : trace.address,
    beganAt: new Date(performance.timeOrigin + beganAtMs).toISOString(),
    durationMs: tookMs ?? Math.max(0, nowMs - beganAtMs),
    isRunning: tookMs === null,
    errno,
  };
}
