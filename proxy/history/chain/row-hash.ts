import { createHash } from 'node:crypto';
import type { HistoryRow } from '../history-row.ts';

/** The encoding that new rows are hashed in. An older one is never taken away: its rows must go on verifying. */
export const chainFormat = 2;

/** What stands for the hash before the first row. */
export const chainStart = '0'.repeat(64);

/** A row as it is hashed: without its hash. */
export type HashedRow = Omit<HistoryRow, 'hash'>;

/**
 * SHA-256 (hex) over the hash before and the row. Format 2 is the UTF-8 of a JSON array as ECMAScript and RFC 8785 write
 * it – no blanks, shortest escapes – of: format, hash before, id, time (ISO 8601, ms, Z), action, actor, role, token,
 * source, origin, parameter, scope, old value, new value, outcome, failure, workers applied, workers in all, reason,
 * request id. Format 1 has no token.
 * @returns null for a format that this version does not know
 */
export function rowHash(before: string, row: HashedRow): string | null {
  if (row.chainFormat !== chainFormat && row.chainFormat !== 1) return null;
  const { id, at, action, actor, role, source, origin, parameter, scope, oldValue, newValue, outcome, failure } = row;
  const { workersApplied, workersTotal, reason, requestId } = row;
  const who = [action, actor, role, ...(row.chainFormat === 1 ? [] : [row.token]), source, origin];
  const what = [parameter, scope, oldValue, newValue, outcome, failure, workersApplied, workersTotal];
  return sha256(JSON.stringify([row.chainFormat, before, id, at.toISOString(), ...who, ...what, reason, requestId]));
}

/** SHA-256 of a text, hex. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * A text that the database gives back as it got it: half surrogate pairs and NUL, which it would not keep, become U+FFFD.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
