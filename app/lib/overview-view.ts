/** What the Overview shows, all of it in its address, so that a link shows somebody else the same. */

/** The page's own state as the address has it; empty: as usual. */
export interface OverviewView {
  /** `15m`, `1h` or `4h`. */
  readonly range: string;
  /** Moment at which the page was paused, ISO; empty: it is live. */
  readonly at: string;
  /** Id of the chosen mark. */
  readonly event: string;
  /** `cluster/zone` whose traffic is shown alone. */
  readonly zone: string;
}

export const ranges = { '15m': 15, '1h': 60, '4h': 240 } as const;
export type Range = keyof typeof ranges;

/** What cannot be understood in an address that was typed or cut counts as not given. */
export function rangeOf({ range }: OverviewView): Range {
  return range === '1h' || range === '4h' ? range : '15m';
}

/** The moment of a paused view, ISO; null: it is live. */
export function pausedAt({ at }: Pick<OverviewView, 'at'>): string | null {
  const atMs = Date.parse(at);
  return at.endsWith('Z') && Number.isFinite(atMs) ? new Date(atMs).toISOString() : null;
}

/** The address of what is shown at a moment. */
export function momentLink(page: string, view: OverviewView, at: string): string {
  const url = new URL(page);
  url.search = '';
  url.hash = '';
  for (const [key, value] of Object.entries({ ...view, at })) if (value !== '') url.searchParams.set(key, value);
  return url.href;
}

/** Events of a live view are asked for from a moment that seldom changes, so that they are not asked for all the time. */
const FROM_STEP_MS = 300_000;

/** The span to ask events of. @param nowMs by the proxy's clock, for a live view */
export function eventSpan(range: Range, at: string | null, nowMs: number): { from: string; to?: string } {
  const lengthMs = ranges[range] * 60_000;
  if (at === null) {
    const fromMs = Math.floor((nowMs - lengthMs) / FROM_STEP_MS) * FROM_STEP_MS;
    return { from: new Date(fromMs).toISOString() };
  }
  const toMs = Date.parse(at);
  // What happened at that very moment is part of it; the end of a span is not.
  return { from: new Date(toMs - lengthMs).toISOString(), to: new Date(toMs + 1).toISOString() };
}
