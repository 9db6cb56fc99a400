'use client';

import { Download, Printer } from 'lucide-react';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { useTimeZone } from '@/components/time-zone.tsx';
import { Button, buttonClass } from '@/components/ui/button.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { FilterSelect } from '@/components/ui/filter-select.tsx';
import { SearchBox } from '@/components/ui/search-box.tsx';
import { cn } from '@/lib/class-names.ts';
import { pairValue, withPair } from '@/lib/filter-text.ts';
import { type HistoryFilter, type HistoryView, historySearch } from '@/lib/history-filter.ts';
import { historyActionSchema, historyOutcomeSchema, historySourceSchema } from '../../../proxy/control/contract.ts';

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
  const t = useText('history');
  const { zone } = useTimeZone();
  const mayExport = useMay('history.export');
  const pick = (key: 'source' | 'action' | 'outcome') => (value: string) =>
    onChange({ q: withPair(view.q, key, value || null) });
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-2.5 lg:sticky lg:top-(--head) lg:px-6 print:hidden">
      <SearchBox
        value={view.q}
        onChange={(q) => onChange({ q })}
        label={t('search')}
        placeholder={t('searchHint')}
        helpId="history-search-help"
        help={t('searchHelp')}
      />
      <FilterSelect
        label={t('source')}
        value={pairValue(view.q, 'source') ?? ''}
        options={[
          ['', t('anySource')],
          ...historySourceSchema.options.map((one) => [one, t(`source.${one}`)] as const),
        ]}
        onChange={pick('source')}
      />
      <FilterSelect
        label={t('action')}
        value={pairValue(view.q, 'action') ?? ''}
        options={[
          ['', t('anyAction')],
          ...historyActionSchema.options.map((one) => [one, t(`action.${one}`)] as const),
        ]}
        onChange={pick('action')}
      />
      <FilterSelect
        label={t('outcome')}
        value={pairValue(view.q, 'outcome') ?? ''}
        options={[
          ['', t('anyOutcome')],
          ...historyOutcomeSchema.options.map((one) => [one, t(`outcome.${one}`)] as const),
        ]}
        onChange={pick('outcome')}
      />
      <fieldset className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
        <legend className="sr-only">{t('daysIn', { zone })}</legend>
        <input
          type="date"
          aria-label={t('fromDay')}
          value={view.from}
          max={view.to || undefined}
          onChange={(event) => onChange({ from: event.target.value })}
          className={cn(inputClass, 'w-34 px-2')}
        />
        –
        <input
          type="date"
          aria-label={t('toDay')}
          value={view.to}
          min={view.from || undefined}
          onChange={(event) => onChange({ to: event.target.value })}
          className={cn(inputClass, 'w-34 px-2')}
        />
      </fieldset>
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <p className="tabular text-right text-xs leading-tight text-muted">
          <span role="status">{t('shownOf', { shown, total })}</span>
          <span className="block text-subtle">{t('timesIn', { zone })}</span>
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
        <Button size="icon" aria-label={t('print')} onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
        </Button>
      </div>
    </div>
  );
}
