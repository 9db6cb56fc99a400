import type { ReactNode } from 'react';
import { useText } from '@/components/texts.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { RoutePlan } from '../../../proxy/control/contract.ts';
import { ldcText, ruleText } from './words.ts';

/** What the plan hangs on, each with its reason. */
export function PlanFacts({ plan }: { plan: RoutePlan }) {
  const t = useText('routing');
  const { kind, table, whyNoTable, location, partition, consistency, settings, ldc, policy, rule } = plan;
  const count = location?.partitionCount ?? 0;
  const leader = location?.replicas.find(({ role }) => role === 'leader')?.address;
  return (
    <Panel title={t('plan')} aside={<GoesTo plan={plan} />}>
      <dl className="grid gap-x-6 gap-y-3 p-4 text-sm sm:grid-cols-2 2xl:grid-cols-3">
        <Fact label={t('field.sql')} why={ruleText(rule, t)}>
          {kind}
        </Fact>
        <Fact
          label={t('table')}
          lang={table === null ? 'en' : undefined}
          why={
            table === null
              ? sentence(whyNoTable)
              : location === null
                ? t(rule === 'single-leader' ? 'placeNotAsked' : 'placeNotTold')
                : t('tableFacts', { count, replicas: location.replicas.length, leader: leader ?? t('notKnown') })
          }
        >
          {table === null ? t('none') : `${table.database}.${table.name}`}
        </Fact>
        <Fact
          label={t('partition')}
          lang={partition === null ? undefined : 'en'}
          why={partition?.because ?? t('tableCounts')}
        >
          {partition === null ? t('none') : (partition.name ?? t('notCertain'))}
        </Fact>
        <Fact label={t('consistency')} lang="en" why={consistency.because}>
          {consistency.level}
        </Fact>
        <Fact label={t('policy')} lang={policy === null ? undefined : 'en'} why={policy?.because ?? t('noChoice')}>
          {policy?.name ?? t('none')}
        </Fact>
        <Fact
          label={t('field.idc')}
          why={
            ldc.matchType === 'MATCHED_BY_NONE'
              ? t('noLdc')
              : t('ldcFacts', {
                  how: ldcText(ldc.matchType, t),
                  idc: ldc.sameIdc.join(', ') || t('none'),
                  region: ldc.sameRegion.join(', ') || t('none'),
                })
          }
        >
          {settings.idcName === ''
            ? t('none')
            : t(settings.idcSource === 'session' ? 'idcOfSession' : 'idcOfParameter', { idc: settings.idcName })}
        </Fact>
      </dl>
    </Panel>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function GoesTo({ plan }: { plan: RoutePlan }) {
  const t = useText('routing');
  const others = plan.sharedBy.length - 1;
  return (
    <p data-testid="goes-to" className="min-w-0 text-right text-sm [overflow-wrap:anywhere]">
      {plan.goesTo === null ? (
        <b className="font-semibold text-bad">
          {t('goesNowhere')}
          {plan.refusal === null ? '' : ': '}
          <PlainText text={plan.refusal ?? ''} lang="en" />
        </b>
      ) : (
        <>
          {t.rich('goesTo', { server: <PlainText text={plan.goesTo} className="font-mono font-semibold" /> })}
          {others > 0 ? ` ${t('orEquals', { count: others })}` : ''}
        </>
      )}
    </p>
  );
}

interface FactProps {
  label: string;
  why: string;
  /** Of the reason, when it is a sentence of the proxy. */
  lang?: 'en' | undefined;
  children: ReactNode;
}

function Fact({ label, why, lang, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="[overflow-wrap:anywhere]">
        <span className="font-medium">{typeof children === 'string' ? <PlainText text={children} /> : children}</span>
        <span className="block text-xs text-muted">
          <PlainText text={why} {...(lang === undefined ? {} : { lang })} />
        </span>
      </dd>
    </div>
  );
}
