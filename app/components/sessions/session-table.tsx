'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import type { RowWindow } from '@/lib/row-window.ts';
import { nextOrder, type SessionsFilter } from '@/lib/sessions-filter.ts';
import type { Session, SessionSort } from '../../../proxy/control/contract.ts';
import { SessionRow } from './session-row.tsx';

interface Head {
  readonly sorts: readonly SessionSort[];
  readonly className: string;
}

const heads: readonly Head[] = [
  { sorts: ['user', 'id'], className: 'w-36 pl-4 lg:pl-6' },
  { sorts: ['tenant', 'cluster'], className: 'w-36' },
  { sorts: ['client', 'database'], className: 'w-44' },
  { sorts: ['state'], className: 'w-32' },
  { sorts: ['transaction'], className: 'w-30 text-right' },
  { sorts: ['servers'], className: 'w-22 text-right max-lg:hidden' },
  { sorts: ['statement'], className: '' },
  { sorts: ['since'], className: 'w-26 text-right max-xl:hidden' },
];

interface SessionTableProps {
  /** By place in the whole list; those that are not there yet are missing. */
  rows: ReadonlyMap<number, Session>;
  window: RowWindow & { readonly rowHeight: number };
  count: number;
  at: string;
  filter: SessionsFilter;
  onSort: (sort: SessionSort, order: 'asc' | 'desc') => void;
  onKill: ((session: Session) => void) | undefined;
}

/** Only the rows in sight are there; what is above and below is two empty rows of the right height. */
export function SessionTable({ rows, window, count, at, filter, onSort, onKill }: SessionTableProps) {
  const t = useText('sessions');
  const { first, end, rowHeight } = window;
  const places = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  return (
    <table
      aria-rowcount={count + 1}
      className="w-full table-fixed border-separate border-spacing-0 text-sm max-md:block"
    >
      <caption className="sr-only">{t('caption')}</caption>
      <thead className="max-md:sr-only">
        <tr>
          {heads.map(({ sorts, className }) => (
            <th
              key={sorts[0]}
              scope="col"
              aria-sort={sorts.includes(filter.sort) ? ariaOrder(filter.order) : undefined}
              className={cn(
                'sticky top-0 z-10 border-b border-line bg-bg py-2 pr-4 text-left text-xs font-medium whitespace-nowrap text-muted',
                className,
              )}
            >
              {sorts.map((sort, index) => (
                <SortButton key={sort} sort={sort} filter={filter} onSort={onSort}>
                  {index === 0 ? t(`head.${sort}`) : `· ${t(`head.${sort}`)}`}
                </SortButton>
              ))}
            </th>
          ))}
          <th scope="col" className="sticky top-0 z-10 w-24 border-b border-line bg-bg">
            <span className="sr-only">{t('kill')}</span>
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        <Gap height={first * rowHeight} />
        {places.map((place) => {
          const session = rows.get(place);
          return session === undefined ? (
            <Missing key={`missing-${place}`} height={rowHeight} />
          ) : (
            <SessionRow key={session.id} session={session} index={place} height={rowHeight} at={at} onKill={onKill} />
          );
        })}
        <Gap height={Math.max(0, count - end) * rowHeight} />
      </tbody>
    </table>
  );
}

const ariaOrder = (order: 'asc' | 'desc') => (order === 'asc' ? 'ascending' : 'descending');

interface SortButtonProps {
  sort: SessionSort;
  filter: SessionsFilter;
  onSort: (sort: SessionSort, order: 'asc' | 'desc') => void;
  children: ReactNode;
}

function SortButton({ sort, filter, onSort, children }: SortButtonProps) {
  const isOn = filter.sort === sort;
  const Arrow = filter.order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={() => onSort(sort, nextOrder(sort, filter))}
      className={cn('mr-1 inline-flex items-center gap-0.5 rounded hover:text-fg', isOn && 'text-fg')}
    >
      {children}
      {isOn ? <Arrow aria-hidden className="size-3" /> : null}
    </button>
  );
}

function Gap({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden className="max-md:block" style={{ height }}>
      <td colSpan={9} />
    </tr>
  );
}

/** Stands where a row will be. */
function Missing({ height }: { height: number }) {
  return (
    <tr aria-hidden className="animate-pulse max-md:flex max-md:items-center max-md:px-4" style={{ height }}>
      <td colSpan={9} className="border-b border-line px-4 lg:px-6">
        <div className="h-3 w-64 rounded bg-hover" />
      </td>
    </tr>
  );
}
