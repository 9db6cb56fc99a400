/** The client sessions of all workers as one. */
import { mergeKeys } from '../control/session-page.ts';
import type { SessionService } from '../control/session-service.ts';
import type { WorkerPool } from './worker-pool.ts';

export function sessionSource(pool: () => WorkerPool): SessionService {
  const holderOf = (id: number) => pool().holderOf(id);
  return {
    window: async ({ sort, order, offset, limit, ...filter }, withLiterals) => {
      const count = offset + limit;
      const lists = await pool().everywhere((rpc) => rpc.call('sessionKeys', { filter, sort, order, count }));
      const { ids, matches, states } = mergeKeys(lists, order, count);
      const wanted = ids.slice(offset);
      const rows = await pool().everywhere((rpc) => rpc.call('consoleSessions', { ids: wanted, withLiterals }));
      const byId = new Map(rows.flat().map((row) => [row.id, row]));
      // One that has gone meanwhile leaves no gap: the list is asked for again before long.
      return { sessions: wanted.flatMap((id) => byId.get(id) ?? []), matches, states: { ...states } };
    },
    detail: async (id, withLiterals) =>
      (await (await holderOf(id))?.call('consoleSession', { id, withLiterals })) ?? null,
    kill: async (id, what) =>
      (await (await holderOf(id))?.call(what === 'connection' ? 'killSession' : 'killQuery', id)) ?? false,
  };
}
