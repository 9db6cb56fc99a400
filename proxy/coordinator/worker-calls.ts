/** The coordinator's side of what workers ask: configuration, and sessions that other workers hold. */
import type { CongestionRow } from '../command/services.ts';
import type { ConfigStore } from '../config/config-store.ts';
import type { FailureEvent } from '../congestion/types.ts';
import type { BlocklistLog } from '../history/blocklist-log.ts';
import { SessionRegistry } from '../session/session-registry.ts';
import type { CoordinatorCalls } from '../worker/calls.ts';
import { locationSource } from './location-source.ts';
import type { WorkerPool } from './worker-pool.ts';

/** The blocklists as workers see them: they report to them, and SHOW PROXYCONGESTION is answered from them. */
export interface CongestionSource {
  /** Every server of every cluster as the blocklists see it now, cluster by cluster. */
  rows(): readonly CongestionRow[];
  readonly history: BlocklistLog;
  failure(event: FailureEvent): void;
  retryStarted(address: string): void;
  succeeded(address: string, sessionId: number): void;
}

export function workerCalls(
  store: ConfigStore,
  pool: () => WorkerPool,
  congestion: CongestionSource,
): Omit<CoordinatorCalls, 'started' | 'report'> {
  const holderOf = (id: number) => pool().worker(SessionRegistry.workerOf(id));
  let lastRequest = 0;
  return {
    parameters: () => store.parameters().map(({ spec, text, storedText }) => ({ name: spec.name, text, storedText })),
    alterParameter: async ({ name, value, caller }) => {
      await store.change({
        changes: [{ name, value }],
        actor: `${caller.user}@${caller.tenant}@${caller.host}`,
        source: 'sql',
        origin: caller.host,
        reason: 'ALTER PROXYCONFIG',
        requestId: `sql-${caller.sessionId}-${++lastRequest}`,
      });
    },
    allSessions: async () => {
      const lists = await pool().all((rpc) => rpc.call('sessions', null));
      return lists.flat().sort((a, b) => a.id - b.id);
    },
    anySession: async (id) => (await holderOf(id)?.call('session', id)) ?? null,
    killAnySession: async (id) => (await holderOf(id)?.call('killSession', id)) ?? false,
    killAnyServerSession: async (call) => (await holderOf(call.id)?.call('killServerSession', call)) ?? false,
    killAnyQuery: async (id) => (await holderOf(id)?.call('killQuery', id)) ?? false,
    allLocations: ({ filter, limit }) => locationSource(pool).locations(filter, limit),
    serverFailed: (event) => congestion.failure(event),
    retryStarted: (address) => congestion.retryStarted(address),
    listedServerWorked: ({ address, sessionId }) => congestion.succeeded(address, sessionId),
    congestion: () => congestion.rows(),
    congestionHistory: async ({ cluster, limit }) => {
      const filter = cluster === null ? {} : { cluster };
      return limit === 0 ? [] : (await congestion.history.page(filter, limit)).rows;
    },
  };
}
