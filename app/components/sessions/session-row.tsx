import Link from 'next/link';
import { memo } from 'react';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { cn } from '@/lib/class-names.ts';
import { durationText } from '@/lib/time.ts';
import { visibleText } from '@/lib/visible-text.ts';
import type { Session } from '../../../proxy/control/contract.ts';
import { sessionLook, statementText, tookText } from './words.ts';

interface SessionRowProps {
  session: Session;
  /** Place in the whole list, from 0 on. */
  index: number;
  height: number;
  /** The proxy's clock when it was read. */
  at: string;
  onKill: ((session: Session) => void) | undefined;
}

const cell = 'border-b border-line pr-4 max-md:border-0 max-md:pr-0';
const line = 'block truncate';

/** One session. On a phone it is a block of four lines. */
export const SessionRow = memo(function SessionRow({ session, index, height, at, onKill }: SessionRowProps) {
  const t = useText('sessions');
  const { id, user, tenant, cluster, client, database, state, transactionMs, serverSessions, connectedAt } = session;
  return (
    <tr
      data-session={id}
      aria-rowindex={index + 2}
      style={{ height }}
      className="hover:bg-hover/60 max-md:relative max-md:flex max-md:flex-col max-md:justify-center max-md:overflow-hidden max-md:border-b max-md:border-line max-md:px-4"
    >
      <th scope="row" className={cn(cell, 'pl-4 text-left font-normal max-md:w-[60%] max-md:pl-0 lg:pl-6')}>
        <Link href={`/sessions/${id}`} className={cn(line, 'font-medium hover:text-accent hover:underline')}>
          <PlainText text={user} />
          <span className="sr-only">{t('sessionBehind', { id: String(id) })}</span>
        </Link>
        <span aria-hidden className="tabular block text-xs text-subtle max-md:hidden">
          {id}
        </span>
      </th>
      <td className={cn(cell, 'max-md:order-2')}>
        <PlainText text={tenant} className={cn(line, 'max-md:inline max-md:text-xs')} />
        <PlainText
          text={cluster === '' ? '–' : cluster}
          className={cn(line, 'text-xs text-muted max-md:ml-1.5 max-md:inline')}
        />
        <span className="tabular ml-1.5 text-xs text-subtle md:hidden">{t('session', { id: String(id) })}</span>
      </td>
      <td className={cn(cell, 'max-md:order-3')}>
        <span className={cn(line, 'tabular font-mono text-xs')}>{client}</span>
        <PlainText
          text={database === '' ? t('noDatabase') : database}
          className={cn(line, 'text-xs text-muted max-md:hidden')}
        />
      </td>
      <td className={cn(cell, 'max-md:absolute max-md:top-2 max-md:right-4')}>
        <StateMark look={sessionLook(state, t)} state={state} />
      </td>
      <td className={cn(cell, 'tabular text-right text-xs max-md:hidden')}>
        {transactionMs === null ? <span className="text-subtle">–</span> : durationText(transactionMs, t.language)}
      </td>
      <td className={cn(cell, 'tabular text-right text-xs max-lg:hidden')}>{serverSessions}</td>
      <td className={cn(cell, 'max-md:order-4')}>
        <Statement session={session} />
      </td>
      <td className={cn(cell, 'tabular text-right text-xs max-xl:hidden')}>
        {durationText(Date.parse(at) - Date.parse(connectedAt), t.language)}
      </td>
      <td className={cn(cell, 'text-right max-md:hidden lg:pr-6')}>
        {onKill === undefined ? null : (
          <Button
            size="sm"
            onClick={() => onKill(session)}
            aria-label={t('killOf', { id: String(id), user: visibleText(user) })}
          >
            {t('kill')}
          </Button>
        )}
      </td>
    </tr>
  );
});

function Statement({ session: { statement } }: { session: Session }) {
  const t = useText('sessions');
  if (statement === null) return <span className="text-xs text-subtle">{t('nothingYet')}</span>;
  const { isRunning, durationMs, server } = statement;
  const text = visibleText(statementText(statement));
  return (
    <>
      <code title={text} className={cn(line, 'font-mono text-xs', !isRunning && 'text-muted')}>
        {text}
      </code>
      <span className={cn(line, 'tabular text-xs text-muted')}>
        {t(isRunning ? 'runningFor' : 'lastTook', { time: tookText(durationMs, t) })}
        {server === null ? '' : ` · ${server}`}
      </span>
    </>
  );
}
