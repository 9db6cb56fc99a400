'use client';

import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { activeOn, serverFaults, toggled } from '@/lib/lab-faults.ts';
import { listWordWithin } from '@/lib/list-words.ts';
import type { BlocklistServer, DemoServer, DemoState } from '../../../proxy/control/contract.ts';
import { FaultToggle } from './fault-toggle.tsx';
import type { Lab } from './use-lab.ts';

interface ServerRowProps {
  server: DemoServer;
  state: DemoState;
  /** What the proxy's blocklists say of it; undefined: not known yet. */
  verdict: BlocklistServer | undefined;
  /** Null: the reader may only look. */
  lab: Lab | null;
}

/** One server: how it is, what the proxy makes of it, and a switch for each fault. */
export function ServerRow({ server, state, verdict, lab }: ServerRowProps) {
  const t = useText('lab');
  const { address, leaders, connections } = server;
  const active = serverFaults.filter((kind) => activeOn(kind, server, state.faults) !== undefined);
  return (
    <li
      data-lab-server={address}
      data-listed={verdict?.listings.map(({ list }) => list).join(' ') ?? ''}
      className={cn('grid gap-2 px-4 py-2.5', active.length > 0 && 'border-l-3 border-l-bad')}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <PlainText text={address} className="font-mono font-medium [overflow-wrap:anywhere]" />
        {active.length === 0 ? (
          <StateMark look={{ word: t('running'), tone: 'ok', shape: 'disc' }} state={t('running')} />
        ) : (
          active.map((kind) => (
            <StateMark
              key={kind}
              look={{ word: t(`fault.${kind}`), tone: 'bad', shape: 'triangle' }}
              state={t(`about.${kind}`)}
            />
          ))
        )}
        <span className="tabular text-xs text-muted">
          {t('leaders', { count: leaders })} · {t('connections', { count: connections })}
        </span>
        <Verdict verdict={verdict} />
      </div>
      {lab === null ? null : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no row of switches in it.
        <div
          role="group"
          aria-label={t('faultsOf', { server: address })}
          className="flex flex-wrap items-center gap-1.5"
        >
          {serverFaults.map((kind) => {
            const lasting = activeOn(kind, server, state.faults);
            return (
              <FaultToggle
                key={kind}
                label={t(`fault.${kind}`)}
                about={t(`about.${kind}`)}
                on={lasting !== undefined}
                disabled={lab.isBusy}
                onToggle={() => lab.inject(toggled(kind, server, lasting))}
              />
            );
          })}
          {leaders === 0 ? null : <LeaderMove server={server} state={state} lab={lab} />}
        </div>
      )}
    </li>
  );
}

function Verdict({ verdict }: { verdict: BlocklistServer | undefined }) {
  const t = useText('lab');
  const shell = useText('shell');
  return (
    <span className="ml-auto flex flex-wrap items-center gap-x-2 text-xs text-muted">
      {t('proxySays')}
      {verdict === undefined ? (
        t('notKnown')
      ) : verdict.listings.length === 0 ? (
        <StateMark look={{ word: t('notListed'), tone: 'ok', shape: 'disc' }} state={verdict.state} />
      ) : (
        verdict.listings.map(({ list, reason }) => (
          <StateMark
            key={list}
            look={{ word: t('listedOn', { list: listWordWithin(shell, list) }), tone: 'bad', shape: 'octagon' }}
            state={reason}
          />
        ))
      )}
    </span>
  );
}

function LeaderMove({ server, state, lab }: { server: DemoServer; state: DemoState; lab: Lab }) {
  const t = useText('lab');
  const mayLead = new Set(state.zones.filter(({ type }) => type === 'ReadWrite').map(({ name }) => name));
  const targets = state.servers.filter(({ address, zone }) => address !== server.address && mayLead.has(zone));
  return (
    <select
      aria-label={t('moveLeadersOf', { server: server.address })}
      value=""
      disabled={lab.isBusy}
      onChange={({ target: { value } }) => {
        if (value !== '') lab.inject({ fault: 'leader', server: server.address, to: value });
      }}
      className={cn(inputClass, 'h-7 w-auto text-xs')}
    >
      <option value="">{t('moveLeaders')}</option>
      {targets.map(({ address, zone }) => (
        <option key={address} value={address}>
          {zone}
        </option>
      ))}
    </select>
  );
}
