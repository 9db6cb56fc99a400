import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { useText } from '@/components/texts.tsx';
import { EmptyState } from '@/components/ui/empty-state.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { SearchBox } from '@/components/ui/search-box.tsx';
import { cn } from '@/lib/class-names.ts';
import { durationText } from '@/lib/time.ts';
import { leavingGeneration } from '@/lib/upgrade-progress.ts';
import { waitingMatches } from '@/lib/waiting-filter.ts';
import type { UpgradeState } from '../../../proxy/control/contract.ts';

interface WaitingSessionsProps {
  state: UpgradeState;
  search: string;
  onSearch: (text: string) => void;
}

const cell =
  'border-b border-line py-2 pr-4 align-top text-left max-md:block max-md:border-0 max-md:py-0.5 max-md:pl-4';
const head = cn(cell, 'text-xs font-medium whitespace-nowrap text-muted');

/** The sessions that could not go over yet: who, what they wait for, and for how long. Only while there is a run. */
export function WaitingSessions({ state, search, onSearch }: WaitingSessionsProps) {
  const t = useText('upgrade');
  const leaver = leavingGeneration(state);
  if (leaver === null || state.run === null) return null;
  const { waiting, waitingTotal } = state.run;
  const shown = waiting.filter((session) => waitingMatches(session, search));
  return (
    <Panel
      title={t('waitedFor')}
      aside={
        <p className="tabular text-xs text-muted" data-testid="waiting-total">
          {t('waitingOn', { count: waitingTotal, id: String(leaver.id) })}
        </p>
      }
    >
      {waiting.length === 0 ? (
        <p className="p-4 text-sm text-muted">
          {t('nobody')} {t(leaver.clientSessions === 0 ? 'allGone' : 'oneByOne')}
        </p>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2.5">
            <SearchBox
              value={search}
              maxLength={200}
              onChange={onSearch}
              label={t('searchWaiting')}
              placeholder={t('searchExample')}
              helpId="waiting-search-help"
              help={t('searchHelp')}
            />
            {waitingTotal > waiting.length ? (
              <p className="text-xs text-muted">{t('longestShown', { count: waiting.length })}</p>
            ) : null}
          </div>
          {shown.length === 0 ? (
            <EmptyState icon={SearchX} title={t('noneFits')} />
          ) : (
            <table className="w-full border-separate border-spacing-0 text-sm max-md:block [&_tbody_tr:last-child>*]:border-0">
              <caption className="sr-only">{t('waitingCaption')}</caption>
              <thead className="max-md:sr-only">
                <tr>
                  <th scope="col" className={cn(head, 'pl-4')}>
                    {t('session')}
                  </th>
                  <th scope="col" className={head}>
                    {t('user')}
                  </th>
                  <th scope="col" className={head}>
                    {t('waitsFor')}
                  </th>
                  <th scope="col" className={cn(head, 'text-right')}>
                    {t('waitsSince')}
                  </th>
                </tr>
              </thead>
              <tbody className="max-md:block max-md:divide-y max-md:divide-line">
                {shown.map(({ id, user, reason, waitedMs }) => (
                  <tr key={id} data-waiting={id} className="max-md:block max-md:py-2">
                    <th scope="row" className={cn(cell, 'tabular pl-4 font-normal')}>
                      <Link href={`/sessions/${id}`} className="text-accent hover:underline">
                        {id}
                      </Link>
                    </th>
                    <td className={cn(cell, '[overflow-wrap:anywhere]')}>
                      <PlainText text={user} />
                    </td>
                    <td className={cn(cell, '[overflow-wrap:anywhere]')}>
                      <PlainText text={reason} lang="en" />
                    </td>
                    <td className={cn(cell, 'tabular whitespace-nowrap md:text-right')}>
                      <span className="md:hidden">{t('waitsSinceWord')} </span>
                      {durationText(waitedMs, t.language)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </Panel>
  );
}
