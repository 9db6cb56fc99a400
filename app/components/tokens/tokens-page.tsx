'use client';

import { useQuery } from '@tanstack/react-query';
import { KeySquare, Plus } from 'lucide-react';
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { lazy, Suspense, useState } from 'react';
import { ErrorText } from '@/components/error-text.tsx';
import { ProxyClock } from '@/components/proxy-clock.tsx';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { Switch } from '@/components/ui/switch.tsx';
import { tokensQuery } from '@/lib/token-queries.ts';
import { TokenTable } from './token-table.tsx';

// Fetched when somebody asks for them: the list needs nothing of these.
const MakeDialog = lazy(() => import('./make-dialog.tsx').then((module) => ({ default: module.MakeDialog })));
const RevokeDialog = lazy(() => import('./revoke-dialog.tsx').then((module) => ({ default: module.RevokeDialog })));
const ApiRoutes = lazy(() => import('./api-routes.tsx').then((module) => ({ default: module.ApiRoutes })));

const view = {
  whose: parseAsStringLiteral(['own', 'all']).withDefault('own'),
  do: parseAsStringLiteral(['make', 'revoke']),
  token: parseAsInteger,
};

/** The tokens with which scripts use the API: one's own, for administrators everybody's; and what the API has. */
export function TokensPage() {
  const t = useText('tokens');
  const [{ whose, do: task, token: id }, setView] = useQueryStates(view, { history: 'replace' });
  const [isApiOpen, setApiOpen] = useState(false);
  const maySeeAll = useMay('tokens.manage');
  const query = useQuery(tokensQuery(maySeeAll ? whose : 'own'));
  const answer = query.data;
  if (answer === undefined) {
    return query.isError ? <QueryFailure query={query} what={t('theTokens')} /> : <TableSkeleton rows={4} />;
  }
  const chosen = answer.tokens.find((one) => one.id === id);
  const close = (): void => void setView({ do: null, token: null });
  return (
    <ProxyClock at={answer.at} receivedAtMs={query.dataUpdatedAt}>
      <div className="grid gap-4 p-4 lg:gap-5 lg:p-6">
        {query.isError ? (
          <Notice tone="warn">
            <ErrorText error={query.error} />
          </Notice>
        ) : null}
        <p className="max-w-prose text-sm text-muted">{t('about')}</p>
        <Panel
          title={t('title')}
          aside={
            <div className="flex items-center gap-3">
              {maySeeAll ? (
                <span className="flex items-center gap-2 text-xs text-muted">
                  <span aria-hidden>{t('everybodys')}</span>
                  <Switch
                    label={t('everybodys')}
                    checked={whose === 'all'}
                    onCheckedChange={(on) => void setView({ whose: on ? 'all' : 'own' })}
                  />
                </span>
              ) : null}
              <Button size="sm" onClick={() => void setView({ do: 'make', token: null })}>
                <Plus aria-hidden className="size-3.5" />
                {t('make')}
              </Button>
            </div>
          }
        >
          {answer.tokens.length === 0 ? (
            <EmptyState icon={KeySquare} title={t('none')}>
              {t('noneAbout')}
            </EmptyState>
          ) : (
            <TokenTable
              tokens={answer.tokens}
              showOwner={whose === 'all'}
              onRevoke={(token) => void setView({ do: 'revoke', token })}
            />
          )}
        </Panel>
        <Panel
          title={t('api')}
          aside={
            <div className="flex items-center gap-3 text-xs">
              <a href="/api/openapi.json" download="odp-openapi.json" className="text-accent underline">
                {t('document')}
              </a>
              {isApiOpen ? null : (
                <Button size="sm" onClick={() => setApiOpen(true)}>
                  {t('show')}
                </Button>
              )}
            </div>
          }
        >
          {isApiOpen ? (
            <Suspense fallback={<TableSkeleton rows={6} />}>
              <ApiRoutes />
            </Suspense>
          ) : null}
        </Panel>
      </div>
      <Suspense>
        {task === 'make' ? <MakeDialog canGive={answer.canGive} onClose={close} /> : null}
        {task === 'revoke' && chosen !== undefined ? <RevokeDialog token={chosen} onClose={close} /> : null}
      </Suspense>
    </ProxyClock>
  );
}
