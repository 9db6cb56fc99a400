'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorText } from '@/components/error-text.tsx';
import type { PendingChange } from '@/components/parameters/pending-change.ts';
import { useText } from '@/components/texts.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { whatIfQuery } from '@/lib/blocklist-queries.ts';
import { cn } from '@/lib/class-names.ts';
import { isOn } from '@/lib/parameter-value.ts';
import type { BlocklistCluster, WhatIfRequest } from '../../../proxy/control/contract.ts';
import { WhatIfResult } from './what-if-result.tsx';
import { settingNames } from './words.ts';

const spans = [1, 6, 24] as const;

interface WhatIfProps {
  clusters: readonly BlocklistCluster[];
  changes: readonly PendingChange[];
  /** Addresses that are on a list now. */
  listedNow: readonly string[];
}

/** The changes tried on the last hours: which servers would have been listed when, beside what really happened. */
export function WhatIf({ clusters, changes, listedNow }: WhatIfProps) {
  const t = useText('blocklist');
  const [hours, setHours] = useState<number>(6);
  const [chosen, setChosen] = useState('');
  const cluster = clusters.some(({ name }) => name === chosen) ? chosen : (clusters[0]?.name ?? '');
  const toggle = changes.find(({ parameter }) => parameter.name === 'enable_congestion');
  const request: WhatIfRequest = { cluster, hours, parameters: parametersOf(changes) };
  const query = useQuery({ ...whatIfQuery(request), enabled: cluster !== '', placeholderData: (old) => old });
  return (
    <section aria-label={t('whatIf')} className="grid gap-3 rounded-lg border border-line bg-inset p-3.5">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="mr-auto text-sm font-semibold">{t('whatIfTitle')}</h3>
        {clusters.length > 1 ? (
          <select
            aria-label={t('clusterToTry')}
            value={cluster}
            onChange={(event) => setChosen(event.target.value)}
            className={cn(inputClass, 'h-7 w-auto text-xs')}
          >
            {clusters.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        ) : null}
        <select
          aria-label={t('howFarBack')}
          value={hours}
          onChange={(event) => setHours(Number(event.target.value))}
          className={cn(inputClass, 'h-7 w-auto text-xs')}
        >
          {spans.map((span) => (
            <option key={span} value={span}>
              {t('lastHours', { count: span })}
            </option>
          ))}
        </select>
      </div>
      {toggle === undefined ? null : <SwitchNote on={isOn(toggle.value)} listedNow={listedNow} />}
      <div
        role="status"
        aria-busy={query.isFetching}
        className={cn('transition-opacity', query.isPlaceholderData && 'opacity-50')}
      >
        {query.isError ? (
          <Notice tone="bad">{t.rich('notTried', { why: <ErrorText error={query.error} /> })}</Notice>
        ) : query.data === undefined ? (
          <p className="py-3 text-sm text-muted">{t('replaying')}</p>
        ) : (
          <WhatIfResult result={query.data} hours={hours} switchesOff={toggle !== undefined && !isOn(toggle.value)} />
        )}
      </div>
    </section>
  );
}

function SwitchNote({ on, listedNow }: { on: boolean; listedNow: readonly string[] }) {
  const t = useText('blocklist');
  const servers = listedNow.length === 0 ? t('nobody') : listedNow.join(', ');
  return (
    <Notice tone={on || listedNow.length === 0 ? 'info' : 'warn'} className="text-xs">
      {t.rich(on ? 'leftOut' : 'sentAgain', {
        servers: <PlainText text={servers} className={listedNow.length === 0 ? '' : 'font-mono'} />,
      })}
    </Notice>
  );
}

function parametersOf(changes: readonly PendingChange[]): WhatIfRequest['parameters'] {
  const parameters: WhatIfRequest['parameters'] = {};
  for (const name of settingNames) {
    const change = changes.find(({ parameter }) => parameter.name === name);
    if (change !== undefined) parameters[name] = change.value;
  }
  return parameters;
}
