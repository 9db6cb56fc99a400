/**
 * Where a text's requests went the last time: as long as nothing of what that hangs on has changed, they go there again
 * without a look-up of the table, its partitions and the partition's place. It stands at the text's classification.
 */
import type { TableLocation } from '../cluster/topology.ts';
import type { ToldPlaces } from '../routing/location/location-cache.ts';
import type { SqlDialect } from '../sql/classify.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import type { RoutedSession } from './routed-session.ts';
import type { SessionCluster } from './session-context.ts';

/** A class, so that what it is can be told of an object at a text of which `sql` does not know. */
class RouteMemo {
  readonly told: ToldPlaces;
  readonly cluster: SessionCluster;
  readonly dialect: SqlDialect;
  readonly byPartition: boolean;
  readonly tenant: string;
  /** Current one of the session; it counts if the text names none. */
  readonly database: string;

  constructor(told: ToldPlaces, session: RoutedSession, cluster: SessionCluster) {
    this.told = told;
    this.cluster = cluster;
    this.dialect = session.dialect;
    this.byPartition = goesByPartition(session);
    this.tenant = session.tenant;
    this.database = session.database;
  }
}

/** Whether partitioned tables' requests go by partition at all. */
export const goesByPartition = ({ context }: RoutedSession): boolean =>
  context.config.bool('enable_partition_table_route');

/** The places of a text's table and of the partition that it needs, or of the table again; null: look for them. */
export function recallPlaces(
  session: RoutedSession,
  cluster: SessionCluster,
  info: StatementInfo,
): Pick<ToldPlaces, 'whole' | 'place'> | null {
  const memo = info.routed;
  if (!(memo instanceof RouteMemo) || memo.cluster !== cluster) return null;
  if (memo.tenant !== session.tenant || memo.database !== session.database) return null;
  if (memo.dialect !== session.dialect || memo.byPartition !== goesByPartition(session)) return null;
  return cluster.tellAgain(memo.told) ? memo.told : null;
}

/** Remembers what was found, if it is in the cache. Only of texts by which nothing but the text decides the partition. */
export function rememberPlaces(
  session: RoutedSession,
  cluster: SessionCluster,
  info: StatementInfo,
  whole: TableLocation,
  place: TableLocation,
): void {
  const told = cluster.told(whole, place);
  if (told !== null) info.routed = new RouteMemo(told, session, cluster);
}
