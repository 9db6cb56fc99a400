/** Cached locations as they are shown: plain data, gathered over all workers. */
import type { Partitioning } from '../../cluster/partitioning.ts';
import type { Replica } from '../../cluster/topology.ts';
import { likeMatch } from '../../sql/like-match.ts';
import type { LocationEntry, LocationKind, LocationName, LocationState } from './location-entry.ts';

/** A location by name, over all clusters. */
export interface LocationKey extends LocationName {
  readonly cluster: string;
}

/** One level of a table's partitioning. */
interface PartitionLevelView {
  readonly kind: 'hash' | 'key' | 'range' | 'list';
  readonly columns: readonly string[];
  /** Of the second level: in the first partition. */
  readonly partitions: number;
}

/** Times are wall-clock milliseconds; null: not yet, or never. */
export interface LocationView extends LocationKey {
  readonly kind: LocationKind;
  /** Of a partition, when known. */
  readonly partitionName: string | null;
  readonly state: LocationState;
  /** Why there are no replicas: the cluster knows no such table, or nobody could be asked. Null: it is known. */
  readonly missing: 'unknown-table' | 'no-answer' | null;
  /** Decimal text. */
  readonly tableId: string;
  readonly schemaVersion: string;
  /** Revision of the cluster's topology that it was read with. */
  readonly clusterVersion: number;
  readonly partitionCount: number;
  /** Levels of partitioning, as far as they have been asked for; empty: none, or not known. */
  readonly levels: readonly PartitionLevelView[];
  /** The leader first. */
  readonly replicas: readonly Replica[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
  /** When a server last confirmed it. */
  readonly validAtMs: number | null;
  readonly accessedAtMs: number;
  readonly expiresAtMs: number | null;
  /** What is older than this has been put in doubt by hand (`partition_location_expire_relative_time`). */
  readonly doubtedBeforeMs: number | null;
  /** Times that it was told from memory, and times that a request had to ask for it. */
  readonly hits: number;
  readonly misses: number;
  /** Worker threads that have it. */
  readonly workers: number;
}

/** Which are wanted; null: any. */
export interface LocationFilter {
  readonly kinds: readonly LocationKind[];
  readonly cluster: string | null;
  readonly tenant: string | null;
  readonly database: string | null;
  /** In `database.table`, letters of either case. */
  readonly contains: string | null;
  /** SQL LIKE of the table's name, or up to four with blanks between: of cluster, tenant, database and table. */
  readonly like: string | null;
  /** Also those that turned out not to exist or could not be found out. */
  readonly missing: boolean;
}

/**
 * @param clockShiftMs wall clock minus monotonic clock
 * @param doubtedBeforeMs monotonic
 */
export function viewOf(
  entry: LocationEntry,
  cluster: string,
  partitioning: Partitioning | null,
  clockShiftMs: number,
  doubtedBeforeMs = Number.NEGATIVE_INFINITY,
): LocationView {
  const { tenant, database, table, tabletId, kind, partitionName, location, state } = entry;
  const time = (atMs: number): number | null => (Number.isFinite(atMs) ? Math.round(atMs + clockShiftMs) : null);
  return {
    cluster,
    tenant,
    database,
    table,
    tabletId,
    kind,
    partitionName,
    state,
    missing: location !== null ? null : entry.failed ? 'no-answer' : 'unknown-table',
    tableId: location?.tableId ?? '0',
    schemaVersion: location?.schemaVersion ?? '0',
    clusterVersion: entry.clusterVersion,
    partitionCount: location?.partitionCount ?? 0,
    levels: partitioning === null ? [] : levelsOf(partitioning),
    replicas: location?.replicas ?? [],
    createdAtMs: Math.round(entry.createdAtMs + clockShiftMs),
    updatedAtMs: time(entry.updatedAtMs),
    validAtMs: time(entry.validAtMs),
    accessedAtMs: Math.round(entry.accessedAtMs + clockShiftMs),
    expiresAtMs: time(entry.expiresAtMs),
    doubtedBeforeMs: time(doubtedBeforeMs),
    hits: entry.hits,
    misses: entry.misses,
    workers: 1,
  };
}

function levelsOf({ rule, subRule, partitions }: Partitioning): PartitionLevelView[] {
  const level = ({ kind, columns }: Partitioning['rule'], count: number): PartitionLevelView => ({
    kind,
    columns: columns.map(({ name }) => name),
    partitions: count,
  });
  const first = level(rule, partitions.length);
  return subRule === null ? [first] : [first, level(subRule, partitions[0]?.subPartitions.length ?? 0)];
}

export function isWanted(entry: LocationEntry, cluster: string, filter: LocationFilter): boolean {
  const { kinds, tenant, database, contains, missing } = filter;
  if (!kinds.includes(entry.kind) || (entry.location === null && !missing)) return false;
  if (filter.cluster !== null && filter.cluster !== cluster) return false;
  if (tenant !== null && tenant !== entry.tenant) return false;
  if (database !== null && database !== entry.database) return false;
  if (contains !== null && !`${entry.database}.${entry.table}`.toLowerCase().includes(contains.toLowerCase())) {
    return false;
  }
  return filter.like === null || isLike(filter.like, [cluster, entry.tenant, entry.database, entry.table]);
}

/**
 * Whether a pattern fits the last of the names, or its parts all of them in their order. The reference splits the pattern at blanks, so that one word is of the cluster; that of a table is asked for more
 * often. Both fit.
 */
export function isLike(pattern: string, names: readonly string[]): boolean {
  if (likeMatch(pattern, names.at(-1) ?? '')) return true;
  const patterns = pattern.split(' ');
  const rest = patterns.splice(names.length - 1).join(' ');
  if (rest !== '') patterns.push(rest);
  return patterns.every((part, index) => part === '' || likeMatch(part, names[index] ?? '')) && pattern !== '';
}

/** One view per location: what the worker that asked last knows, with the uses of all. In the order of their names. */
export function mergeViews(lists: readonly (readonly LocationView[])[]): LocationView[] {
  const merged = new Map<string, LocationView>();
  for (const view of lists.flat()) {
    const key = [view.cluster, view.tenant, view.database, view.table, view.tabletId].join('\0');
    const other = merged.get(key);
    merged.set(key, other === undefined ? view : together(view, other));
  }
  return [...merged].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)).map(([, view]) => view);
}

function together(left: LocationView, right: LocationView): LocationView {
  const newer = (left.updatedAtMs ?? 0) >= (right.updatedAtMs ?? 0) ? left : right;
  return {
    ...newer,
    createdAtMs: Math.min(left.createdAtMs, right.createdAtMs),
    accessedAtMs: Math.max(left.accessedAtMs, right.accessedAtMs),
    validAtMs: latest(left.validAtMs, right.validAtMs),
    hits: left.hits + right.hits,
    misses: left.misses + right.misses,
    workers: left.workers + right.workers,
  };
}

function latest(left: number | null, right: number | null): number | null {
  return left === null ? right : right === null ? left : Math.max(left, right);
}
