import type { Generation } from './types.ts';

/** Fewer say nothing. */
const LEAST_ERRORS = 10;
/** What the old generation's share may grow to: so many times, and so much beside. */
const FACTOR = 3;
const MARGIN = 0.01;

/**
 * Whether the new generation answers errors of the proxy's own clearly more often than the old one has, each since its
 * start. Errors of servers, such as for a statement that is misspelt, do not count.
 * @returns what there is to say about it; null: it does not
 */
export function errorRise(old: Generation | undefined, fresh: Generation): string | null {
  const share = shareOf(fresh);
  const before = old === undefined ? 0 : shareOf(old);
  const errors = fresh.report?.errors ?? 0;
  if (errors < LEAST_ERRORS || share <= before * FACTOR + MARGIN) return null;
  return `${percent(share)} of the requests to the new generation end with an error of the proxy (${errors} of ${fresh.report?.requests ?? 0}), before it were ${percent(before)}`;
}

function shareOf({ report }: Generation): number {
  return report === null ? 0 : report.errors / Math.max(1, report.requests, report.errors);
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
