'use client';

import { useUser } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
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
  const t = useText('history');
  const { zone } = useTimeZone();
  const { name, role } = useUser();
  const days = from === '' && to === '' ? t('allDays') : t('fromTo', { from: from || '…', to: to || '…' });
  return (
    <div className="hidden border-b border-line pb-2 text-xs print:block">
      <h2 className="text-lg font-semibold">{t('reportTitle')}</h2>
      <p>{t.rich('reportFilter', { filter: q === '' ? t('noFilter') : <code>{q}</code>, days, zone })}</p>
      <p>
        {t('reportShown', { shown, total })}
        {countText(shown) === total ? '' : t('reportCut')}
      </p>
      <p>{t.rich('reportRead', { when: <Time iso={readAt} />, iso: readAt, name, role })}</p>
    </div>
  );
}
