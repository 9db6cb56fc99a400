'use client';

import { Download, Printer } from 'lucide-react';
import { useMay } from '@/components/shell/user-context.tsx';
import { useTimeZone } from '@/components/time-zone.tsx';
import { Button, buttonClass } from '@/components/ui/button.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { FilterSelect } from '@/components/ui/filter-select.tsx';
import { SearchBox } from '@/components/ui/search-box.tsx';
import { cn } from '@/lib/class-names.ts';
import { pairValue, withPair } from '@/lib/filter-text.ts';
import { type HistoryFilter, type HistoryView, historySearch } from '@/lib/history-filter.ts';
import { countText } from '@/lib/numbers.ts';
import { historyActionSchema, historyOutcomeSchema, historySourceSchema } from '../../../proxy/control/contract.ts';
import { actionWords, outcomeWords, sourceWords } from './words.ts';

interface HistoryFilterBarProps {
  view: HistoryView;
  onChange: (next: Partial<HistoryView>) => void;
  filter: HistoryFilter;
  shown: number;
  /** As text: more than are counted end in a plus. */
  total: string;
}

/** Search box, source, action, outcome, days; the zone that the days are in; downloads of exactly this filter. */
export function HistoryFilterBar({ view, onChange, filter, shown, total }: HistoryFilterBarProps) {
  const { zone } = useTimeZone();
  const mayExport = useMay('history.export');
  const pick = (key: 'source' | 'action' | 'outcome') => (value: string) =>
    onChange({ q: withPair(view.q, key, value || null) });
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-2.5 lg:sticky lg:top-(--head) lg:px-6 print:hidden">
      <SearchBox
        value={view.q}
        onChange={(q) => onChange({ q })}
        label="Search the history"
        placeholder="Search, or actor:… outcome:…"
        helpId="history-search-help"
        help="Words, or key:value with the keys parameter, actor, role, token, origin, request, source, action and outcome."
      />
      <FilterSelect
        label="Source"
        value={pairValue(view.q, 'source') ?? ''}
        options={[['', 'Any source'], ...historySourceSchema.options.map((one) => [one, sourceWords[one]] as const)]}
        onChange={pick('source')}
      />
      <FilterSelect
        label="Action"
        value={pairValue(view.q, 'action') ?? ''}
        options={[['', 'Any action'], ...historyActionSchema.options.map((one) => [one, actionWords[one]] as const)]}
        onChange={pick('action')}
      />
      <FilterSelect
        label="Outcome"
        value={pairValue(view.q, 'outcome') ?? ''}
        options={[['', 'Any outcome'], ...historyOutcomeSchema.options.map((one) => [one, outcomeWords[one]] as const)]}
        onChange={pick('outcome')}
      />
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
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <p className="tabular text-right text-xs leading-tight text-muted">
          <span role="status">
            {countText(shown)} of {total}
          </span>
          <span className="block text-subtle">times in {zone}</span>
        </p>
        {mayExport ? (
          <>
            <a href={`/api/history.csv${historySearch(filter)}`} download className={buttonClass('secondary', 'md')}>
              <Download aria-hidden className="size-4" />
              CSV
            </a>
            <a href={`/api/history.json${historySearch(filter)}`} download className={buttonClass('secondary', 'md')}>
              <Download aria-hidden className="size-4" />
              JSON
            </a>
          </>
        ) : null}
        <Button size="icon" aria-label="Print what is shown" onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
        </Button>
      </div>
    </div>
  );
}
