/** EXPLAIN of a statement for the console: for a session of this worker, or for one that is only described. */
import { parseInternalCommand } from '../command/parse.ts';
import { commandVerdict } from '../command/rights.ts';
import type { ExplainAnswer } from '../control/routing-service.ts';
import { OdpError } from '../errors/odp-error.ts';
import { DescribedSession, type SessionDescription } from '../session/described-session.ts';
import { explainRoute } from '../session/explain-route.ts';
import type { RoutedSession } from '../session/routed-session.ts';
import type { SessionCluster, SessionContext } from '../session/session-context.ts';

export interface ExplainCall {
  readonly sql: string;
  /** A client session by its id (`cs_id`), or what one would be like. */
  readonly session: number | { readonly cluster: string; readonly description: SessionDescription };
}

/** Names of a cluster's tenants; null: it does not tell, or nobody answers. */
export type TenantsOf = (cluster: string) => Promise<readonly string[] | null>;

/** With equal choices in their own order, so that two answers differ only where the plans do. */
const NO_ROTATION = 0;

/** @throws OdpError NOT_FOUND: no such session, cluster or tenant */
export async function explainCall(
  { sql, session }: ExplainCall,
  context: SessionContext,
  tenantsOf: TenantsOf,
): Promise<ExplainAnswer> {
  if (typeof session === 'number') {
    const found = context.registry.find(session);
    if (!found?.loggedIn) throw new OdpError('NOT_FOUND', { detail: `session ${session}` });
    return explain(found, found, sql);
  }
  const { description } = session;
  const cluster = await clusterOf(session.cluster, context);
  await checkTenant(cluster, description.tenant, tenantsOf);
  return explain(new DescribedSession(context, cluster, description), { identity: 'ordinary', sharesIds: false }, sql);
}

type Asker = Parameters<typeof commandVerdict>[0];

async function explain(session: RoutedSession, asker: Asker, sql: string): Promise<ExplainAnswer> {
  const { cluster, tenant, database } = session;
  if (cluster === null) throw new OdpError('NOT_FOUND', { detail: 'a cluster behind this session: it is proxysys' });
  const { topology } = cluster;
  const explanation = isAnsweredByProxy(asker, sql) ? null : await explainRoute(session, sql, NO_ROTATION);
  return { tenant, database, topology, explanation };
}

function isAnsweredByProxy(asker: Asker, sql: string): boolean {
  const command = parseInternalCommand(sql);
  return command !== null && commandVerdict(asker, command) !== 'forward';
}

async function clusterOf(name: string, context: SessionContext): Promise<SessionCluster> {
  try {
    return await context.findCluster(name, '');
  } catch (error) {
    if (!(error instanceof OdpError) || error.code !== 'CLUSTER_NOT_EXIST') throw error;
    throw new OdpError('NOT_FOUND', { detail: `cluster '${name}'` }, { cause: error });
  }
}

/** A cluster that does not tell its tenants, or cannot just now, is believed to have it. */
async function checkTenant(cluster: SessionCluster, tenant: string, tenantsOf: TenantsOf): Promise<void> {
  const names = await tenantsOf(cluster.name);
  if (names === null || names.some((name) => name.toLowerCase() === tenant.toLowerCase())) return;
  const detail = `tenant '${tenant}' in cluster '${cluster.name}', which has ${names.join(', ')}`;
  throw new OdpError('NOT_FOUND', { detail });
}
