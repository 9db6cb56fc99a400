'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { ErrorText } from '@/components/error-text.tsx';
import { useText } from '@/components/texts.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { plannedTexts } from '@/lib/effects.ts';
import { planMoves } from '@/lib/plan-moves.ts';
import { likelyTenant } from '@/lib/route-question.ts';
import { routePlanQuery, routingChoicesQuery } from '@/lib/routing-queries.ts';
import {
  type RouteExplainRequest,
  type RoutePlan,
  routeExplainRequestSchema,
} from '../../../proxy/control/contract.ts';
import type { PendingChange } from './pending-change.ts';

/** The plan of a statement as it is and as it would be with the changes. */
export function RouteEffect({ changes }: { changes: readonly PendingChange[] }) {
  const t = useText('parameters');
  const { clusters = [] } = useQuery(routingChoicesQuery).data ?? {};
  const [sql, setSql] = useState('SELECT 1');
  const [chosen, setChosen] = useState('');
  const places = clusters.flatMap(({ name, tenants }) => (tenants ?? []).map((tenant) => `${tenant}#${name}`));
  const [first] = clusters;
  const likely = first === undefined ? '' : `${likelyTenant(first.tenants ?? [])}#${first.name}`;
  const place = places.includes(chosen) ? chosen : likely;
  const statement = useDeferredValue(sql);
  const now = useQuery(routePlanQuery(requestOf(statement, place, {})));
  const then = useQuery(routePlanQuery(requestOf(statement, place, plannedTexts(changes))));
  const failure = now.error ?? then.error;
  return (
    <section aria-label={t('route')} className="grid gap-3 rounded-lg border border-line bg-inset p-3.5">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="mr-auto text-sm font-semibold">{t('whereGoes')}</h3>
        {places.length > 1 ? (
          <select
            aria-label={t('tenantThatSends')}
            value={place}
            onChange={(event) => setChosen(event.target.value)}
            className={cn(inputClass, 'h-7 w-auto text-xs')}
          >
            {places.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        ) : null}
      </div>
      <input
        aria-label={t('statement')}
        value={sql}
        onChange={(event) => setSql(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        className={cn(inputClass, 'font-mono')}
      />
      <div role="status" aria-busy={now.isFetching || then.isFetching}>
        {failure !== null ? (
          <Notice tone="bad">{t.rich('notPlanned', { why: <ErrorText error={failure} /> })}</Notice>
        ) : now.data === undefined || then.data === undefined ? (
          <p className="text-sm text-muted">{t(sql.trim() === '' ? 'writeStatement' : 'planning')}</p>
        ) : now.data.answer.plan === null || then.data.answer.plan === null ? (
          <p className="text-sm">{t('proxyAnswers')}</p>
        ) : (
          <Moved now={now.data.answer.plan} then={then.data.answer.plan} />
        )}
      </div>
    </section>
  );
}

function Moved({ now, then }: { now: RoutePlan; then: RoutePlan }) {
  const t = useText('parameters');
  const { count } = planMoves(now, then);
  const same = count === 0 && now.goesTo === then.goesTo && now.rule === then.rule;
  return (
    <div className="grid gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Target plan={now} />
        <ArrowRight aria-hidden className="size-4 text-subtle" />
        <Target plan={then} />
      </p>
      <p className="text-xs text-muted">
        {same ? t('noRouteEffect') : count === 0 ? t('noCandidateMoved') : t('candidatesMoved', { count })}
      </p>
    </div>
  );
}

function Target({ plan }: { plan: RoutePlan }) {
  const t = useText('parameters');
  return (
    <span className="[overflow-wrap:anywhere]">
      <PlainText text={plan.refusal ?? plan.goesTo ?? t('noServer')} className="font-mono" />{' '}
      <span lang="en" className="text-xs text-muted">
        {plan.rule}
      </span>
    </span>
  );
}

function requestOf(sql: string, place: string, parameters: Record<string, string>): RouteExplainRequest | null {
  const [tenant, cluster] = place.split('#');
  if (sql.trim() === '') return null;
  return (
    routeExplainRequestSchema.safeParse({ sql, session: { cluster, tenant, database: '', parameters } }).data ?? null
  );
}
