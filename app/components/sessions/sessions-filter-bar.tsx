'use client';

import { Pause, Play } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { FilterSelect } from '@/components/ui/filter-select.tsx';
import { SearchBox } from '@/components/ui/search-box.tsx';
import { countText } from '@/lib/numbers.ts';
import { nextOrder, type SessionsFilter, type SessionsView } from '@/lib/sessions-filter.ts';
import {
  type SessionState,
  type SessionsResponse,
  sessionSortSchema,
  sessionStateSchema,
} from '../../../proxy/control/contract.ts';
import { sessionLooks } from './words.ts';

interface SessionsFilterBarProps {
  view: SessionsView;
  filter: SessionsFilter;
  onChange: (next: Partial<SessionsView>) => void;
  totals: Pick<SessionsResponse, 'matches' | 'states'> | undefined;
  isPaused: boolean;
  onPause: (isPaused: boolean) => void;
  isHeld: boolean;
}

const sortWords: Readonly<Record<string, string>> = {
  id: 'id',
  transaction: 'transaction age',
  statement: 'running time',
  servers: 'server sessions',
  since: 'connected since',
};

/** Search box, state, order where there are no column heads, and a pause; how many there are. */
export function SessionsFilterBar(props: SessionsFilterBarProps) {
  const { view, filter, onChange, totals, isPaused, onPause, isHeld } = props;
  const word = (state: SessionState): string => {
    const count = totals === undefined ? '' : ` (${countText(totals.states[state])})`;
    return sessionLooks[state].word + count;
  };
  return (
    <div className="z-10 flex flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-2.5 lg:px-6">
      <SearchBox
        value={view.q}
        maxLength={400}
        onChange={(q) => onChange({ q })}
        label="Search the sessions"
        placeholder="user, client or id, or tenant:… server:…"
        helpId="sessions-search-help"
        help="Part of id, user, tenant, cluster, client or database, or key:value with the keys user, tenant, cluster, client, database and server."
      />
      <FilterSelect
        label="State"
        value={filter.state ?? ''}
        options={[['', 'Any state'], ...sessionStateSchema.options.map((state) => [state, word(state)] as const)]}
        onChange={(state) => onChange({ state })}
      />
      <FilterSelect
        label="Sort by"
        value={filter.sort}
        options={sessionSortSchema.options.map((sort) => [sort, `by ${sortWords[sort] ?? sort}`] as const)}
        onChange={(value) => {
          const sort = sessionSortSchema.parse(value);
          onChange({ sort, order: nextOrder(sort, { ...filter, sort: 'id' }) });
        }}
        className="md:hidden"
      />
      <Button onClick={() => onPause(!isPaused)} aria-pressed={isPaused}>
        {isPaused ? <Play aria-hidden className="size-3.5" /> : <Pause aria-hidden className="size-3.5" />}
        Pause
      </Button>
      <p className="ml-auto text-right text-xs text-muted">
        <span className="max-md:hidden">
          {isPaused ? 'paused · ' : isHeld ? 'held while you are on a row · ' : 'every 2 s · '}
        </span>
        <span role="status" className="tabular">
          {totals === undefined ? '' : `${countText(totals.matches)} ${totals.matches === 1 ? 'session' : 'sessions'}`}
        </span>
      </p>
    </div>
  );
}
