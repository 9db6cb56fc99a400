import { readEvidence } from './blocklist-evidence.ts';
import type { StoredFailure, StoredTransition, TransitionFilter } from './blocklist-row.ts';
import type { Database } from './database.ts';
import { Prisma } from './generated/client.ts';
import { storedTime } from './history-query.ts';

/** Columns of a transition as the database holds it. */
interface TransitionColumns {
  readonly id: number;
  readonly at: Date;
  readonly cluster: string;
  readonly server: string;
  readonly zone: string;
  readonly list: string;
  readonly change: string;
  readonly listedForMs: number | null;
  readonly evidenceFormat: number;
  readonly evidence: string;
  readonly parameters: string;
}

/** Transitions that fit the filter. */
export async function countTransitions(database: Database, filter: TransitionFilter): Promise<number> {
  const rows = await database.$queryRaw<{ total: bigint | number }[]>`
    SELECT COUNT(*) AS total FROM "BlocklistTransition" WHERE ${conditionOf(filter)}`;
  return Number(rows[0]?.total ?? 0);
}

/** Up to `limit` transitions that fit and are older than `before`, newest first. */
export async function selectTransitions(
  database: Database,
  filter: TransitionFilter,
  limit: number,
  before: number | undefined,
): Promise<StoredTransition[]> {
  const older = before === undefined ? Prisma.sql`1` : Prisma.sql`id < ${before}`;
  const rows = await database.$queryRaw<TransitionColumns[]>`
    SELECT * FROM "BlocklistTransition" WHERE ${older} AND ${conditionOf(filter)} ORDER BY id DESC LIMIT ${limit}`;
  return rows.map(transitionOf);
}

/** The last transition of each server on each list before a time, in the order of ids: who was listed then. */
export async function selectLastBefore(database: Database, cluster: string, before: Date): Promise<StoredTransition[]> {
  const rows = await database.$queryRaw<TransitionColumns[]>`
    SELECT * FROM "BlocklistTransition" WHERE id IN (
      SELECT MAX(id) FROM "BlocklistTransition"
      WHERE cluster = ${cluster} AND at < ${storedTime(before)} GROUP BY server, list) ORDER BY id`;
  return rows.map(transitionOf);
}

/** Listings that no release follows, over all clusters. @param at as of then; left out: now */
export async function selectOpen(database: Database, at?: Date): Promise<StoredTransition[]> {
  const until = at === undefined ? Prisma.sql`1` : Prisma.sql`at <= ${storedTime(at)}`;
  const rows = await database.$queryRaw<TransitionColumns[]>`
    SELECT * FROM "BlocklistTransition" WHERE change = 'listed' AND id IN (
      SELECT MAX(id) FROM "BlocklistTransition" WHERE ${until} GROUP BY cluster, server, list) ORDER BY id`;
  return rows.map(transitionOf);
}

/** Transitions of a cluster at or after `from` with an id above `after`, oldest first, up to `limit`. */
export async function selectTransitionsSince(
  database: Database,
  cluster: string,
  from: Date,
  after: number,
  limit: number,
): Promise<StoredTransition[]> {
  const rows = await database.$queryRaw<TransitionColumns[]>`
    SELECT * FROM "BlocklistTransition" WHERE id > ${after} AND cluster = ${cluster} AND at >= ${storedTime(from)}
    ORDER BY id LIMIT ${limit}`;
  return rows.map(transitionOf);
}

/** Failures of a cluster at or after `from` with an id above `after`, oldest first, up to `limit`. */
export async function selectFailures(
  database: Database,
  cluster: string,
  from: Date,
  after: number,
  limit: number,
): Promise<StoredFailure[]> {
  const rows = await database.$queryRaw<(Omit<StoredFailure, 'address' | 'wallAtMs'> & { server: string; at: Date })[]>`
    SELECT * FROM "ServerFailure" WHERE id > ${after} AND cluster = ${cluster} AND at >= ${storedTime(from)}
    ORDER BY id LIMIT ${limit}`;
  return rows.map(({ id, at, server, errno, sessionId, kind, tookMs, detail, digest }) => ({
    id: Number(id),
    cluster,
    address: server,
    kind,
    wallAtMs: at.getTime(),
    tookMs,
    errno: Number(errno),
    detail,
    sessionId: Number(sessionId),
    digest,
  }));
}

function transitionOf(row: TransitionColumns): StoredTransition {
  const { id, at, cluster, server, zone, list, change, listedForMs } = row;
  return { id: Number(id), at, cluster, address: server, zone, list, change, listedForMs, ...readEvidence(row) };
}

function conditionOf(filter: TransitionFilter): Prisma.Sql {
  const conditions = [Prisma.sql`1`];
  if (filter.cluster) conditions.push(Prisma.sql`cluster = ${filter.cluster}`);
  if (filter.server) conditions.push(Prisma.sql`server = ${filter.server}`);
  if (filter.zone) conditions.push(Prisma.sql`zone = ${filter.zone}`);
  if (filter.list) conditions.push(Prisma.sql`list = ${filter.list}`);
  if (filter.change) conditions.push(Prisma.sql`change = ${filter.change}`);
  if (filter.from) conditions.push(Prisma.sql`at >= ${storedTime(new Date(filter.from))}`);
  if (filter.to) conditions.push(Prisma.sql`at < ${storedTime(new Date(filter.to))}`);
  return Prisma.join(conditions, ' AND ');
}
