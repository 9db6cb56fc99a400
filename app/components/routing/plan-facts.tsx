import type { ReactNode } from 'react';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { RoutePlan } from '../../../proxy/control/contract.ts';
import { ruleText } from './words.ts';

/** What the plan hangs on, each with its reason. */
export function PlanFacts({ plan }: { plan: RoutePlan }) {
  const { kind, table, whyNoTable, location, partition, consistency, settings, ldc, policy, rule } = plan;
  const count = location?.partitionCount ?? 0;
  const leader = location?.replicas.find(({ role }) => role === 'leader')?.address;
  return (
    <Panel title="Plan" aside={<GoesTo plan={plan} />}>
      <dl className="grid gap-x-6 gap-y-3 p-4 text-sm sm:grid-cols-2 2xl:grid-cols-3">
        <Fact label="Statement" why={ruleText(rule)}>
          {kind}
        </Fact>
        <Fact
          label="Table"
          why={
            table === null
              ? sentence(whyNoTable)
              : location === null
                ? rule === 'single-leader'
                  ? 'Its place is not asked for: one server leads everything of the tenant'
                  : 'The cluster does not tell where it is'
                : `${count} ${count === 1 ? 'partition' : 'partitions'}, ${location.replicas.length} replicas, leader ${leader ?? 'not known'}`
          }
        >
          {table === null ? 'none' : `${table.database}.${table.name}`}
        </Fact>
        <Fact label="Partition" why={partition?.because ?? 'The place of the table counts'}>
          {partition === null ? 'none' : (partition.name ?? 'not one for certain')}
        </Fact>
        <Fact label="Consistency" why={consistency.because}>
          {consistency.level}
        </Fact>
        <Fact label="Policy" why={policy?.because ?? 'There is no choice'}>
          {policy?.name ?? 'none'}
        </Fact>
        <Fact
          label="IDC"
          why={
            ldc.matchType === 'MATCHED_BY_NONE'
              ? 'No LDC: every zone counts as near'
              : `${ldc.matchType.replace('MATCHED_BY_', 'by ').replace('_', ' ').toLowerCase()}; same IDC: ${ldc.sameIdc.join(', ') || 'none'}; same region: ${ldc.sameRegion.join(', ') || 'none'}`
          }
        >
          {settings.idcName === ''
            ? 'none'
            : `${settings.idcName} (${settings.idcSource === 'session' ? 'the session’s' : 'the parameter’s'})`}
        </Fact>
      </dl>
    </Panel>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function GoesTo({ plan }: { plan: RoutePlan }) {
  const others = plan.sharedBy.length - 1;
  return (
    <p data-testid="goes-to" className="min-w-0 text-right text-sm [overflow-wrap:anywhere]">
      {plan.goesTo === null ? (
        <b className="font-semibold text-bad">
          goes nowhere{plan.refusal === null ? '' : ': '}
          <PlainText text={plan.refusal ?? ''} />
        </b>
      ) : (
        <>
          goes to <PlainText text={plan.goesTo} className="font-mono font-semibold" />
          {others > 0 ? ` or ${others} ${others === 1 ? 'equal' : 'equals'}` : ''}
        </>
      )}
    </p>
  );
}

function Fact({ label, why, children }: { label: string; why: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="[overflow-wrap:anywhere]">
        <span className="font-medium">{typeof children === 'string' ? <PlainText text={children} /> : children}</span>
        <span className="block text-xs text-muted">
          <PlainText text={why} />
        </span>
      </dd>
    </div>
  );
}
