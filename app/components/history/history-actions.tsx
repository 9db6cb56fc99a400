'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { TakeOverDialog } from '@/components/compare/take-over-dialog.tsx';
import { ErrorText } from '@/components/error-text.tsx';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button, buttonClass } from '@/components/ui/button.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { valueText } from '@/lib/parameter-value.ts';
import { compareQuery } from '@/lib/queries.ts';
import type { CompareResponse, HistoryRow } from '../../../proxy/control/contract.ts';

/** What can be done about a change of a parameter: undo it, edit the configuration as it was after it, see who agreed to it. */
export function HistoryActions({ row }: { row: HistoryRow }) {
  const t = useText('history');
  const mayWrite = useMay('parameters.write');
  const [reverting, setReverting] = useState(false);
  const isChange = row.action === 'parameter.change' && row.outcome !== 'refused' && row.outcome !== 'failed';
  const proposal = proposalOf(row);
  if (!isChange && proposal === null) return null;
  return (
    <p className="mt-2.5 flex flex-wrap gap-2">
      {isChange && mayWrite ? (
        <Button size="sm" onClick={() => setReverting(true)}>
          {t('revertMore')}
        </Button>
      ) : null}
      {isChange ? (
        <Link href={`/configuration/compare?from=now&to=entry:${row.id}`} className={buttonClass('secondary', 'sm')}>
          {t(mayWrite ? 'editFrom' : 'compareWithNow')}
        </Link>
      ) : null}
      {proposal === null ? null : (
        <Link href={`/configuration/proposals/${proposal}`} className={buttonClass('secondary', 'sm')}>
          {t('proposal', { id: proposal })}
        </Link>
      )}
      {reverting ? <Revert row={row} onClose={() => setReverting(false)} /> : null}
    </p>
  );
}

/** Number of the proposal that an entry belongs to: the proxy begins the reason of such entries with it. */
function proposalOf({ action, outcome, reason }: HistoryRow): string | null {
  if (!action.startsWith('proposal.') && (action !== 'parameter.change' || outcome === 'refused')) return null;
  return /^proposal (\d+) of /.exec(reason)?.[1] ?? null;
}

/** Undoes all that the request of an entry changed, by a new change that says so. */
function Revert({ row, onClose }: { row: HistoryRow; onClose: () => void }) {
  const t = useText('history');
  const { data, error } = useQuery(compareQuery({ from: { kind: 'now' }, to: { kind: 'undo', id: row.id } }));
  if (error !== null) {
    return (
      <Notice tone="bad" alert className="basis-full text-xs">
        <ErrorText error={error} />
      </Notice>
    );
  }
  if (data === undefined) return null;
  return (
    <TakeOverDialog
      title={t('revertEntry', { id: String(row.id) })}
      differences={data.differences}
      refusal={data.refusal}
      undoes={row.id}
      note={<RevertNote row={row} response={data} />}
      onClose={onClose}
    />
  );
}

function RevertNote({ row, response }: { row: HistoryRow; response: CompareResponse }) {
  const t = useText('history');
  const shell = useText('shell');
  const own =
    row.scope === ''
      ? response.differences.find(({ name, scope }) => name === row.parameter && scope === null)
      : undefined;
  return (
    <>
      {own === undefined || own.from === row.newValue ? null : (
        <Notice tone="warn">
          {t.rich('changedAgain', {
            name: <PlainText text={row.parameter} className="font-mono" />,
            value: <PlainText text={valueText(shell, own.from ?? '')} className="font-mono" />,
          })}
        </Notice>
      )}
      {response.to.skipped.map(({ name, reason }) => (
        <Notice key={name} tone="warn">
          {t.rich('staysAsIs', {
            name: <PlainText text={name} className="font-mono" />,
            why: <PlainText text={reason} lang="en" />,
          })}
        </Notice>
      ))}
    </>
  );
}
