'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Unplug } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { ApiError } from '@/lib/api.ts';
import { countText } from '@/lib/numbers.ts';
import { sessionQuery } from '@/lib/session-queries.ts';
import { durationText } from '@/lib/time.ts';
import type { SessionDetail } from '../../../proxy/control/contract.ts';
import { KillDialog } from './kill-dialog.tsx';
import { ServerSessions } from './server-sessions.tsx';
import { SessionVariables } from './session-variables.tsx';
import { StatementList } from './statement-list.tsx';
import { sessionLook } from './words.ts';

/** One session, live: what it did last and where, its server sessions, its variables. Its last state stays when it ends. */
export function SessionPage({ id }: { id: string }) {
  const t = useText('sessions');
  const query = useQuery(sessionQuery(id));
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  const session = query.data?.session;
  return (
    <div className="grid gap-4 p-4 lg:gap-5 lg:p-6">
      <p>
        <Link href="/sessions" className="inline-flex items-center gap-1.5 text-sm text-muted hover:text-fg">
          <ArrowLeft aria-hidden className="size-4" />
          {t('allSessions')}
        </Link>
      </p>
      {session === undefined ? (
        isGone ? (
          <EmptyState icon={Unplug} title={t('noSuch', { id })}>
            {t('noSuchAbout')}
          </EmptyState>
        ) : query.isError ? (
          <QueryFailure query={query} what={t('session', { id })} />
        ) : (
          <TableSkeleton rows={6} />
        )
      ) : (
        <>
          {isGone ? (
            <Notice tone="warn" alert>
              {t('hasEnded')}
            </Notice>
          ) : query.isError ? (
            <Notice tone="bad" alert>
              {t('notReadNow')}{' '}
              <button type="button" className="underline" onClick={() => void query.refetch()}>
                {t('tryAgain')}
              </button>
            </Notice>
          ) : null}
          <Facts session={session} at={query.data?.at ?? ''} isGone={isGone} />
          <StatementList session={session} isGone={isGone} />
          <ServerSessions session={session} />
          <SessionVariables variables={session.variables} />
        </>
      )}
    </div>
  );
}

function Facts({ session, at, isGone }: { session: SessionDetail; at: string; isGone: boolean }) {
  const t = useText('sessions');
  const mayKill = useMay('sessions.kill');
  const [isKilling, setKilling] = useState(false);
  const { id, user, tenant, cluster, client, database, state, transactionMs, transactions, connectedAt } = session;
  return (
    <section aria-labelledby="session-name" className="rounded-lg border border-line bg-panel">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        <h2 id="session-name" className="min-w-0 text-base font-semibold [overflow-wrap:anywhere]">
          <PlainText text={`${user}@${tenant}${cluster === '' ? '' : `#${cluster}`}`} />
        </h2>
        {isGone ? null : <StateMark look={sessionLook(state, t)} state={state} />}
        {mayKill && !isGone ? (
          <Button className="ml-auto" onClick={() => setKilling(true)}>
            {t('killMore')}
          </Button>
        ) : null}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 p-4 text-sm md:grid-cols-4">
        <Fact term={t('fact.session')}>{id}</Fact>
        <Fact term={t('fact.client')}>{client}</Fact>
        <Fact term={t('fact.database')}>{database === '' ? t('none') : <PlainText text={database} />}</Fact>
        <Fact term={t('fact.tls')}>{t(session.usesTls ? 'yes' : 'no')}</Fact>
        <Fact term={t('fact.since')}>
          <Time iso={connectedAt} />
          <span className="block text-xs text-muted">
            {durationText(Date.parse(at) - Date.parse(connectedAt), t.language)}
          </span>
        </Fact>
        <Fact term={t('fact.transaction')}>
          {transactionMs === null ? t('noneOpen') : t('openFor', { time: durationText(transactionMs, t.language) })}
        </Fact>
        <Fact term={t('fact.transactions')}>{countText(transactions)}</Fact>
        <Fact term="IDC">{session.idcName === '' ? t('none') : <PlainText text={session.idcName} />}</Fact>
      </dl>
      {isKilling ? <KillDialog session={session} onClose={() => setKilling(false)} /> : null}
    </section>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="tabular [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
