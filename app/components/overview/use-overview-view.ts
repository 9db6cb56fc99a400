'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import { type OverviewView, pausedAt, type Range, rangeOf } from '@/lib/overview-view.ts';

const text = parseAsString.withDefault('');
const parts = { range: text, at: text, event: text, zone: text };

/** The page's state, in its address. */
export function useOverviewView(): {
  readonly view: OverviewView;
  readonly range: Range;
  /** Moment of a paused page, ISO; null: it is live. */
  readonly at: string | null;
  readonly setView: (change: Partial<OverviewView>) => void;
} {
  const [view, setView] = useQueryStates(parts, { history: 'replace' });
  return { view, range: rangeOf(view), at: pausedAt(view), setView: (change) => void setView(change) };
}
