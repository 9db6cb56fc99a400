'use client';

import { Elapsed } from '@/components/proxy-clock.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { bytesText, countText } from '@/lib/numbers.ts';
import type { UpgradeGeneration, UpgradeState } from '../../../proxy/control/contract.ts';
import { roleLooks } from './words.ts';

const cell =
  'border-b border-line py-2 pr-4 align-top text-left max-md:block max-md:border-0 max-md:py-0.5 max-md:pl-4';
const head = cn(cell, 'text-xs font-medium whitespace-nowrap text-muted');

/** The processes that serve, one beside the other while one replaces the other, and the sessions on each. */
export function GenerationTable({ state: { generations } }: { state: UpgradeState }) {
  const t = useText('upgrade');
  return (
    <Panel title={t('generations')} aside={<p className="tabular text-xs text-muted">{generations.length}</p>}>
      {generations.length === 0 ? (
        <p className="p-4 text-sm text-muted">{t('noneRuns')}</p>
      ) : (
        <table className="w-full border-separate border-spacing-0 text-sm max-md:block [&_tbody_tr:last-child>*]:border-0">
          <caption className="sr-only">{t('generations')}</caption>
          <thead className="max-md:sr-only">
            <tr>
              <th scope="col" className={cn(head, 'pl-4')}>
                {t('generation')}
              </th>
              <th scope="col" className={head}>
                {t('state')}
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                {t('sessions')}
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                {t('workers')}
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                {t('requests')}
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                {t('ownErrors')}
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                {t('memory')}
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                {t('upFor')}
              </th>
            </tr>
          </thead>
          <tbody className="max-md:block max-md:divide-y max-md:divide-line">
            {generations.map((generation) => (
              <GenerationRow key={generation.id} generation={generation} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function GenerationRow({ generation }: { generation: UpgradeGeneration }) {
  const t = useText('upgrade');
  const { id, role, version, directory, pid, startedAt, workers, clientSessions, requests, errors, rssBytes } =
    generation;
  return (
    <tr data-generation={id} data-role={role} className="max-md:block max-md:py-2">
      <th scope="row" className={cn(cell, 'pl-4 font-normal')}>
        <span className="font-medium">{id}</span>{' '}
        <span className="text-xs text-muted">
          {version === '' ? t('versionNotTold') : <PlainText text={version} />}
        </span>
        <span className="block text-xs text-muted [overflow-wrap:anywhere]">
          {pid === 0 ? null : `${t('process', { pid: String(pid) })} `}
          <PlainText text={directory} className="font-mono" />
        </span>
      </th>
      <td className={cell}>
        <StateMark look={{ ...roleLooks[role], word: t(`role.${role}`) }} state={role} />
        <span className="block text-xs text-muted">{t(`about.${role}`)}</span>
      </td>
      <Amount word={t('amount.sessions', { count: clientSessions })}>
        <span data-testid="sessions">{countText(clientSessions)}</span>
      </Amount>
      <Amount word={t('amount.workers', { count: workers })}>{countText(workers)}</Amount>
      <Amount word={t('amount.requests', { count: requests })}>{countText(requests)}</Amount>
      <Amount word={t('amount.errors', { count: errors })}>{countText(errors)}</Amount>
      <Amount word={t('amount.memory')}>{bytesText(rssBytes)}</Amount>
      <Amount word={t('amount.up')}>
        <Elapsed since={startedAt} />
      </Amount>
    </tr>
  );
}

/** The word stands where the column heads are not. */
function Amount({ word, children }: { word: string; children: React.ReactNode }) {
  return (
    <td className={cn(cell, 'tabular whitespace-nowrap max-md:inline-block max-md:pr-0 max-md:text-xs md:text-right')}>
      {children}
      <span className="md:hidden"> {word}</span>
    </td>
  );
}
