'use client';

import { Elapsed } from '@/components/proxy-clock.tsx';
import { StateMark } from '@/components/state-mark.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { bytesText, countText } from '@/lib/numbers.ts';
import type { UpgradeGeneration, UpgradeState } from '../../../proxy/control/contract.ts';
import { roleAbout, roleLooks } from './words.ts';

const cell =
  'border-b border-line py-2 pr-4 align-top text-left max-md:block max-md:border-0 max-md:py-0.5 max-md:pl-4';
const head = cn(cell, 'text-xs font-medium whitespace-nowrap text-muted');

/** The processes that serve, one beside the other while one replaces the other, and the sessions on each. */
export function GenerationTable({ state: { generations } }: { state: UpgradeState }) {
  return (
    <Panel title="Generations" aside={<p className="tabular text-xs text-muted">{generations.length}</p>}>
      {generations.length === 0 ? (
        <p className="p-4 text-sm text-muted">None runs just now.</p>
      ) : (
        <table className="w-full border-separate border-spacing-0 text-sm max-md:block [&_tbody_tr:last-child>*]:border-0">
          <caption className="sr-only">Generations</caption>
          <thead className="max-md:sr-only">
            <tr>
              <th scope="col" className={cn(head, 'pl-4')}>
                Generation
              </th>
              <th scope="col" className={head}>
                State
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                Sessions
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                Workers
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                Requests
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                Own errors
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                Memory
              </th>
              <th scope="col" className={cn(head, 'text-right')}>
                Up for
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
  const { id, role, version, directory, pid, startedAt, workers, clientSessions, requests, errors, rssBytes } =
    generation;
  return (
    <tr data-generation={id} data-role={role} className="max-md:block max-md:py-2">
      <th scope="row" className={cn(cell, 'pl-4 font-normal')}>
        <span className="font-medium">{id}</span>{' '}
        <span className="text-xs text-muted">
          {version === '' ? 'version not told yet' : <PlainText text={version} />}
        </span>
        <span className="block text-xs text-muted [overflow-wrap:anywhere]">
          {pid === 0 ? null : `process ${pid}, `}
          <PlainText text={directory} className="font-mono" />
        </span>
      </th>
      <td className={cell}>
        <StateMark look={roleLooks[role]} state={role} />
        <span className="block text-xs text-muted">{roleAbout[role]}</span>
      </td>
      <Amount word={clientSessions === 1 ? 'session' : 'sessions'}>
        <span data-testid="sessions">{countText(clientSessions)}</span>
      </Amount>
      <Amount word={workers === 1 ? 'worker' : 'workers'}>{countText(workers)}</Amount>
      <Amount word={requests === 1 ? 'request' : 'requests'}>{countText(requests)}</Amount>
      <Amount word={errors === 1 ? 'own error' : 'own errors'}>{countText(errors)}</Amount>
      <Amount word="of memory">{bytesText(rssBytes)}</Amount>
      <Amount word="up">
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
