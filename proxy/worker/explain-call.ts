/** EXPLAIN of a statement for the console: for a session of this worker, or for one that is only described. */
import { OdpError } from '../errors/odp-error.ts';
import { DescribedSession, type SessionDescription } from '../session/described-session.ts';
import { explainRoute, type RouteExplanation } from '../session/explain-route.ts';
import type { SessionCluster, SessionContext } from '../session/session-context.ts';

export interface ExplainCall {
  readonly sql: string;
  /** A client session by its id (`cs_id`), or what one would be like. */
  readonly session: number | { readonly cluster: string; readonly description: SessionDescription };
}

/** With equal choices in their own order, so that two answers differ only where the plans do. */
const NO_ROTATION = 0;

/** Null: there is no such session, or no such cluster. */
export async function explainCall(
  { sql, session }: ExplainCall,
  context: SessionContext,
): Promise<RouteExplanation | null> {
  if (typeof session === 'number') {
    const found = context.registry.find(session);
    return found?.loggedIn ? explainRoute(found, sql, NO_ROTATION) : null;
  }
  const cluster = await clusterOf(session.cluster, context);
  if (cluster === null) return null;
  return explainRoute(new DescribedSession(context, cluster, session.description), sql, NO_ROTATION);
}

async function clusterOf(name: string, context: SessionContext): Promise<SessionCluster | null> {
  try {
    return await context.findCluster(name, '');
  } catch (error) {
    if (error instanceof OdpError && error.code === 'CLUSTER_NOT_EXIST') return null;
    throw error;
  }
}
