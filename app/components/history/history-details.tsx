import { Fragment } from 'react';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { HistoryRow } from '../../../proxy/control/contract.ts';
import { HistoryActions } from './history-actions.tsx';
import { ValueChange } from './value-change.tsx';
import { sourceWords } from './words.ts';

/** Everything one history row holds, uncut. */
export function HistoryDetails({ row }: { row: HistoryRow }) {
  const facts: [string, string][] = [
    ['Entry', String(row.id)],
    ['UTC', row.at],
    ['Who', row.actor],
    ['From', [sourceWords[row.source], row.origin].filter(Boolean).join(', ')],
    ['Action', row.action],
    ['For', row.scope === '' ? '–' : row.scope],
    ['Reason', row.reason === '' ? '–' : row.reason],
    ['Request', row.requestId],
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
      </dl>
      <HistoryActions row={row} />
    </>
  );
}
