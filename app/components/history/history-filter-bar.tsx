'use client';

import { Download, Search } from 'lucide-react';
import { useMay } from '@/components/shell/user-context.tsx';
import { useTimeZone } from '@/components/time-zone.tsx';
import { buttonClass } from '@/components/ui/button.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { cn } from '@/lib/class-names.ts';
import { pairValue, withPair } from '@/lib/filter-text.ts';
import { type HistoryFilter, type HistoryView, historySearch } from '@/lib/history-filter.ts';
import { countText } from '@/lib/numbers.ts';
import { historyActionSchema, historySourceSchema } from '../../../proxy/control/contract.ts';
import { actionWords, sourceWords } from './words.ts';

interface HistoryFilterBarProps {
  view: HistoryView;
  onChange: (next: Partial<HistoryView>) => void;
  filter: HistoryFilter;
  shown: number;
  total: number;
}

/** Search box, source, action, days; the zone that the days are in; the CSV of exactly this filter. */
export function HistoryFilterBar({ view, onChange, filter, shown, total }: HistoryFilterBarProps) {
  const { zone } = useTimeZone();
  const mayExport = useMay('history.export');
  const pick = (key: 'source' | 'action') => (event: React.ChangeEvent<HTMLSelectElement>) =>
    onChange({ q: withPair(view.q, key, event.target.value || null) });
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-2.5 lg:sticky lg:top-(--head) lg:px-6">
      <div className="relative min-w-0 flex-1 basis-60 xl:max-w-sm">
        <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-subtle" />
        <input
          data-search
          type="search"
          value={view.q}
          onChange={(event) => onChange({ q: event.target.value })}
          aria-label="Search the history"
          aria-describedby="history-search-help"
          placeholder="Search, or parameter:… actor:…"
          className={cn(inputClass, 'pl-8')}
        />
        <p id="history-search-help" className="sr-only">
          Words, or key:value with the keys parameter, actor, source and action.
        </p>
      </div>
      <select
        aria-label="Source"
        value={pairValue(view.q, 'source') ?? ''}
        onChange={pick('source')}
        className={selectClass}
      >
        <option value="">Any source</option>
        {historySourceSchema.options.map((source) => (
          <option key={source} value={source}>
            {sourceWords[source]}
          </option>
        ))}
      </select>
      <select
        aria-label="Action"
        value={pairValue(view.q, 'action') ?? ''}
        onChange={pick('action')}
        className={selectClass}
      >
        <option value="">Any action</option>
        {historyActionSchema.options.map((action) => (
          <option key={action} value={action}>
            {actionWords[action]}
          </option>
        ))}
      </select>
      <fieldset className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
        <legend className="sr-only">Days, in {zone}</legend>
        <input
          type="date"
          aria-label="From day"
          value={view.from}
          max={view.to || undefined}
          onChange={(event) => onChange({ from: event.target.value })}
          className={cn(inputClass, 'w-34 px-2')}
        />
        –
        <input
          type="date"
          aria-label="To day"
          value={view.to}
          min={view.from || undefined}
          onChange={(event) => onChange({ to: event.target.value })}
          className={cn(inputClass, 'w-34 px-2')}
        />
      </fieldset>
      <div className="ml-auto flex items-center gap-3">
        <p className="tabular text-right text-xs leading-tight text-muted">
          <span role="status">
            {countText(shown)} of {countText(total)}
          </span>
          <span className="block text-subtle">times in {zone}</span>
        </p>
        {mayExport ? (
          <a href={`/api/history.csv${historySearch(filter)}`} download className={buttonClass('secondary', 'md')}>
            <Download aria-hidden className="size-4" />
            CSV
          </a>
        ) : null}
      </div>
    </div>
  );
}

const selectClass = cn(inputClass, 'w-auto');
