'use client';

import { useQuery } from '@tanstack/react-query';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import type { DemoState, DemoZone } from '../../../proxy/control/contract.ts';
import { FaultToggle } from './fault-toggle.tsx';
import { ServerRow } from './server-row.tsx';
import type { Lab } from './use-lab.ts';

const perZoneMs = 30_000;

/** The demo's servers by zone: what is wrong with each, switches for it, and what the proxy makes of it. */
export function ServerFaults({ state, lab }: { state: DemoState; lab: Lab | null }) {
  const t = useText('lab');
  const { data: blocklist } = useQuery(blocklistQuery);
  const verdicts = new Map(
    blocklist?.clusters.flatMap(({ servers }) => servers.map((server) => [server.address, server] as const)),
  );
  const rolling = state.faults.some(({ fault }) => fault === 'rollingMerge');
  return (
    <Panel
      title={t('servers')}
      aside={
        lab === null ? null : (
          <FaultToggle
            label={t('rolling')}
            about={t('rollingAbout')}
            on={rolling}
            disabled={lab.isBusy}
            onToggle={() => lab.inject({ fault: 'rollingMerge', perZoneMs: rolling ? 0 : perZoneMs })}
          />
        )
      }
    >
      {state.zones.map((zone) => (
        <section key={zone.name} aria-label={zone.name} data-lab-zone={zone.name}>
          <ZoneHead zone={zone} lab={lab} />
          <ul className="divide-y divide-line">
            {state.servers
              .filter((server) => server.zone === zone.name)
              .map((server) => (
                <ServerRow
                  key={server.address}
                  server={server}
                  state={state}
                  verdict={verdicts.get(server.address)}
                  lab={lab}
                />
              ))}
          </ul>
        </section>
      ))}
    </Panel>
  );
}

function ZoneHead({ zone: { name, region, idc, type, merging }, lab }: { zone: DemoZone; lab: Lab | null }) {
  const t = useText('lab');
  return (
    <header className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-y border-line bg-inset px-4 py-1.5">
      <h3 className="text-sm font-semibold">
        <PlainText text={name} />
      </h3>
      <span className="text-xs text-muted">{t('zoneAbout', { region, idc, type })}</span>
      {merging ? <StateMark look={{ word: t('fault.merge'), tone: 'info', shape: 'turn' }} state="MERGE" /> : null}
      {lab === null ? null : (
        <span className="ml-auto">
          <FaultToggle
            label={t('merge')}
            accessibleName={t('mergeOf', { zone: name })}
            on={merging}
            disabled={lab.isBusy}
            onToggle={() => lab.inject({ fault: 'merge', zone: name, merging: !merging })}
          />
        </span>
      )}
    </header>
  );
}
