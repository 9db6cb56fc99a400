'use client';

import { Pause, Play, Search } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { cn } from '@/lib/class-names.ts';
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
      <div className="relative min-w-0 flex-1 basis-60 xl:max-w-sm">
        <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-subtle" />
        <input
          data-search
          type="search"
          value={view.q}
          maxLength={400}
          onChange={(event) => onChange({ q: event.target.value })}
          aria-label="Search the sessions"
          aria-describedby="sessions-search-help"
          placeholder="user, client or id, or tenant:… server:…"
          className={cn(inputClass, 'pl-8')}
        />
        <p id="sessions-search-help" className="sr-only">
          Part of id, user, tenant, cluster, client or database, or key:value with the keys user, tenant, cluster,
          client, database and server.
        </p>
      </div>
      <select
        aria-label="State"
        value={filter.state ?? ''}
        onChange={(event) => onChange({ state: event.target.value })}
        className={cn(inputClass, 'w-auto')}
      >
        <option value="">Any state</option>
        {sessionStateSchema.options.map((state) => (
          <option key={state} value={state}>
            {word(state)}
          </option>
        ))}
      </select>
      <select
        aria-label="Sort by"
        value={filter.sort}
        onChange={(event) => {
          const sort = sessionSortSchema.parse(event.target.value);
          onChange({ sort, order: nextOrder(sort, { ...filter, sort: 'id' }) });
        }}
        className={cn(inputClass, 'w-auto md:hidden')}
      >
        {sessionSortSchema.options.map((sort) => (
          <option key={sort} value={sort}>
            by {sortWords[sort] ?? sort}
          </option>
        ))}
      </select>
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
