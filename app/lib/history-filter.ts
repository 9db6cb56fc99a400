import {
  type HistoryQuery,
  historyActionSchema,
  historyOutcomeSchema,
  historySourceSchema,
} from '../../proxy/control/contract.ts';
import { parseFilterText } from './filter-text.ts';
import { dayStart } from './time.ts';

/** What the history page filters by, as the control API wants it. */
export type HistoryFilter = Omit<HistoryQuery, 'before' | 'limit'>;

/** Keys of the history's search box. */
const historyKeys = [
  'parameter',
  'actor',
  'role',
  'token',
  'origin',
  'request',
  'source',
  'action',
  'outcome',
] as const;

/** The page's own state, all of it in the URL. */
export interface HistoryView {
  /** Search box. */
  readonly q: string;
  /** First and last day in the shown zone, `YYYY-MM-DD`; empty for open. */
  readonly from: string;
  readonly to: string;
}

/**
 * The filter of a view. Days are half-open intervals of the shown zone (case B106). A source, action or outcome that does
 * not exist is searched as text, so that nothing typed is silently dropped.
 */
export function historyFilter(view: HistoryView, zone: string): HistoryFilter {
  const { words, pairs } = parseFilterText(view.q, historyKeys);
  const filter: HistoryFilter = {};
  const text = [...words];
  for (const { key, value } of pairs) {
    if (key === 'parameter') filter.parameter = value;
    else if (key === 'actor') filter.actor = value;
    else if (key === 'role') filter.role = value;
    else if (key === 'token') filter.token = value;
    else if (key === 'origin') filter.origin = value;
    else if (key === 'request') filter.requestId = value;
    else if (key === 'outcome') {
      const outcome = historyOutcomeSchema.safeParse(value.toLowerCase());
      if (outcome.success) filter.outcome = outcome.data;
      else text.push(`outcome:${value}`);
    } else if (key === 'source') {
      const source = historySourceSchema.safeParse(value.toLowerCase());
      if (source.success) filter.source = source.data;
      else text.push(`source:${value}`);
    } else {
      const action = historyActionSchema.safeParse(value.toLowerCase());
      if (action.success) filter.action = action.data;
      else text.push(`action:${value}`);
    }
  }
  if (text.length > 0) filter.text = text.join(' ').slice(0, 200);
  if (isDay(view.from)) filter.from = dayStart(view.from, zone);
  if (isDay(view.to)) filter.to = dayStart(view.to, zone, 1);
  return filter;
}

/** The query string of a filter, with its `?`; empty when there is nothing to say. */
export function historySearch(filter: HistoryFilter, page: { before?: number | null; limit?: number } = {}): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...filter, ...page })) {
    if (value !== undefined && value !== null) query.set(key, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}
