/** Cached procedures as they are shown: plain data, gathered over all workers. */
import type { Routine } from '../../cluster/routine-lookup.ts';
import type { LocationState } from './location-entry.ts';
import { isLike } from './location-view.ts';
import type { RoutineEntry } from './routine-cache.ts';

/** Times are wall-clock milliseconds; null: never. */
export interface RoutineView extends Routine {
  readonly cluster: string;
  readonly tenant: string;
  readonly state: LocationState;
  /** Revision of the cluster's topology that it was read with. */
  readonly clusterVersion: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
  /** Servers confirm places, not procedures. */
  readonly validAtMs: null;
  readonly accessedAtMs: number;
  readonly expiresAtMs: number | null;
  /** What is older than this has been put in doubt by hand. */
  readonly doubtedBeforeMs: number | null;
}

/**
 * Null: nothing is known of it, or it does not fit.
 * @param like SQL LIKE of the procedure's name, or up to five with blanks between: of cluster, tenant, database, package
 * and procedure; null: any
 * @param clockShiftMs wall clock minus monotonic clock
 * @param doubtedBeforeMs monotonic
 */
export function routineView(
  entry: RoutineEntry,
  cluster: string,
  like: string | null,
  clockShiftMs: number,
  doubtedBeforeMs: number,
): RoutineView | null {
  const { routine, tenant } = entry;
  if (routine === null) return null;
  const { database, packageName, name } = routine;
  if (like !== null && !isLike(like, [cluster, tenant, database, packageName, name])) return null;
  const time = (atMs: number): number | null => (Number.isFinite(atMs) ? Math.round(atMs + clockShiftMs) : null);
  return {
    ...routine,
    cluster,
    tenant,
    state: entry.state,
    clusterVersion: entry.clusterVersion,
    createdAtMs: Math.round(entry.createdAtMs + clockShiftMs),
    updatedAtMs: time(entry.updatedAtMs),
    validAtMs: null,
    accessedAtMs: Math.round(entry.accessedAtMs + clockShiftMs),
    expiresAtMs: time(entry.expiresAtMs),
    doubtedBeforeMs: time(doubtedBeforeMs),
  };
}

/** One view per procedure, that of the worker that asked last, however it was written in CALL. In the order of their names. */
export function mergeRoutineViews(lists: readonly (readonly RoutineView[])[]): RoutineView[] {
  const merged = new Map<string, RoutineView>();
  for (const view of lists.flat()) {
    const key = [view.cluster, view.tenant, view.database, view.packageName, view.name].join('\0');
    const other = merged.get(key);
    if (other === undefined || (view.updatedAtMs ?? 0) > (other.updatedAtMs ?? 0)) merged.set(key, view);
  }
  return [...merged].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)).map(([, view]) => view);
}
