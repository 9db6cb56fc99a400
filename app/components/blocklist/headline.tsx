'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { ShieldBan, ShieldCheck, ShieldOff } from 'lucide-react';
import { Elapsed } from '@/components/proxy-clock.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { blocklistEventsQuery } from '@/lib/blocklist-queries.ts';
import { cn } from '@/lib/class-names.ts';
import { listNames, listWord } from '@/lib/list-words.ts';
import { listedServers } from '@/lib/listed-servers.ts';
import type { BlocklistCluster } from '../../../proxy/control/contract.ts';
import { listAbout, listedLook } from './words.ts';

/** The one thing to know at a glance: is anything listed? Announced when it changes. */
export function Headline({ clusters }: { clusters: readonly BlocklistCluster[] }) {
  const t = useText('blocklist');
  const shell = useText('shell');
  const { data: events } = useInfiniteQuery(blocklistEventsQuery({}));
  const listed = listedServers(clusters);
  const total = clusters.reduce((sum, cluster) => sum + cluster.servers.length, 0);
  const off = clusters.some(({ parameters }) => !parameters.enabled);
  const exhausted = clusters.filter(
    ({ servers }) => servers.length > 0 && servers.every(({ listings }) => listings.length > 0),
  );
  const calm = listed.length === 0;
  const last = events?.pages[0]?.events[0];
  const Icon = off ? ShieldOff : calm ? ShieldCheck : ShieldBan;
  return (
    <section
      aria-label={t('now')}
      data-testid="headline"
      data-calm={calm}
      className={cn(
        'rounded-lg border border-line bg-panel',
        calm ? 'px-6 py-9 text-center' : 'border-l-3 border-l-bad px-4 py-4 lg:px-5',
      )}
    >
      <div className={cn('flex gap-4', calm ? 'flex-col items-center' : 'items-start')}>
        <span
          className={cn(
            'grid shrink-0 place-items-center rounded-full',
            calm ? 'size-14' : 'size-11',
            off ? 'bg-warn-soft text-warn' : calm ? 'bg-ok-soft text-ok' : 'bg-bad-soft text-bad',
          )}
        >
          <Icon aria-hidden className={calm ? 'size-7' : 'size-5.5'} />
        </span>
        <div className="min-w-0">
          <div role="status">
            <h2 className={cn('font-semibold tracking-tight', calm ? 'text-2xl' : 'text-xl')}>
              {calm
                ? t('nothingListed')
                : t('someListed', { count: listed.length, servers: shell('servers', { count: total }) })}
            </h2>
          </div>
          {calm ? (
            <p className="mt-1 text-sm text-muted">
              {t('allTake', { count: total })}
              {last === undefined ? null : <> {t.rich('lastChange', { ago: <Elapsed since={last.at} /> })}</>}
            </p>
          ) : (
            <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1">
              {listNames.map((list) => {
                const count = listed.filter(({ lists }) => lists.includes(list)).length;
                return count === 0 ? null : (
                  <li key={list}>
                    <StateMark
                      look={{ ...listedLook(t), word: listWord(shell, list) }}
                      state={listAbout(t, list)}
                      count={count}
                    />
                  </li>
                );
              })}
            </ul>
          )}
        </div>
      </div>
      <div className={cn('grid gap-2 text-left empty:hidden', calm ? 'mt-5' : 'mt-3')}>
        {off ? (
          <Notice tone="warn">
            <b>{t('listsOff')}</b>{' '}
            {t.rich('listsOffAbout', { name: <code className="font-mono text-xs">enable_congestion</code> })}
          </Notice>
        ) : null}
        {exhausted.map(({ name }) => (
          <Notice key={name} tone="bad">
            <b>{t.rich('everyListed', { cluster: <PlainText text={name} /> })}</b> {t('everyListedAbout')}
          </Notice>
        ))}
      </div>
    </section>
  );
}
