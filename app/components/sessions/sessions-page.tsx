'use client';

import { useQueries } from '@tanstack/react-query';
import { Cable, SearchX } from 'lucide-react';
import { parseAsString, useQueryStates } from 'nuqs';
import { useCallback, useDeferredValue, useRef, useState } from 'react';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { offsetsOf } from '@/lib/row-window.ts';
import { sessionsQuery, sessionWindowSize } from '@/lib/session-queries.ts';
import { sessionsFilter } from '@/lib/sessions-filter.ts';
import type { Session, SessionsResponse } from '../../../proxy/control/contract.ts';
import { KillDialog } from './kill-dialog.tsx';
import { SessionTable } from './session-table.tsx';
import { SessionsFilterBar } from './sessions-filter-bar.tsx';
import { useLiveList } from './use-live-list.ts';
import { useScrollWindow } from './use-scroll-window.ts';

const text = parseAsString.withDefault('');
const view = { q: text, state: text, sort: text, order: text };

/** The sessions of all clients, live: who, from where, doing what, for how long. */
export function SessionsPage() {
  const t = useText('sessions');
  const common = useText('common');
  const [state, setState] = useQueryStates(view, { history: 'replace' });
  const filter = sessionsFilter(useDeferredValue(state));
  const mayKill = useMay('sessions.kill');
  const [target, setTarget] = useState<Session | null>(null);
  const [isPaused, setPaused] = useState(false);
  const box = useRef<HTMLElement>(null);
  const isHeld = useLiveList(box, isPaused || target !== null);
  // While a new filter's first answer is on its way the list keeps its length.
  const totals = useRef<SessionsResponse>(undefined);
  const window = useScrollWindow(box, totals.current?.matches ?? 0);
  const offsets = offsetsOf(window, sessionWindowSize);
  const queries = useQueries({ queries: offsets.map((offset) => sessionsQuery(filter, offset)) });
  const rows = new Map<number, Session>();
  for (const [index, { data }] of queries.entries()) {
    if (data === undefined) continue;
    totals.current = data;
    for (const [place, session] of data.sessions.entries()) rows.set((offsets[index] ?? 0) + place, session);
  }
  const kill = useCallback((session: Session) => setTarget(session), []);
  const failed = queries.find(({ isError }) => isError);
  const known = totals.current;
  const filtered = state.q !== '' || state.state !== '';
  return (
    <div className="flex h-[calc(100dvh-var(--head)-4rem)] flex-col lg:h-[calc(100dvh-var(--head))]">
      <SessionsFilterBar
        view={state}
        filter={filter}
        onChange={(next) => void setState(next)}
        totals={known}
        isPaused={isPaused}
        onPause={setPaused}
        isHeld={isHeld}
      />
      <section
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to be able to scroll it.
        tabIndex={0}
        aria-label={t('list')}
        className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto"
      >
        {known === undefined && failed !== undefined ? (
          <QueryFailure query={failed} what={t('theSessions')} />
        ) : known === undefined ? (
          <TableSkeleton rows={12} />
        ) : known.matches === 0 ? (
          <EmptyState icon={filtered ? SearchX : Cable} title={t(filtered ? 'noneFits' : 'noClient')}>
            {filtered ? (
              <Button className="mt-2" onClick={() => void setState(null)}>
                {common('clearFilter')}
              </Button>
            ) : (
              t('whenLoggedIn')
            )}
          </EmptyState>
        ) : (
          <SessionTable
            rows={rows}
            window={{ ...window, end: Math.min(known.matches, Math.max(window.end, window.first + 1)) }}
            count={known.matches}
            at={known.at}
            filter={filter}
            onSort={(sort, order) => void setState({ sort, order })}
            onKill={mayKill ? kill : undefined}
          />
        )}
      </section>
      {target === null ? null : <KillDialog session={target} onClose={() => setTarget(null)} />}
    </div>
  );
}
