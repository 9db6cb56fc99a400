'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Route } from 'lucide-react';
import { parseAsString, useQueryStates } from 'nuqs';
import { useDeferredValue, useEffect, useState } from 'react';
import { ErrorText } from '@/components/error-text.tsx';
import { useText } from '@/components/texts.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { cn } from '@/lib/class-names.ts';
import { planMoves } from '@/lib/plan-moves.ts';
import { overviewQuery } from '@/lib/queries.ts';
import { changesBetween, likelyTenant, type RouteQuestion, requestOf } from '@/lib/route-question.ts';
import { routePlanQuery, routingChoicesQuery } from '@/lib/routing-queries.ts';
import type { RoutePlan } from '../../../proxy/control/contract.ts';
import { CandidateList } from './candidate-list.tsx';
import { LoadCharts } from './load-charts.tsx';
import { PlanFacts } from './plan-facts.tsx';
import { PlanMap } from './plan-map.tsx';
import { QuestionForm } from './question-form.tsx';
import { WhatMoved } from './what-moved.tsx';

const text = parseAsString.withDefault('');
const state = {
  sql: text,
  session: text,
  cluster: text,
  tenant: text,
  database: text,
  idc: text,
  consistency: text,
  policy: text,
  zonePolicy: text,
  transaction: text,
  bound: text,
  last: text,
};

interface Answered {
  readonly question: RouteQuestion;
  readonly plan: RoutePlan;
}

/** Paste a statement, choose what its session is like, see where it would go and why, change one thing, see what moves. */
export function RoutingPage() {
  const t = useText('routing');
  const [view, setView] = useQueryStates(state, { history: 'replace' });
  const overview = useQuery(overviewQuery).data;
  const choices = useQuery(routingChoicesQuery).data;
  const question = useDeferredValue(withDefaults(view, choices?.clusters ?? []));
  const request = requestOf(question);
  const query = useQuery({ ...routePlanQuery(request), placeholderData: keepPreviousData });
  const plan = query.data?.answer.plan ?? null;
  const isOld = query.isPlaceholderData;
  const [shown, setShown] = useState<{ now: Answered | null; before: Answered | null }>({ now: null, before: null });
  useEffect(() => {
    if (plan === null || isOld) return;
    setShown(({ now, before }) => {
      if (now === null || changesBetween(now.question, question).length === 0)
        return { now: { question, plan }, before };
      return { now: { question, plan }, before: now };
    });
  }, [plan, question, isOld]);
  const before = request === null || shown.now?.plan !== plan ? null : shown.before;
  const cluster = overview?.clusters.find(({ name }) => name === (query.data?.answer.cluster ?? question.cluster));
  const moves = before === null || plan === null ? null : planMoves(before.plan, plan);
  return (
    <div className="grid items-start gap-4 p-4 lg:gap-5 lg:p-6 xl:grid-cols-[21rem_minmax(0,1fr)]">
      <QuestionForm
        view={{ ...view, cluster: question.cluster, tenant: question.tenant }}
        overview={overview}
        choices={choices}
        onChange={(next) => void setView(next)}
      />
      <div className="grid min-w-0 gap-4 lg:gap-5">
        {query.isError ? (
          <Notice tone="bad" alert>
            <ErrorText error={query.error} />
          </Notice>
        ) : null}
        {request === null ? (
          <Panel title={t('plan')}>
            <EmptyState icon={Route} title={t('paste')}>
              {t('pasteAbout')}
            </EmptyState>
          </Panel>
        ) : query.data !== undefined && plan === null ? (
          <Notice tone="info">{t('answersItself')}</Notice>
        ) : plan === null ? null : (
          <div aria-busy={isOld} className={cn('grid min-w-0 gap-4 lg:gap-5', query.isError && 'opacity-50')}>
            {moves === null || before === null ? null : (
              <WhatMoved
                before={before.plan}
                now={plan}
                moves={moves}
                changes={changesBetween(before.question, question)}
                onBack={() => void setView({ ...before.question })}
              />
            )}
            <PlanFacts plan={plan} />
            {cluster === undefined ? null : (
              <PlanMap cluster={cluster} plan={plan} before={before?.plan.sharedBy ?? []} />
            )}
            <CandidateList plan={plan} moves={moves} before={before?.plan ?? null} />
          </div>
        )}
        <LoadCharts overview={overview} />
      </div>
    </div>
  );
}

/** With one cluster there is no doubt. */
function withDefaults(
  view: RouteQuestion,
  clusters: readonly { readonly name: string; readonly tenants: readonly string[] | null }[],
): RouteQuestion {
  const cluster = view.cluster === '' ? (clusters[0]?.name ?? '') : view.cluster;
  const tenants = clusters.find(({ name }) => name === cluster)?.tenants ?? [];
  const tenant = view.tenant === '' ? likelyTenant(tenants) : view.tenant;
  return { ...view, cluster, tenant };
}
