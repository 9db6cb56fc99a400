/** Rates of zones from what the proxy counted, and which of them are in trouble. */
import type { Traffic } from '../../proxy/control/contract.ts';

interface RatePoint {
  readonly atMs: number;
  /** Per second; null: not known. */
  readonly statements: number | null;
  readonly errors: number | null;
}

export interface ZoneRates {
  readonly key: string;
  readonly cluster: string;
  readonly zone: string;
  /** Oldest first; each at the middle of its piece of time. */
  readonly points: readonly RatePoint[];
  /** Per second over the last minute that is known; null: nothing is. */
  readonly last: { readonly statements: number; readonly errors: number } | null;
  readonly trouble: ErrorTrouble | null;
}

interface ErrorTrouble {
  /** Of the statements of the last minute, in [0, 1]. */
  readonly share: number;
  /** Begin of the run of points with as many errors, ISO. */
  readonly since: string;
}

/** What is said of the present goes by so much of the past. */
const RECENT_MS = 60_000;
/** From this share of errors on, and this many of them within a minute, something is wrong. */
const TROUBLE_SHARE = 0.05;
const TROUBLE_ERRORS = 5;

const zoneKey = (cluster: string, zone: string): string => `${cluster}/${zone}`;

export function zoneRates({ from, stepMs, zones }: Traffic): ZoneRates[] {
  const fromMs = Date.parse(from);
  const seconds = stepMs / 1_000;
  return zones.map(({ cluster, zone, statements, errors }) => {
    const perSecond = (count: number | null | undefined): number | null => (count == null ? null : count / seconds);
    const points = statements.map((count, index) => ({
      atMs: fromMs + (index + 0.5) * stepMs,
      statements: perSecond(count),
      errors: perSecond(errors[index]),
    }));
    const recent = recentCounts(statements, errors, stepMs);
    return {
      key: zoneKey(cluster, zone),
      cluster,
      zone,
      points,
      last:
        recent === null
          ? null
          : { statements: recent.statements / recent.seconds, errors: recent.errors / recent.seconds },
      trouble: recent === null ? null : troubleOf(recent, statements, errors, fromMs, stepMs),
    };
  });
}

type Counts = readonly (number | null)[];

interface Recent {
  readonly statements: number;
  readonly errors: number;
  readonly seconds: number;
}

function recentCounts(statements: Counts, errors: Counts, stepMs: number): Recent | null {
  const points = Math.max(1, Math.round(RECENT_MS / stepMs));
  const known = statements
    .map((count, index) => ({ count, failed: errors[index] ?? null }))
    .slice(-points)
    .filter(({ count }) => count !== null);
  if (known.length === 0) return null;
  return {
    statements: known.reduce((sum, { count }) => sum + (count ?? 0), 0),
    errors: known.reduce((sum, { failed }) => sum + (failed ?? 0), 0),
    seconds: (known.length * stepMs) / 1_000,
  };
}

function troubleOf(recent: Recent, statements: Counts, errors: Counts, fromMs: number, stepMs: number) {
  // A server that cannot be had is an error without a statement.
  const share = shareOf(recent.statements, recent.errors);
  if (share < TROUBLE_SHARE || (recent.errors / recent.seconds) * 60 < TROUBLE_ERRORS) return null;
  let first = statements.length;
  for (let index = statements.length - 1; index >= 0; index -= 1) {
    const [count, failed] = [statements[index], errors[index]];
    if (count == null || failed == null) break;
    // A point without anything to do is no sign that it is over.
    if (count === 0 && failed === 0) continue;
    if (shareOf(count, failed) >= TROUBLE_SHARE) first = index;
    // One that works after a minute's worth of trouble ends the run; a single good one in the last minute does not.
    else if ((statements.length - index) * stepMs > RECENT_MS) break;
  }
  return { share, since: new Date(fromMs + first * stepMs).toISOString() };
}

function shareOf(statements: number, errors: number): number {
  const most = Math.max(statements, errors);
  return most === 0 ? 0 : errors / most;
}

/** The highest point of any zone: charts of one scale can be compared. */
export function topOf(rates: readonly ZoneRates[], of: 'statements' | 'errors'): number {
  return Math.max(0, ...rates.flatMap(({ points }) => points.map((point) => point[of] ?? 0)));
}
