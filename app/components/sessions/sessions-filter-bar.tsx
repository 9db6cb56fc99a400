'use client';

import { Pause, Play } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { FilterSelect } from '@/components/ui/filter-select.tsx';
import { SearchBox } from '@/components/ui/search-box.tsx';
import { nextOrder, type SessionsFilter, type SessionsView } from '@/lib/sessions-filter.ts';
import {
  type SessionState,
  type SessionsResponse,
  sessionSortSchema,
  sessionStateSchema,
} from '../../../proxy/control/contract.ts';

interface SessionsFilterBarProps {
  view: SessionsView;
  filter: SessionsFilter;
  onChange: (next: Partial<SessionsView>) => void;
  totals: Pick<SessionsResponse, 'matches' | 'states'> | undefined;
  isPaused: boolean;
  onPause: (isPaused: boolean) => void;
  isHeld: boolean;
}

/** Search box, state, order where there are no column heads, and a pause; how many there are. */
export function SessionsFilterBar(props: SessionsFilterBarProps) {
  const t = useText('sessions');
  const { view, filter, onChange, totals, isPaused, onPause, isHeld } = props;
  const word = (state: SessionState): string => {
    const name = t(`state.${state}`);
    return totals === undefined ? name : t('stateCount', { state: name, count: totals.states[state] });
  };
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-2.5 lg:px-6">
      <SearchBox
        value={view.q}
        maxLength={400}
        onChange={(q) => onChange({ q })}
        label={t('search')}
        placeholder={t('searchExample')}
        helpId="sessions-search-help"
        help={t('searchHelp')}
      />
      <FilterSelect
        label={t('state')}
        value={filter.state ?? ''}
        options={[['', t('anyState')], ...sessionStateSchema.options.map((state) => [state, word(state)] as const)]}
        onChange={(state) => onChange({ state })}
      />
      <FilterSelect
        label={t('sortBy')}
        value={filter.sort}
        options={sessionSortSchema.options.map((sort) => [sort, t(`by.${sort}`)] as const)}
        onChange={(value) => {
          const sort = sessionSortSchema.parse(value);
          onChange({ sort, order: nextOrder(sort, { ...filter, sort: 'id' }) });
        }}
        className="md:hidden"
      />
      <Button onClick={() => onPause(!isPaused)} aria-pressed={isPaused}>
        {isPaused ? <Play aria-hidden className="size-3.5" /> : <Pause aria-hidden className="size-3.5" />}
        {t('pause')}
      </Button>
      <p className="ml-auto text-right text-xs text-muted">
        <span className="max-md:hidden">{t(isPaused ? 'paused' : isHeld ? 'held' : 'everySeconds')} · </span>
        <span role="status" className="tabular">
          {totals === undefined ? '' : t('count', { count: totals.matches })}
        </span>
      </p>
    </div>
  );
}
