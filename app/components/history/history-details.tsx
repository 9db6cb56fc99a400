import Link from 'next/link';
import { Fragment } from 'react';
import { useText } from '@/components/texts.tsx';
import { useTimeZone } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { zonedTime } from '@/lib/time.ts';
import type { HistoryRow } from '../../../proxy/control/contract.ts';
import { HistoryActions } from './history-actions.tsx';
import { ValueChange } from './value-change.tsx';
import { outcomeText } from './words.ts';

/** Everything one history row holds, uncut. */
export function HistoryDetails({ row }: { row: HistoryRow }) {
  const t = useText('history');
  const { zone } = useTimeZone();
  const local = zonedTime(row.at, zone);
  const facts: [string, string][] = [
    [t('fact.entry'), String(row.id)],
    ['UTC', row.at],
    ...(zone === 'UTC'
      ? []
      : [[t('fact.local'), `${local.day} ${local.clock} ${local.offset} (${zone})`] as [string, string]]),
    [t('fact.who'), row.actor],
    [t('fact.role'), row.role === '' ? '–' : row.role],
    ...(row.token === '' ? [] : [[t('fact.token'), row.token] as [string, string]]),
    [t('fact.from'), [t(`source.${row.source}`), row.origin].filter(Boolean).join(', ')],
    [t('fact.action'), row.action],
    [t('fact.for'), row.scope === '' ? '–' : row.scope],
    [t('fact.reason'), row.reason === '' ? '–' : row.reason],
    [t('fact.outcome'), outcomeText(t, row)],
    ...(row.failure === '' ? [] : [[t('fact.whyNot'), row.failure] as [string, string]]),
    [t('fact.hash'), row.hash],
  ];
  return (
    <>
      <dl className="mt-2.5 grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-1 border-t border-line pt-2.5 text-xs">
        {row.oldValue === null && row.newValue === null ? null : (
          <>
            <dt className="text-muted">{t('fact.change')}</dt>
            <dd>
              <ValueChange row={row} full />
            </dd>
          </>
        )}
        {facts.map(([label, text]) => (
          <Fragment key={label}>
            <dt className="text-muted">{label}</dt>
            <dd className="font-mono [overflow-wrap:anywhere]">
              <PlainText text={text} />
            </dd>
          </Fragment>
        ))}
        <dt className="text-muted">{t('fact.request')}</dt>
        <dd className="font-mono [overflow-wrap:anywhere]">
          <Link href={`/history?q=request:${encodeURIComponent(row.requestId)}`} className="text-accent underline">
            <PlainText text={row.requestId} />
          </Link>
        </dd>
      </dl>
      <HistoryActions row={row} />
    </>
  );
}
