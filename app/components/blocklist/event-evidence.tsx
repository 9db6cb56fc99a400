import { Fragment, type ReactNode } from 'react';
import { ServerMark, StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { listWord } from '@/lib/list-words.ts';
import { type ServerState, serverLooks } from '@/lib/server-state.ts';
import { durationText } from '@/lib/time.ts';
import type { BlocklistEvent, Evidence } from '../../../proxy/control/contract.ts';
import { FailureList, Observations, ProbeList } from './observations.tsx';
import { lengthText, parameterPairs } from './words.ts';

/** What proves a listing or a release, how long it lasted, and the parameters that were in force. */
export function EventEvidence({ event }: { event: BlocklistEvent }) {
  const t = useText('blocklist');
  const shell = useText('shell');
  return (
    <div className="mx-2 mt-1 mb-3 grid gap-4 rounded-md border border-line bg-inset p-3 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 content-start gap-3">
        {event.evidence === null ? (
          <p className="text-xs text-muted">{t('evidenceUnreadable')}</p>
        ) : (
          <EvidenceOf evidence={event.evidence} />
        )}
        <Facts
          facts={[
            [t('when'), <Time key="at" iso={event.at} />],
            [t('where'), <PlainText key="where" text={t('whereOf', { cluster: event.cluster, zone: event.zone })} />],
            [t('list'), listWord(shell, event.list)],
            ...(event.listedForMs === null
              ? []
              : [
                  [
                    t('listedForLabel'),
                    `${durationText(event.listedForMs, t.language)} (${lengthText(event.listedForMs)})`,
                  ] as const,
                ]),
            [t('event'), String(event.id)],
          ]}
        />
      </div>
      <Observations title={t('parametersThen')}>
        {event.parameters === null ? (
          <p className="text-xs text-muted">{t('notKnown')}</p>
        ) : (
          <dl className="grid grid-cols-[auto_auto] justify-between gap-x-6 gap-y-0.5 text-xs">
            {parameterPairs(event.parameters).map(([name, value]) => (
              <Fragment key={name}>
                <dt className="font-mono text-muted">{name}</dt>
                <dd className="text-right font-mono">{value}</dd>
              </Fragment>
            ))}
          </dl>
        )}
      </Observations>
    </div>
  );
}

function EvidenceOf({ evidence }: { evidence: Evidence }) {
  const t = useText('blocklist');
  switch (evidence.kind) {
    case 'failures':
      return (
        <Observations title={t('failuresCounted')} count={evidence.failures.length}>
          <FailureList failures={evidence.failures} />
        </Observations>
      );
    case 'probes':
      return (
        <Observations title={t('theProbes')} count={evidence.probes.length}>
          <ProbeList probes={evidence.probes} />
        </Observations>
      );
    case 'view':
      return (
        <Observations title={t('viewRow')}>
          <Facts
            facts={[
              [t('server'), <StateThen key="state" state={evidence.state} />],
              [t('zone'), evidence.zoneState],
              [t('row'), <PlainText key="row" text={evidence.reason} className="font-mono" />],
            ]}
          />
        </Observations>
      );
    case 'success':
      return <Sentence>{t('workedThere', { id: String(evidence.sessionId) })}</Sentence>;
    case 'parameters':
      return <Sentence>{t('parametersChanged', { names: evidence.changed.join(', ') })}</Sentence>;
    case 'hand':
      return (
        <Observations title={t('byHand')}>
          <Facts
            facts={[
              [t('who'), <PlainText key="who" text={evidence.actor} className="font-medium" />],
              [t('reason'), <PlainText key="reason" text={evidence.reason} />],
            ]}
          />
        </Observations>
      );
    case 'removed':
      return <Sentence>{t('serverLeft')}</Sentence>;
    case 'restart':
      return <Sentence>{t('otherProcess')}</Sentence>;
  }
}

function Sentence({ children }: { children: ReactNode }) {
  return <p className="text-sm">{children}</p>;
}

function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
      {facts.map(([label, value]) => (
        <Fragment key={label}>
          <dt className="text-muted">{label}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** States in evidence are plain text: an old row may have one that is not known any more. */
function StateThen({ state }: { state: string }) {
  if (state in serverLooks) return <ServerMark state={state as ServerState} />;
  return <StateMark look={{ word: state, tone: 'neutral', shape: 'ring' }} state={state} />;
}
