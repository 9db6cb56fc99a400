'use client';

import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import Link from 'next/link';
import { shownValue } from '@/components/parameters/pending-change.ts';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { parametersQuery } from '@/lib/queries.ts';
import type { Parameter } from '../../../proxy/control/contract.ts';
import type { OrderName } from './upgrade-page.tsx';

interface RestartPanelProps {
  mayStart: boolean;
  /** Undefined: the reader may order nothing. */
  onOrder: ((order: OrderName) => void) | undefined;
}

/** Values that are stored and wait for a restart, and the restart that no client notices. */
export function RestartPanel({ mayStart, onOrder }: RestartPanelProps) {
  const t = useText('upgrade');
  const mayRead = useMay('parameters.read');
  const query = useQuery({ ...parametersQuery, enabled: mayRead });
  if (!mayRead) return null;
  const pending = query.data?.parameters.filter(({ pendingValue }) => pendingValue !== null);
  return (
    <Panel
      title={t('waitingForRestart')}
      aside={<p className="tabular text-xs text-muted">{pending === undefined ? '' : pending.length}</p>}
    >
      {pending === undefined ? (
        query.isError ? (
          <QueryFailure query={query} what={t('theConfiguration')} />
        ) : (
          <TableSkeleton rows={2} />
        )
      ) : pending.length === 0 ? (
        <p className="px-4 py-3 text-sm text-muted">{t('noneWaits')}</p>
      ) : (
        <ul aria-label={t('waitingParameters')} className="divide-y divide-line">
          {pending.map((parameter) => (
            <Pending key={parameter.name} parameter={parameter} />
          ))}
        </ul>
      )}
      {onOrder === undefined ? null : (
        <div className="grid gap-2 border-t border-line px-4 py-3">
          <Button disabled={!mayStart} onClick={() => onOrder('restart')}>
            <RotateCw aria-hidden className="size-3.5" />
            {t('restartButton')}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Pending({ parameter }: { parameter: Parameter }) {
  const shell = useText('shell');
  const { name, value, pendingValue, changedAt, changedBy } = parameter;
  return (
    <li data-pending={name} className="grid gap-0.5 px-4 py-2 text-sm">
      <Link
        href={`/configuration?q=${encodeURIComponent(`name:${name}`)}`}
        className="font-mono text-xs font-medium [overflow-wrap:anywhere] hover:underline"
      >
        {name}
      </Link>
      <p className="font-mono text-xs [overflow-wrap:anywhere]">
        <PlainText text={shownValue(shell, parameter, value)} className="text-muted" /> →{' '}
        <PlainText text={shownValue(shell, parameter, pendingValue ?? '')} className="font-medium" />
      </p>
      {changedAt === null ? null : (
        <p className="text-xs text-muted">
          <PlainText text={changedBy ?? shell('unknown')} />, <Time iso={changedAt} short />
        </p>
      )}
    </li>
  );
}
