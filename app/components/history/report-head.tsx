'use client';

import { useUser } from '@/components/shell/user-context.tsx';
import { Time, useTimeZone } from '@/components/time-zone.tsx';
import { countText } from '@/lib/numbers.ts';

interface ReportHeadProps {
  /** What was searched for, as typed. */
  q: string;
  from: string;
  to: string;
  shown: number;
  total: string;
  /** When the rows were read. */
  readAt: string;
}

/** The head of a printed history: what it shows, how much of it, when and for whom. Only on paper. */
export function ReportHead({ q, from, to, shown, total, readAt }: ReportHeadProps) {
  const { zone } = useTimeZone();
  const { name, role } = useUser();
  const days = from === '' && to === '' ? 'all days' : `${from === '' ? '…' : from} to ${to === '' ? '…' : to}`;
  return (
    <div className="hidden border-b border-line pb-2 text-xs print:block">
      <h2 className="text-lg font-semibold">History of the OceanBase proxy</h2>
      <p>
        Filter: {q === '' ? 'none' : <code>{q}</code>}; {days} in {zone}
      </p>
      <p>
        {countText(shown)} of {total} entries, newest first
        {countText(shown) === total ? '' : ': the older ones are not part of this report'}
      </p>
      <p>
        Read <Time iso={readAt} /> ({readAt}) by {name}, {role}
      </p>
    </div>
  );
}
