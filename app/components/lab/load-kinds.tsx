'use client';

import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { countText } from '@/lib/numbers.ts';
import { loadKindSchema, type SampleLoad } from '../../../proxy/control/contract.ts';

/** Each kind of statement: how many, and to which zones they went in the last ten seconds. */
export function LoadKinds({ load }: { load: SampleLoad }) {
  const t = useText('lab');
  return (
    <table className="w-full table-fixed text-xs">
      <caption className="sr-only">{t('where')}</caption>
      <thead className="text-muted">
        <tr>
          <th scope="col" className="w-24 py-1 text-left font-medium">
            {t('kind')}
          </th>
          <th scope="col" className="w-16 py-1 text-right font-medium">
            {t('succeeded')}
          </th>
          <th scope="col" className="w-14 py-1 text-right font-medium">
            {t('failedCount')}
          </th>
          <th scope="col" className="py-1 pl-4 text-left font-medium">
            {t('where')}
          </th>
        </tr>
      </thead>
      <tbody>
        {loadKindSchema.options.map((kind) => {
          const { zones } = load.recent[kind];
          const { ok, failed } = load.total[kind];
          const sum = Object.values(zones).reduce((total, count) => total + count, 0);
          return (
            <tr key={kind} data-kind={kind} className="border-t border-line align-top">
              <th scope="row" className="py-1.5 text-left font-medium">
                {t(`kind.${kind}`)}
              </th>
              <td className="tabular py-1.5 text-right">{countText(ok)}</td>
              <td className={cn('tabular py-1.5 text-right', failed > 0 && 'font-medium text-bad')}>
                {countText(failed)}
              </td>
              <td className="py-1.5 pl-4">
                <ul className="grid gap-1">
                  {Object.keys(zones)
                    .toSorted()
                    .map((zone) => (
                      <li key={zone} data-zone={zone} className="flex items-center gap-2">
                        <PlainText text={zone} className="w-12 truncate" />
                        <span aria-hidden className="h-2 min-w-0 flex-1 overflow-hidden rounded-full bg-line">
                          <span
                            className="block h-full bg-accent-fill"
                            style={{ width: `${((zones[zone] ?? 0) / sum) * 100}%` }}
                          />
                        </span>
                        <span className="tabular w-11 text-right whitespace-nowrap">
                          {Math.round(((zones[zone] ?? 0) / sum) * 100)} %
                        </span>
                      </li>
                    ))}
                </ul>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
