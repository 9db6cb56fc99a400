import { Fragment, type ReactNode } from 'react';
import { StateMark } from '@/components/state-mark.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { type StateLook, serverLooks } from '@/lib/server-state.ts';
import { durationText } from '@/lib/time.ts';
import type { BlocklistEvent, Evidence } from '../../../proxy/control/contract.ts';
import { FailureList, Observations, ProbeList } from './observations.tsx';
import { lengthText, listWord, parameterPairs } from './words.ts';

/** What proves a listing or a release, how long it lasted, and the parameters that were in force. */
export function EventEvidence({ event }: { event: BlocklistEvent }) {
  return (
    <div className="mx-2 mt-1 mb-3 grid gap-4 rounded-md border border-line bg-inset p-3 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 content-start gap-3">
        {event.evidence === null ? (
          <p className="text-xs text-muted">
            The evidence was written by another version of the proxy and cannot be read here.
          </p>
        ) : (
          <EvidenceOf evidence={event.evidence} />
        )}
        <Facts
          facts={[
            ['When', <Time key="at" iso={event.at} />],
            ['Where', <PlainText key="where" text={`${event.cluster}, zone ${event.zone}`} />],
            ['List', listWord(event.list)],
            ...(event.listedForMs === null
              ? []
              : [['Listed for', `${durationText(event.listedForMs)} (${lengthText(event.listedForMs)})`] as const]),
            ['Event', String(event.id)],
          ]}
        />
      </div>
      <Observations title="Parameters in force then">
        {event.parameters === null ? (
          <p className="text-xs text-muted">Not known.</p>
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
  switch (evidence.kind) {
    case 'failures':
      return (
        <Observations title="The failures that were counted" count={evidence.failures.length}>
          <FailureList failures={evidence.failures} />
        </Observations>
      );
    case 'probes':
      return (
        <Observations title="The probes" count={evidence.probes.length}>
          <ProbeList probes={evidence.probes} />
        </Observations>
      );
    case 'view':
      return (
        <Observations title="The row of the cluster’s views">
          <Facts
            facts={[
              ['Server', <StateMark key="state" look={lookOf(evidence.state)} state={evidence.state} />],
              ['Zone', evidence.zoneState],
              ['Row', <PlainText key="row" text={evidence.reason} className="font-mono" />],
            ]}
          />
        </Observations>
      );
    case 'success':
      return <Sentence>A request worked there (session {evidence.sessionId}): it can be used again.</Sentence>;
    case 'parameters':
      return <Sentence>The parameters were changed: {evidence.changed.join(', ')}.</Sentence>;
    case 'hand':
      return (
        <Observations title="By hand">
          <Facts
            facts={[
              ['Who', <PlainText key="who" text={evidence.actor} className="font-medium" />],
              ['Reason', <PlainText key="reason" text={evidence.reason} />],
            ]}
          />
        </Observations>
      );
    case 'removed':
      return <Sentence>The server has left the cluster.</Sentence>;
    case 'restart':
      return <Sentence>Another process of the proxy has begun to serve, whose lists do not have it.</Sentence>;
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
function lookOf(state: string): StateLook {
  const looks: Record<string, StateLook> = serverLooks;
  return looks[state] ?? { word: state, tone: 'neutral', shape: 'ring' };
}
