/** The coordinator's side of what workers ask: configuration, and sessions that other workers hold. */

import { randomBytes } from 'node:crypto';
import type { ConfigServerStatus } from '../cluster/cluster-directory.ts';
import type { Caller, ClusterDetail, CongestionRow } from '../command/services.ts';
import type { ConfigStore } from '../config/config-store.ts';
import { requireEverywhere } from '../config/part-outcome.ts';
import type { FailureEvent } from '../congestion/types.ts';
import type { Attempts } from '../history/attempts.ts';
import type { BlocklistLog } from '../history/blocklist-log.ts';
import type { HistoryEntry } from '../history/history-log.ts';
import type { Actor } from '../history/history-row.ts';
import { mergeRoutineViews } from '../routing/location/routine-view.ts';
import type { CoordinatorCalls } from '../worker/calls.ts';
import { buildInfo } from './build-info.ts';
import { configRows } from './config-table.ts';
import { locationSource } from './location-source.ts';
import { changeTable, tableRows } from './tables.ts';
import type { UpgradeSide } from './upgrade-side.ts';
import type { PoolCall, WorkerPool } from './worker-pool.ts';

/** The blocklists as workers see them: they report to them, and SHOW PROXYCONGESTION is answered from them. */
export interface CongestionSource {
  /** Every server of every cluster as the blocklists see it now, cluster by cluster. */
  rows(): readonly CongestionRow[];
  readonly history: BlocklistLog;
  failure(cluster: string, event: FailureEvent): void;
  retryStarted(cluster: string, address: string): void;
  succeeded(cluster: string, address: string, sessionId: number): void;
}

/** The clusters as workers see them. */
export interface ClusterSource {
  /** @returns its key. Rejects with what the client is to be told. */
  open(name: string, id: string): Promise<string>;
  /** Every configured cluster. */
  details(): readonly ClusterDetail[];
  configServer(): ConfigServerStatus | null;
  /** ALTER PROXYRESOURCE DELETE. @throws OdpError CLUSTER_NOT_EXIST */
  delete(key: string): void;
}

export function workerCalls(
  store: ConfigStore,
  attempts: Attempts,
  pool: () => WorkerPool,
  congestion: CongestionSource,
  clusters: ClusterSource,
  upgrades: UpgradeSide,
): Omit<CoordinatorCalls, PoolCall> {
  const holderOf = (id: number) => pool().holderOf(id);
  // Session ids and this count begin anew with each process; a request's id never comes twice.
  const process = randomBytes(4).toString('hex');
  let lastRequest = 0;
  const actorOf = (caller: Caller): Actor => ({
    actor: `${caller.user}@${caller.tenant}@${caller.host}`,
    role: caller.identity,
    source: 'sql',
    origin: caller.host,
    requestId: `sql-${process}-${caller.sessionId}-${++lastRequest}`,
  });
  /** Done or not, there is a row of it. */
  const recorded = async (caller: Caller, entry: HistoryEntry, run: () => Promise<void> | void): Promise<void> => {
    const actor = actorOf(caller);
    try {
      await run();
    } catch (error) {
      await attempts.refused(actor, [entry], error);
      throw error;
    }
    await attempts.note(actor, entry);
  };
  return {
    parameters: () => store.parameters().map(({ spec, text, storedText }) => ({ name: spec.name, text, storedText })),
    configRows: () => configRows(store),
    tableRows: (table) => tableRows(store, table),
    changeTable: async ({ change, caller }) => {
      const actor = actorOf(caller);
      try {
        return await changeTable(store, change, actor);
      } catch (error) {
        const mode = change.kind === 'delete' ? 'DELETE FROM' : `${change.mode.toUpperCase()} INTO`;
        await attempts.refused(actor, [{ action: 'parameter.change', reason: `${mode} ${change.table}` }], error);
        throw error;
      }
    },
    alterParameter: async ({ name, value, caller }) => {
      const request = { ...actorOf(caller), changes: [{ name, value }], reason: 'ALTER PROXYCONFIG' };
      requireEverywhere((await store.change(request)).workers);
    },
    allSessions: async () => {
      const lists = await pool().everywhere((worker) => worker.call('sessions', null));
      return lists.flat().sort((a, b) => a.id - b.id);
    },
    anySession: async (id) => (await (await holderOf(id))?.call('session', id)) ?? null,
    anyVariableFlags: async (id) => (await (await holderOf(id))?.call('variableFlags', id)) ?? null,
    anyStaleReplicas: async (id) => (await (await holderOf(id))?.call('staleReplicas', id)) ?? [],
    sessionAtAnyServer: async (call) => {
      const ids = await pool().everywhere((worker) => worker.call('sessionAtServer', call));
      return ids.find((id) => id !== null) ?? null;
    },
    killAnySession: async (id) => (await (await holderOf(id))?.call('killSession', id)) ?? false,
    killAnyServerSession: async (call) => (await (await holderOf(call.id))?.call('killServerSession', call)) ?? false,
    killAnyQuery: async (id) => (await (await holderOf(id))?.call('killQuery', id)) ?? false,
    noteKill: ({ caller, what, scope, result, failure }) => {
      const outcome = result === null ? 'refused' : 'done';
      const entry = { action: 'session.kill', scope, oldValue: what, outcome, failure, reason: 'KILL' } as const;
      return attempts.note(actorOf(caller), { ...entry, newValue: result });
    },
    allLocations: ({ filter, limit }) => locationSource(pool).locations(filter, limit),
    allRoutines: async (call) => mergeRoutineViews(await pool().all((rpc) => rpc.call('routines', call))),
    serverFailed: ({ cluster, event }) => congestion.failure(cluster, event),
    retryStarted: ({ cluster, address }) => congestion.retryStarted(cluster, address),
    listedServerWorked: ({ cluster, address, sessionId }) => congestion.succeeded(cluster, address, sessionId),
    openCluster: ({ name, id }) => clusters.open(name, id),
    clusterDetails: () => clusters.details(),
    configServer: () => clusters.configServer(),
    buildInfo,
    upgradeState: () => upgrades.state(),
    deleteCluster: ({ key, caller }) => {
      const entry = { action: 'resource.delete', oldValue: key, reason: 'ALTER PROXYRESOURCE DELETE' } as const;
      return recorded(caller, entry, () => clusters.delete(key));
    },
    congestion: () => congestion.rows(),
    congestionHistory: async ({ cluster, limit }) => {
      const filter = cluster === null ? {} : { cluster };
      return limit === 0 ? [] : (await congestion.history.page(filter, limit)).rows;
    },
  };
}
