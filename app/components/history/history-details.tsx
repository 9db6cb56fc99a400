import Link from 'next/link';
import { Fragment } from 'react';
import { useTimeZone } from '@/components/time-zone.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { zonedTime } from '@/lib/time.ts';
import type { HistoryRow } from '../../../proxy/control/contract.ts';
import { HistoryActions } from './history-actions.tsx';
import { ValueChange } from './value-change.tsx';
import { outcomeText, sourceWords } from './words.ts';

/** Everything one history row holds, uncut. */
export function HistoryDetails({ row }: { row: HistoryRow }) {
  const { zone } = useTimeZone();
  const local = zonedTime(row.at, zone);
  const facts: [string, string][] = [
    ['Entry', String(row.id)],
    ['UTC', row.at],
    ...(zone === 'UTC' ? [] : [['Local', `${local.day} ${local.clock} ${local.offset} (${zone})`] as [string, string]]),
    ['Who', row.actor],
    ['Role', row.role === '' ? '–' : row.role],
    ...(row.token === '' ? [] : [['Token', row.token] as [string, string]]),
    ['From', [sourceWords[row.source], row.origin].filter(Boolean).join(', ')],
    ['Action', row.action],
    ['For', row.scope === '' ? '–' : row.scope],
    ['Reason', row.reason === '' ? '–' : row.reason],
    ['Outcome', outcomeText(row)],
    ...(row.failure === '' ? [] : [['Why not', row.failure] as [string, string]]),
    ['Hash', row.hash],
  ];
  return (
    <>
      <dl className="mt-2.5 grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-1 border-t border-line pt-2.5 text-xs">
        {row.oldValue === null && row.newValue === null ? null : (
          <>
            <dt className="text-muted">Change</dt>
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
        <dt className="text-muted">Request</dt>
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
