'use client';

import { ChevronRight } from 'lucide-react';
import { memo, useId } from 'react';
import { ServerMark, StateMark, ZoneMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { listNames, listWord, listWordWithin } from '@/lib/list-words.ts';
import type { BlocklistServer, CongestionParameters } from '../../../proxy/control/contract.ts';
import { ListCell } from './list-cell.tsx';
import { FailureList, Observations, ProbeList } from './observations.tsx';
import { ProbeStrip } from './probe-strip.tsx';
import { clearLook } from './words.ts';

interface ServerCardProps {
  server: BlocklistServer;
  parameters: CongestionParameters;
  open: boolean;
  onToggle: (address: string) => void;
  /** Offers to take it off its lists; left out for those who may not. */
  onRelease?: ((address: string) => void) | undefined;
}

/** One server: a line while it takes requests, its three lists as soon as it is on one, everything when opened. Drawn anew only when it has changed. */
export const ServerCard = memo(function ServerCard({ server, parameters, open, onToggle, onRelease }: ServerCardProps) {
  const t = useText('blocklist');
  const listed = server.listings.length > 0;
  const id = useId();
  return (
    <li
      data-server={server.address}
      data-listed={listed}
      className={cn('bg-panel', listed && 'border-l-3 border-l-bad')}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2.5">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          aria-label={t('detailsOf', { address: server.address })}
          onClick={() => onToggle(server.address)}
          className="-ml-1.5 grid size-6 place-items-center rounded-md text-subtle hover:bg-hover hover:text-fg"
        >
          <ChevronRight aria-hidden className={cn('size-4 transition-transform', open && 'rotate-90')} />
        </button>
        <PlainText text={server.address} className="font-mono text-sm font-medium [overflow-wrap:anywhere]" />
        <span className="flex items-center gap-2 text-xs text-muted">
          <PlainText text={listed ? `${server.zone} · ${server.region}` : server.zone} />
          {server.zoneState === 'ACTIVE' ? null : <ZoneMark state={server.zoneState} />}
        </span>
        <span key={server.state} className="flash -mx-1 rounded px-1">
          <ServerMark state={server.state} />
        </span>
        <span className="ml-auto flex items-center gap-3">
          {listed || open ? null : <Summary server={server} parameters={parameters} />}
          {listed && onRelease !== undefined ? (
            <Button
              size="sm"
              onClick={() => onRelease(server.address)}
              aria-label={t('releaseByHand', { address: server.address })}
            >
              {t('releaseMore')}
            </Button>
          ) : null}
        </span>
      </div>
      <div id={id}>
        {listed || open ? (
          <div className="grid gap-px border-t border-line bg-line md:grid-cols-3">
            {listNames.map((list) => (
              <ListCell key={list} list={list} server={server} parameters={parameters} />
            ))}
          </div>
        ) : null}
        {open ? <Details server={server} /> : null}
      </div>
    </li>
  );
});

/** The lists of a server that is on none, in one line. */
function Summary({ server, parameters }: { server: BlocklistServer; parameters: CongestionParameters }) {
  const t = useText('blocklist');
  const shell = useText('shell');
  const { inWindow } = server.failures;
  return (
    <>
      {inWindow > 0 || server.failedProbesInRow > 0 ? (
        <span className="tabular text-xs font-medium text-warn">
          {inWindow > 0 ? t('failuresOf', { count: inWindow, limit: parameters.failureThreshold }) : null}
          {inWindow > 0 && server.failedProbesInRow > 0 ? ' · ' : null}
          {server.failedProbesInRow > 0 ? t('probesFailed', { count: server.failedProbesInRow }) : null}
        </span>
      ) : null}
      <ProbeStrip probes={server.probes.slice(-10)} className="max-sm:hidden" />
      <ul className="flex gap-3 max-sm:hidden">
        {listNames.map((list) => (
          <li key={list}>
            <StateMark
              look={{ ...clearLook(t), word: listWord(shell, list) }}
              state={t('notOnList', { list: listWordWithin(shell, list) })}
              className="text-muted [&>svg]:text-ok"
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function Details({ server }: { server: BlocklistServer }) {
  const t = useText('blocklist');
  const { failures, recentFailures, probes } = server;
  return (
    <div className="grid gap-4 border-t border-line bg-inset px-4 py-3 lg:grid-cols-2">
      <Observations title={t('failuresNow')} count={failures.inWindow}>
        {recentFailures.length === 0 ? (
          <p className="text-xs text-muted">
            {failures.total === 0 ? t('noFailureYet') : t('noFailureNow', { count: failures.total })}
          </p>
        ) : (
          <FailureList failures={recentFailures} />
        )}
      </Observations>
      <Observations title={t('lastProbes')} count={probes.length}>
        {probes.length === 0 ? <p className="text-xs text-muted">{t('notProbed')}</p> : <ProbeList probes={probes} />}
      </Observations>
    </div>
  );
}
