/**
 * Writing a batch as one JSON text that SQLite takes apart: a twentieth of the processor time of Prisma's createMany, and
 * this runs in the thread that decides about the lists.
 */
import { writeEvidence } from './blocklist-evidence.ts';
import type { NewFailure, NewTransition } from './blocklist-row.ts';
import type { Database } from './database.ts';
import { storedTime } from './history-query.ts';

/** A statement without its values can be very long; its beginning tells which it is. */
const maxTextLength = 1_000;

/** All or nothing. @returns the ids, in the order of the batch. */
export async function insertTransitions(database: Database, batch: readonly NewTransition[]): Promise<number[]> {
  const json = JSON.stringify(
    batch.map(({ wallAtMs, evidence, parameters, ...rest }) => ({
      ...rest,
      at: storedTime(new Date(wallAtMs)),
      ...writeEvidence(evidence, parameters),
    })),
  );
  const rows = await database.$queryRaw<{ id: bigint | number }[]>`
    INSERT INTO "BlocklistTransition"
      (at, cluster, server, zone, list, change, listedForMs, evidenceFormat, evidence, parameters)
    SELECT value->>'at', value->>'cluster', value->>'address', value->>'zone', value->>'list', value->>'change',
      value->>'listedForMs', value->>'evidenceFormat', value->>'evidence', value->>'parameters'
    FROM json_each(${json}) ORDER BY key
    RETURNING id`;
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
}

/** All or nothing. */
export async function insertFailures(database: Database, batch: readonly NewFailure[]): Promise<void> {
  const json = JSON.stringify(
    batch.map(({ wallAtMs, detail, digest, ...rest }) => ({
      ...rest,
      at: storedTime(new Date(wallAtMs)),
      detail: detail.slice(0, maxTextLength),
      digest: digest.slice(0, maxTextLength),
    })),
  );
  await database.$executeRaw`
    INSERT INTO "ServerFailure" (at, cluster, server, kind, tookMs, errno, detail, sessionId, digest)
    SELECT value->>'at', value->>'cluster', value->>'address', value->>'kind', value->>'tookMs', value->>'errno',
      value->>'detail', value->>'sessionId', value->>'digest'
    FROM json_each(${json}) ORDER BY key`;
}
