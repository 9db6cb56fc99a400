'use client';

import type { ReactNode } from 'react';
import { Elapsed, useProxyNow } from '@/components/proxy-clock.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { listWord } from '@/lib/list-words.ts';
import { durationText } from '@/lib/time.ts';
import type { BlocklistName, BlocklistServer, CongestionParameters } from '../../../proxy/control/contract.ts';
import { ProbeStrip } from './probe-strip.tsx';
import { Sparkline } from './sparkline.tsx';
import { clearLook, lengthText, listAbout, listedLook } from './words.ts';

interface ListCellProps {
  list: BlocklistName;
  server: BlocklistServer;
  parameters: CongestionParameters;
}

/** One server on one list: on it or not, since when, why, and what decides about it. */
export function ListCell({ list, server, parameters }: ListCellProps) {
  const t = useText('blocklist');
  const listing = server.listings.find((one) => one.list === list);
  const word = listWord(useText('shell'), list);
  const about = listAbout(t, list);
  const last = server.lastListedAt[list];
  return (
    <section
      aria-label={t('listOf', { list: word })}
      data-list={list}
      data-listed={listing !== undefined}
      className={cn(
        'grid min-w-0 content-start gap-2 px-3 py-2.5',
        listing === undefined ? 'bg-panel' : 'bg-bad-soft max-md:order-first',
      )}
    >
      <h5 className="flex items-center justify-between gap-2">
        <span title={about} className="text-sm font-medium">
          {word}
        </span>
        <StateMark look={listing === undefined ? clearLook(t) : listedLook(t)} state={about} />
      </h5>
      {listing === undefined ? (
        <p className="text-xs text-muted">
          {last === null ? t('notListedSince') : t.rich('lastListed', { when: <Time iso={last} /> })}
        </p>
      ) : (
        <div className="grid gap-1 text-xs">
          <p>
            {t.rich('listedFor', {
              time: (
                <b className="font-semibold">
                  <Elapsed since={listing.since} />
                </b>
              ),
            })}{' '}
            <span className="text-muted">{t.rich('since', { when: <Time iso={listing.since} /> })}</span>
          </p>
          <p className="[overflow-wrap:anywhere]">
            <PlainText text={listing.reason} lang="en" />
          </p>
        </div>
      )}
      {list === 'status' ? <StatusFacts server={server} listed={listing !== undefined} /> : null}
      {list === 'detection' ? <DetectionFacts server={server} parameters={parameters} /> : null}
      {list === 'alive' ? <AliveFacts server={server} parameters={parameters} /> : null}
    </section>
  );
}

function StatusFacts({ server, listed }: { server: BlocklistServer; listed: boolean }) {
  // A listing's reason has the view's row already.
  if (listed) return null;
  return (
    <p className="text-xs text-muted [overflow-wrap:anywhere]">
      <PlainText text={server.reason} lang="en" />
    </p>
  );
}

function DetectionFacts({ server, parameters }: { server: BlocklistServer; parameters: CongestionParameters }) {
  const t = useText('blocklist');
  const { failedProbesInRow, probes } = server;
  const most = parameters.detectFailThreshold;
  if (parameters.detectMode === 0) return <p className="text-xs text-muted">{t('probingOff')}</p>;
  return (
    <Fact
      value={t('failedInRow', { count: failedProbesInRow })}
      note={t('deadAbove', { count: most })}
      share={failedProbesInRow / (most + 1)}
      label={t('failedInRowShare')}
    >
      <ProbeStrip probes={probes} className="flex-wrap" />
    </Fact>
  );
}

function AliveFacts({ server, parameters }: { server: BlocklistServer; parameters: CongestionParameters }) {
  const t = useText('blocklist');
  const { failures, retryAt, keepUntil } = server;
  const { failureThreshold } = parameters;
  const span = lengthText(parameters.failWindowMs);
  return (
    <>
      <Fact
        value={t('failuresWithin', { count: failures.inWindow, span })}
        note={
          failureThreshold > 0
            ? t('listedAt', { count: failureThreshold })
            : t('neverListed', { threshold: failureThreshold })
        }
        share={failureThreshold > 0 ? failures.inWindow / failureThreshold : 0}
        label={t('failuresShare')}
      >
        {failures.buckets.length === 0 ? null : <Sparkline buckets={failures.buckets} span={span} />}
      </Fact>
      {retryAt === null ? null : <Retry retryAt={retryAt} keepUntil={keepUntil} />}
    </>
  );
}

/** When it is tried again, counting down, and what that can bring. */
function Retry({ retryAt, keepUntil }: { retryAt: string; keepUntil: string | null }) {
  const t = useText('blocklist');
  const now = useProxyNow();
  const retryInMs = now === null ? null : Date.parse(retryAt) - now;
  const keepForMs = now === null || keepUntil === null ? null : Date.parse(keepUntil) - now;
  return (
    <p data-testid="retry" className="text-xs">
      {retryInMs === null ? null : retryInMs > 0 ? (
        t.rich('nextRetry', {
          time: <b className="tabular font-semibold">{durationText(retryInMs + 999, t.language)}</b>,
        })
      ) : (
        <>
          <b className="font-semibold">{t('retryDue')}</b>
          {t('retryDueAbout')}
        </>
      )}
      {keepForMs !== null && keepForMs > 0 ? (
        <span className="text-muted">{t('keptFor', { time: durationText(keepForMs + 999, t.language) })}</span>
      ) : null}
    </p>
  );
}

interface FactProps {
  value: string;
  note: string;
  /** How near to the limit, 1 is there. */
  share: number;
  label: string;
  children: ReactNode;
}

/** A count against its limit, as words and as a bar, with its course. */
function Fact({ value, note, share, label, children }: FactProps) {
  const t = useText('blocklist');
  const percent = Math.round(Math.min(1, share) * 100);
  return (
    <div className="grid gap-1.5">
      <p className="flex flex-wrap items-baseline gap-x-2 text-xs">
        <b className="tabular font-semibold">{value}</b>
        <span className="text-muted">{note}</span>
      </p>
      <div role="img" aria-label={t('share', { label, percent })} className="h-1 overflow-hidden rounded-full bg-hover">
        <div
          className={cn('h-full rounded-full', percent >= 100 ? 'bg-bad' : 'bg-warn')}
          style={{ width: `${percent}%` }}
        />
      </div>
      {children}
    </div>
  );
}
