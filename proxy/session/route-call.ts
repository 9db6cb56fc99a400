/** CALL goes where the table of its procedure is: the cluster tells a statement of the procedure's body to route by. */
import type { Routine } from '../cluster/routine-lookup.ts';
import { classifyStatement } from '../sql/classify.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import { COM, HEADER_LENGTH } from '../wire/constants.ts';
import type { KeyedRequest } from './route-partition.ts';
import { isRandomMode } from './route-settings.ts';
import type { RoutedSession } from './routed-session.ts';
import type { SessionCluster } from './session-context.ts';

/** Whether a request is a CALL that goes by its procedure (`enable_pl_route`). A table of a later statement goes before. */
export function isRoutedCall({ config }: RoutedSession, info: StatementInfo | null): boolean {
  return info !== null && info.routine !== null && info.table === null && config.bool('enable_pl_route');
}

/**
 * The statement that a CALL is routed by; null: the request is no such CALL, or its procedure is not known or works on no
 * table. A promise only while the cluster is asked.
 */
export function calledStatement(
  session: RoutedSession,
  cluster: SessionCluster,
  info: StatementInfo | null,
): KeyedRequest | null | Promise<KeyedRequest | null> {
  if (info === null || info.routine === null || !isRoutedCall(session, info) || isRandomMode(session)) return null;
  const routine = cluster.routine(session.tenant, session.database, info.routine);
  return routine instanceof Promise ? routine.then(statementOf) : statementOf(routine);
}

const statements = new WeakMap<Routine, KeyedRequest | null>();

/** Each procedure's statement is read once, so that its table and its key are found fast. */
function statementOf(routine: Routine | null): KeyedRequest | null {
  if (routine === null) return null;
  let statement = statements.get(routine);
  if (statement === undefined) {
    statement = readStatement(routine);
    statements.set(routine, statement);
  }
  return statement;
}

/** Tables without a database are in that of the procedure, whatever the caller's is. */
function readStatement({ routeSql, database }: Routine): KeyedRequest | null {
  const text = Buffer.from(routeSql);
  const info = classifyStatement(text);
  if (info.table === null) return null;
  const table = { database: info.table.database ?? database, name: info.table.name };
  const bytes = Buffer.concat([Buffer.alloc(HEADER_LENGTH + 1), text]);
  return { info: { ...info, table, routed: null }, command: COM.QUERY, bytes, complete: true, statement: null };
}
