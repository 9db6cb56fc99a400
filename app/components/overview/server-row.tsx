import { memo } from 'react';
import { ServerMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { rateText } from '@/lib/numbers.ts';
import type { Server } from '../../../proxy/control/contract.ts';

interface ServerRowProps {
  server: Server;
  /** Requests per second, or null when not known. */
  rate: number | null;
}

/** One OBServer: address, state, why, and what it is given to do. Of hundreds only those that change are drawn again. */
export const ServerRow = memo(function ServerRow({ server, rate }: ServerRowProps) {
  const t = useText('overview');
  return (
    <li data-server={server.address} className="mt-2">
      <div className="flex items-baseline justify-between gap-3">
        <PlainText text={server.address} className="font-mono text-sm [overflow-wrap:anywhere]" />
        <span key={server.state} className="flash -mx-1 rounded px-1">
          <ServerMark state={server.state} />
        </span>
      </div>
      <div className="mt-0.5 flex items-baseline justify-between gap-3 text-xs text-muted">
        <span lang="en" title={server.reason} className="line-clamp-2 min-w-0 text-subtle">
          <PlainText text={server.reason} />
        </span>
        <span className="tabular shrink-0">
          <span title={t('openServerSessions')}>{t('sessionsShort', { number: server.serverSessions })}</span>
          <span className="text-subtle"> · </span>
          <span title={t('stat.requestRate')}>
            {t('requestsShort', { rate: rate === null ? '–' : rateText(rate) })}
          </span>
        </span>
      </div>
    </li>
  );
});
