import type { ListingSpan } from '../../proxy/control/contract.ts';

/** One listing, as it was and as it would have been; never both null. */
export interface SpanPair {
  readonly was: ListingSpan | null;
  readonly would: ListingSpan | null;
}

/**
 * Listings that happened beside those that would have happened, in the order of time: two belong together when they are of
 * the same server and list and overlap.
 * @param to the end of the span that was asked for: where open listings end
 */
export function compareSpans(was: readonly ListingSpan[], would: readonly ListingSpan[], to: string): SpanPair[] {
  const left = [...was].sort(byTime);
  const pairs: SpanPair[] = [...would].sort(byTime).map((span) => {
    const index = left.findIndex((other) => overlap(span, other, to));
    const [match = null] = index === -1 ? [] : left.splice(index, 1);
    return { was: match, would: span };
  });
  return [...pairs, ...left.map((span) => ({ was: span, would: null }))].sort((a, b) => byTime(spanOf(a), spanOf(b)));
}

/** Either side of a pair, what happened first. */
export function spanOf(pair: SpanPair): ListingSpan {
  const span = pair.was ?? pair.would;
  if (span === null) throw new Error('a pair of spans has neither');
  return span;
}

/** How long a listing lasted within [from, to], in milliseconds. */
export function spanMs(span: ListingSpan, from: string, to: string): number {
  const start = Math.max(Date.parse(span.listedAt), Date.parse(from));
  const end = Math.min(Date.parse(span.releasedAt ?? to), Date.parse(to));
  return Math.max(0, end - start);
}

/** How many listings on how many servers, and how long in all. */
export interface SpanTotals {
  readonly listings: number;
  readonly servers: number;
  readonly totalMs: number;
}

/** The sum of some listings within [from, to]. */
export function totalsOf(spans: readonly ListingSpan[], from: string, to: string): SpanTotals {
  return {
    listings: spans.length,
    servers: new Set(spans.map(({ server }) => server)).size,
    totalMs: spans.reduce((sum, span) => sum + spanMs(span, from, to), 0),
  };
}

function overlap(a: ListingSpan, b: ListingSpan, to: string): boolean {
  return (
    a.server === b.server &&
    a.list === b.list &&
    Date.parse(a.listedAt) <= Date.parse(b.releasedAt ?? to) &&
    Date.parse(b.listedAt) <= Date.parse(a.releasedAt ?? to)
  );
}

function byTime(a: ListingSpan, b: ListingSpan): number {
  return Date.parse(a.listedAt) - Date.parse(b.listedAt) || a.server.localeCompare(b.server);
}
