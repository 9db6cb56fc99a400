'use client';

import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { ChevronRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import type { HistoryRow } from '../../../proxy/control/contract.ts';
import { ValueChange } from './value-change.tsx';
import { actionWords, sourceWords } from './words.ts';

const features = tableFeatures({});
const helper = createColumnHelper<typeof features, HistoryRow>();
const columns = helper.columns([
  helper.accessor('at', { header: 'When', cell: ({ row }) => <Time iso={row.original.at} /> }),
  helper.accessor('actor', { header: 'Who', cell: ({ row }) => <Who row={row.original} /> }),
  helper.accessor('parameter', { header: 'What', cell: ({ row }) => <What row={row.original} /> }),
  helper.accessor('reason', { header: 'Reason', cell: ({ row }) => <Reason row={row.original} /> }),
]);

const widths: Record<string, string> = {
  at: 'w-56 pl-4 lg:pl-6 max-md:hidden',
  actor: 'w-52 pr-4 max-md:hidden',
  parameter: 'pr-4 max-md:pl-4',
  reason: 'w-[28%] pr-4 max-lg:hidden',
};

/** History rows; each opens to show all of its text. On a phone a row is one block. */
export function HistoryTable({ rows }: { rows: HistoryRow[] }) {
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
      <caption className="sr-only">History, newest first</caption>
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
            <th scope="col" className="w-12 border-b border-line">
              <span className="sr-only">Details</span>
            </th>
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => {
          const expanded = open.has(row.id);
          const line = cn('py-2.5 align-top', !expanded && 'border-b border-line');
          return (
            <Fragment key={row.id}>
              <tr data-history={row.id} className="hover:bg-hover/60">
                {row.getAllCells().map((cell) => (
                  <td key={cell.id} className={cn(line, widths[cell.column.id])}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
                <td className={cn(line, 'pr-3 text-right')}>
                  <button
                    type="button"
                    aria-expanded={expanded}
                    aria-label={`Details of entry ${row.id}`}
                    onClick={() => toggle(row.id)}
                    className="inline-grid size-6 place-items-center rounded-md text-subtle hover:bg-hover hover:text-fg"
                  >
                    <ChevronRight aria-hidden className={cn('size-4 transition-transform', expanded && 'rotate-90')} />
                  </button>
                </td>
              </tr>
              {expanded ? <Details row={row.original} /> : null}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function Who({ row }: { row: HistoryRow }) {
  return (
    <>
      <PlainText text={row.actor} className="block truncate font-medium" />
      <span className="text-xs text-muted">
        {sourceWords[row.source]} · <PlainText text={row.origin} />
      </span>
    </>
  );
}

function What({ row }: { row: HistoryRow }) {
  return (
    <>
      {row.action === 'parameter.change' ? (
        <code className="font-mono font-medium [overflow-wrap:anywhere]">{row.parameter}</code>
      ) : (
        <Badge tone={row.action === 'login.failed' ? 'bad' : 'neutral'}>{actionWords[row.action]}</Badge>
      )}
      <ValueChange row={row} className="mt-0.5" />
      {row.reason === '' ? null : (
        <p className="mt-1 text-muted lg:hidden">
          <PlainText text={row.reason} />
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-2 text-xs text-subtle md:hidden">
        <PlainText text={row.actor} />
        <Time iso={row.at} />
      </p>
    </>
  );
}

function Reason({ row }: { row: HistoryRow }) {
  if (row.reason === '') return <span className="text-subtle">–</span>;
  return (
    <p title={row.reason} className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
      <PlainText text={row.reason} />
    </p>
  );
}

function Details({ row }: { row: HistoryRow }) {
  const facts: [string, string][] = [
    ['Entry', String(row.id)],
    ['Time (UTC)', row.at],
    ['Who', row.actor],
    ['From', `${sourceWords[row.source]}, ${row.origin}`],
    ['Action', row.action],
    ['Reason', row.reason === '' ? '–' : row.reason],
    ['Request', row.requestId],
  ];
  return (
    <tr>
      <td colSpan={5} className="border-b border-line bg-inset px-4 py-3 lg:px-6">
        <dl className="grid gap-x-4 gap-y-1.5 text-xs sm:grid-cols-[6rem_minmax(0,1fr)]">
          {facts.map(([label, text]) => (
            <Fragment key={label}>
              <dt className="text-muted">{label}</dt>
              <dd className="font-mono [overflow-wrap:anywhere]">
                <PlainText text={text} />
              </dd>
            </Fragment>
          ))}
          {row.oldValue === null && row.newValue === null ? null : (
            <>
              <dt className="text-muted">Change</dt>
              <dd>
                <ValueChange row={row} full />
              </dd>
            </>
          )}
        </dl>
      </td>
    </tr>
  );
}
