'use client';

import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { StateMark } from '@/components/state-mark.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { serverLooks, zoneLooks } from '@/lib/server-state.ts';
import type { BlocklistServer, CongestionParameters } from '../../../proxy/control/contract.ts';
import { ListCell } from './list-cell.tsx';
import { FailureList, Observations, ProbeList } from './observations.tsx';
import { ProbeStrip } from './probe-strip.tsx';
import { clearLook, listNames, listWords } from './words.ts';

interface ServerCardProps {
  server: BlocklistServer;
  parameters: CongestionParameters;
  open: boolean;
  onToggle: () => void;
  /** Offers to take it off its lists; left out for those who may not. */
  onRelease?: (() => void) | undefined;
}

/** One server: a line while it takes requests, its three lists as soon as it is on one, everything when opened. */
export function ServerCard({ server, parameters, open, onToggle, onRelease }: ServerCardProps) {
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
          aria-label={`Details of ${server.address}`}
          onClick={onToggle}
          className="-ml-1.5 grid size-6 place-items-center rounded-md text-subtle hover:bg-hover hover:text-fg"
        >
          <ChevronRight aria-hidden className={cn('size-4 transition-transform', open && 'rotate-90')} />
        </button>
        <PlainText text={server.address} className="font-mono text-sm font-medium [overflow-wrap:anywhere]" />
        <span className="flex items-center gap-2 text-xs text-muted">
          <PlainText text={listed ? `${server.zone} · ${server.region}` : server.zone} />
          {server.zoneState === 'ACTIVE' ? null : (
            <StateMark look={zoneLooks[server.zoneState]} state={server.zoneState} />
          )}
        </span>
        <span key={server.state} className="flash -mx-1 rounded px-1">
          <StateMark look={serverLooks[server.state]} state={server.state} />
        </span>
        <span className="ml-auto flex items-center gap-3">
          {listed || open ? null : <Summary server={server} parameters={parameters} />}
          {listed && onRelease !== undefined ? (
            <Button size="sm" onClick={onRelease} aria-label={`Release ${server.address} by hand`}>
              Release …
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
}

/** The lists of a server that is on none, in one line. */
function Summary({ server, parameters }: { server: BlocklistServer; parameters: CongestionParameters }) {
  const { inWindow } = server.failures;
  return (
    <>
      {inWindow > 0 || server.failedProbesInRow > 0 ? (
        <span className="tabular text-xs font-medium text-warn">
          {inWindow > 0 ? `${inWindow} of ${parameters.failureThreshold} failures` : null}
          {inWindow > 0 && server.failedProbesInRow > 0 ? ' · ' : null}
          {server.failedProbesInRow > 0 ? `${server.failedProbesInRow} probes failed` : null}
        </span>
      ) : null}
      <ProbeStrip probes={server.probes.slice(-10)} className="max-sm:hidden" />
      <ul className="flex gap-3 max-sm:hidden">
        {listNames.map((list) => (
          <li key={list}>
            <StateMark
              look={{ ...clearLook, word: listWords[list].word }}
              state={`Not on the ${listWords[list].word.toLowerCase()} list`}
              className="text-muted [&>svg]:text-ok"
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function Details({ server }: { server: BlocklistServer }) {
  const { failures, recentFailures, probes } = server;
  return (
    <div className="grid gap-4 border-t border-line bg-inset px-4 py-3 lg:grid-cols-2">
      <Observations title="Failures that count now" count={failures.inWindow}>
        {recentFailures.length === 0 ? (
          <p className="text-xs text-muted">
            None. {failures.total === 0 ? 'No request has failed there yet.' : `${failures.total} in all so far.`}
          </p>
        ) : (
          <FailureList failures={recentFailures} />
        )}
      </Observations>
      <Observations title="Last probes" count={probes.length}>
        {probes.length === 0 ? (
          <p className="text-xs text-muted">It has not been probed yet.</p>
        ) : (
          <ProbeList probes={probes} />
        )}
      </Observations>
    </div>
  );
}
