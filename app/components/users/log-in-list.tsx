'use client';

import { useQuery } from '@tanstack/react-query';
import { Elapsed, ProxyClock } from '@/components/proxy-clock.tsx';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { browserName } from '@/lib/browser-name.ts';
import { logInsQuery } from '@/lib/user-queries.ts';
import type { LogIn } from '../../../proxy/control/contract.ts';

interface LogInListProps {
  /** Null: one's own. */
  userId: number | null;
  /** Ends one; left out: it may not be. */
  onEnd?: ((logIn: LogIn) => void) | undefined;
}

/** Where somebody is logged in: since when, last seen, from which address, with which browser. */
export function LogInList({ userId, onEnd }: LogInListProps) {
  const t = useText('users');
  const query = useQuery(logInsQuery(userId));
  if (query.data === undefined) {
    return query.isError ? <QueryFailure query={query} what={t('theLogIns')} /> : <TableSkeleton rows={2} />;
  }
  const { at, logIns } = query.data;
  if (logIns.length === 0) return <p className="px-4 py-3 text-sm text-muted">{t('nowhere')}</p>;
  return (
    <ProxyClock at={at} receivedAtMs={query.dataUpdatedAt}>
      <ul aria-label={t('logIns')} className="divide-y divide-line">
        {logIns.map((logIn) => (
          <LogInEntry key={logIn.id} logIn={logIn} onEnd={onEnd} />
        ))}
      </ul>
    </ProxyClock>
  );
}

function LogInEntry({ logIn, onEnd }: { logIn: LogIn; onEnd: LogInListProps['onEnd'] }) {
  const t = useText('users');
  const { openedAt, lastSeenAt, origin, agent, isCurrent } = logIn;
  const browser = browserName(agent) || t('unknownBrowser');
  const address = origin === '' ? t('unknownAddress') : origin;
  return (
    <li data-log-in={isCurrent ? 'current' : 'other'} className="flex items-start gap-3 px-4 py-2.5 text-sm">
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]">
          {t.rich('browserFrom', {
            browser: <PlainText text={browser} className="font-medium" />,
            address: <PlainText text={address} />,
          })}
          {isCurrent ? <Badge className="ml-2">{t('thisOne')}</Badge> : null}
        </p>
        <p className="text-xs text-muted">
          {t.rich('sinceLastSeen', { when: <Time iso={openedAt} />, time: <Elapsed since={lastSeenAt} /> })}
        </p>
      </div>
      {isCurrent || onEnd === undefined ? null : (
        <Button size="sm" aria-label={t('endLogInOf', { address, browser })} onClick={() => onEnd(logIn)}>
          {t('end')}
        </Button>
      )}
    </li>
  );
}
