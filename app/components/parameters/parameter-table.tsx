'use client';

import {
  type Column,
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import { isModified } from '@/lib/parameter-value.ts';
import type { Catalog } from '@/messages/catalog.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';
import { useDrafts } from './draft-provider.tsx';
import { ParameterRow } from './parameter-row.tsx';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});
const helper = createColumnHelper<typeof features, Parameter>();

/** The texts of the heads, by the columns' ids. */
const heads: Record<string, Extract<keyof Catalog['parameters'], `column.${string}`>> = {
  name: 'column.name',
  value: 'column.value',
  default: 'column.default',
  type: 'column.type',
  changed: 'column.changed',
};

const columns = helper.columns([
  helper.accessor('name', { sortFn: 'alphanumeric' }),
  helper.accessor('value', { enableSorting: false }),
  helper.accessor((parameter) => Number(isModified(parameter)), {
    id: 'default',

    sortFn: 'basic',
    sortDescFirst: true,
  }),
  helper.accessor('type', { sortFn: 'alphanumeric' }),
  helper.accessor((parameter) => parameter.changedAt ?? '', {
    id: 'changed',

    sortFn: 'basic',
    sortDescFirst: true,
  }),
]);

const widths: Record<string, string> = {
  name: 'w-[52%] sm:w-auto pl-4 lg:pl-6',
  value: 'sm:w-72 pl-2 pr-4',
  default: 'w-36 pr-4 max-lg:hidden',
  type: 'w-44 pr-4 max-lg:hidden',
  changed: 'w-48 pr-6 max-xl:hidden',
};

/** The parameters, by group until a column is chosen to sort by. */
export function ParameterTable({ parameters }: { parameters: readonly Parameter[] }) {
  const t = useText('parameters');
  const { drafts } = useDrafts();
  const data = useMemo(
    () => parameters.toSorted((a, b) => a.group.localeCompare(b.group) || a.name.localeCompare(b.name)),
    [parameters],
  );
  const table = useTable({ features, columns, data, getRowId: (parameter) => parameter.name });
  const rows = table.getRowModel().rows;
  const grouped = table.state.sorting.length === 0;
  return (
    <table className="w-full table-fixed border-separate border-spacing-0">
      <caption className="sr-only">{t('caption')}</caption>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map(({ column, id }) => (
              <th
                key={id}
                scope="col"
                aria-sort={ariaSort(column.getIsSorted())}
                className={cn('border-b border-line py-2 text-left text-xs font-medium text-muted', widths[column.id])}
              >
                <ColumnHead column={column} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const parameter = row.original;
          const heads = grouped && rows[index - 1]?.original.group !== parameter.group;
          return (
            <Fragment key={row.id}>
              {heads ? <GroupHead name={parameter.group} /> : null}
              <ParameterRow parameter={parameter} draft={drafts.get(parameter.name)} />
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function GroupHead({ name }: { name: string }) {
  const cell = 'border-b border-line bg-inset';
  // Not one wide cell: on narrow screens there are fewer columns, and a span over missing ones would make new ones.
  return (
    <tr>
      <th
        scope="rowgroup"
        colSpan={2}
        className={cn(cell, 'px-4 py-1.5 text-left text-xs font-semibold text-muted first-letter:uppercase lg:px-6')}
      >
        {name}
      </th>
      <td className={cn(cell, 'max-lg:hidden')} />
      <td className={cn(cell, 'max-lg:hidden')} />
      <td className={cn(cell, 'max-xl:hidden')} />
    </tr>
  );
}

function ColumnHead({ column }: { column: Column<typeof features, Parameter> }) {
  const t = useText('parameters');
  const key = heads[column.id];
  const label = key === undefined ? null : t(key);
  if (!column.getCanSort()) return label;
  const sorted = column.getIsSorted();
  const Icon = sorted === 'desc' ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={() => column.toggleSorting()}
      className="group inline-flex items-center gap-1 rounded hover:text-fg"
    >
      {label}
      <Icon aria-hidden className={cn('size-3', sorted ? 'text-accent' : 'opacity-0 group-hover:opacity-60')} />
    </button>
  );
}

function ariaSort(sorted: false | 'asc' | 'desc'): 'ascending' | 'descending' | undefined {
  if (sorted === false) return undefined;
  return sorted === 'asc' ? 'ascending' : 'descending';
}
