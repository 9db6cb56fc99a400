/** The routers of all workers, as the control API asks them. */
import type { RouteExplainRequest } from '../control/contract.ts';
import type { RoutingService } from '../control/routing-service.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { ExplainCall } from '../worker/explain-call.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Sessions that are offered to choose from. */
const MAX_SESSIONS = 200;

export function routingService(pool: () => WorkerPool): RoutingService {
  return {
    explain: async (request) => {
      const call = explainCallOf(request);
      const worker = typeof call.session === 'number' ? await holderOf(call.session) : pool().anyWorker();
      return worker.call('explainRoute', call);
    },
    choices: async () => {
      const [clusters, sessions] = await Promise.all([
        pool().anyWorker().call('tenants', null),
        pool().everywhere((worker) => worker.call('sessions', null)),
      ]);
      const withServers = sessions.flat().filter(({ proxySessionId }) => proxySessionId !== '0');
      return {
        clusters: clusters.map(([name, tenants]) => ({ name, tenants: tenants === null ? null : [...tenants] })),
        sessions: withServers
          .sort((a, b) => a.id - b.id)
          .slice(0, MAX_SESSIONS)
          .map(({ id, cluster, tenant, user, database, clientHost, clientPort }) => ({
            id,
            cluster,
            tenant,
            user,
            database: database ?? '',
            client: `${clientHost}:${clientPort}`,
          })),
      };
    },
  };

  async function holderOf(session: number) {
    const worker = await pool().holderOf(session);
    if (worker === undefined) throw new OdpError('NOT_FOUND', { detail: `session ${session}` });
    return worker;
  }
}

function explainCallOf({ sql, session }: RouteExplainRequest): ExplainCall {
  if ('id' in session) return { sql, session: session.id };
  const { cluster, ...description } = session;
  return { sql, session: { cluster, description } };
}
