'use client';

import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import type { HistoryRow } from '../../../proxy/control/contract.ts';
import { HistoryDetails } from './history-details.tsx';
import { ValueChange } from './value-change.tsx';
import { appliedText, outcomeText } from './words.ts';

const features = tableFeatures({});
const helper = createColumnHelper<typeof features, HistoryRow>();
const columns = helper.columns([
  helper.accessor('at', { header: () => <Head of="at" />, cell: ({ row }) => <Time iso={row.original.at} /> }),
  helper.accessor('actor', { header: () => <Head of="actor" />, cell: ({ row }) => <Who row={row.original} /> }),
  helper.accessor('parameter', {
    header: () => <Head of="parameter" />,
    cell: ({ row }) => <What row={row.original} />,
  }),
  helper.accessor('reason', { header: () => <Head of="reason" />, cell: ({ row }) => <Reason row={row.original} /> }),
]);

const widths: Record<string, string> = {
  at: 'w-60 pr-4 pl-4 lg:pl-6 max-md:hidden',
  actor: 'w-48 pr-4 max-md:hidden',
  parameter: 'pr-4 max-md:pl-4',
  reason: 'w-[28%] pr-4 max-lg:hidden',
};

/** History rows; each opens to show all of its text. On a phone a row is one block. */
export function HistoryTable({ rows }: { rows: HistoryRow[] }) {
  const t = useText('history');
  const table = useTable({ features, columns, data: rows, getRowId: (row) => String(row.id) });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setOpen((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 text-sm">
      <caption className="sr-only">{t('newestFirst')}</caption>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <th
                key={header.id}
                scope="col"
                className={cn(
                  'border-b border-line py-2 text-left text-xs font-medium text-muted',
                  widths[header.column.id],
                )}
              >
                <table.FlexRender header={header} />
              </th>
            ))}
            <th scope="col" className="w-14 border-b border-line print:hidden">
              <span className="sr-only">{t('details')}</span>
            </th>
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => {
          const expanded = open.has(row.id);
          const cellClass = cn('border-b border-line py-2.5 align-top', expanded && 'bg-inset');
          return (
            <tr key={row.id} data-history={row.id} className="hover:bg-hover/60 print:break-inside-avoid">
              {row.getAllCells().map((cell) => (
                <td key={cell.id} className={cn(cellClass, widths[cell.column.id])}>
                  <table.FlexRender cell={cell} />
                  {expanded && cell.column.id === 'parameter' ? <HistoryDetails row={row.original} /> : null}
                </td>
              ))}
              <td className={cn(cellClass, 'pr-4 text-right lg:pr-6 print:hidden')}>
                <button
                  type="button"
                  aria-expanded={expanded}
                  aria-label={t('detailsOf', { id: row.id })}
                  onClick={() => toggle(row.id)}
                  className="inline-grid size-6 place-items-center rounded-md text-subtle hover:bg-hover hover:text-fg"
                >
                  <ChevronRight aria-hidden className={cn('size-4 transition-transform', expanded && 'rotate-90')} />
                </button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Head({ of }: { of: 'at' | 'actor' | 'parameter' | 'reason' }) {
  const t = useText('history');
  return t(`column.${of}`);
}

function Who({ row }: { row: HistoryRow }) {
  const t = useText('history');
  return (
    <>
      <PlainText text={row.actor} className="block truncate font-medium" />
      <span className="text-xs text-muted">
        {t(`source.${row.source}`)}
        {row.token === '' ? null : (
          <>
            {' · '}
            <PlainText text={row.token} />
          </>
        )}
        {row.role === '' ? null : ` · ${row.role}`}
        {row.origin === '' ? null : (
          <>
            {' · '}
            <PlainText text={row.origin} />
          </>
        )}
      </span>
    </>
  );
}

function What({ row }: { row: HistoryRow }) {
  const t = useText('history');
  return (
    <>
      {row.action === 'parameter.change' ? (
        <>
          <code className="font-mono font-medium [overflow-wrap:anywhere]">{row.parameter}</code>
          {row.scope === '' ? null : (
            <PlainText text={row.scope} className="ml-1.5 text-xs text-muted [overflow-wrap:anywhere]" />
          )}
        </>
      ) : (
        <>
          <Badge>{t(`action.${row.action}`)}</Badge>
          {row.action.startsWith('proposal.') ? (
            <code className="ml-1.5 font-mono [overflow-wrap:anywhere]">{row.parameter}</code>
          ) : null}
        </>
      )}
      <Outcome row={row} />
      <ValueChange row={row} className="mt-0.5" />
      {row.failure === '' ? null : (
        <p className="mt-0.5 line-clamp-2 text-xs text-bad [overflow-wrap:anywhere]">
          <PlainText text={row.failure} lang="en" />
        </p>
      )}
      {row.reason === '' ? null : (
        <p className="mt-1 line-clamp-2 text-muted [overflow-wrap:anywhere] lg:hidden">
          <PlainText text={row.reason} />
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-2 text-xs text-subtle md:hidden">
        <PlainText text={row.actor} className="[overflow-wrap:anywhere]" />
        <Time iso={row.at} />
      </p>
    </>
  );
}

/** What came of it, where that is not what one expects. */
function Outcome({ row }: { row: HistoryRow }) {
  const t = useText('history');
  const isPartial = row.workers !== null && row.workers.applied < row.workers.total;
  if (row.outcome === 'refused' || row.outcome === 'failed' || isPartial) {
    return (
      <Badge tone={row.outcome === 'refused' ? 'warn' : 'bad'} className="ml-1.5">
        {outcomeText(t, row)}
      </Badge>
    );
  }
  if (row.action !== 'parameter.change') return null;
  const text = row.workers === null ? t(`outcome.${row.outcome}`).toLowerCase() : appliedText(t, row.workers);
  return <span className="ml-1.5 text-xs text-subtle">{text}</span>;
}

function Reason({ row }: { row: HistoryRow }) {
  if (row.reason === '') return <span className="text-subtle">–</span>;
  return (
    <p title={row.reason} className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
      <PlainText text={row.reason} />
    </p>
  );
}
