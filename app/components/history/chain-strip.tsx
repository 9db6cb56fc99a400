'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleHelp, type LucideIcon, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { toast } from 'sonner';
import { ErrorText } from '@/components/error-text.tsx';
import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { postJson } from '@/lib/api.ts';
import { cn } from '@/lib/class-names.ts';
import { historyChainQuery } from '@/lib/queries.ts';
import { type HistoryChain, historyChainSchema } from '../../../proxy/control/contract.ts';

const looks: Record<HistoryChain['state'], { icon: LucideIcon; colour: string }> = {
  unknown: { icon: CircleHelp, colour: 'text-muted' },
  intact: { icon: ShieldCheck, colour: 'text-ok' },
  broken: { icon: ShieldAlert, colour: 'text-bad' },
};

/** Whether the whole history is as it was written: state in words, when that was found, where it breaks, look again. */
export function ChainStrip() {
  const t = useText('history');
  const client = useQueryClient();
  const { data: chain, error } = useQuery(historyChainQuery);
  const again = useMutation({
    mutationFn: async () => historyChainSchema.parse(await postJson('/api/history/verify', {})),
    onSuccess: (fresh) => client.setQueryData(historyChainQuery.queryKey, fresh),
    onError: (failure) => void toast.error(<ErrorText error={failure} />),
  });
  if (chain === undefined) {
    return (
      <Strip>
        {error === null ? t('lookingAtChain') : t.rich('chainNotKnown', { why: <ErrorText error={error} /> })}
      </Strip>
    );
  }
  const { icon: Icon, colour } = looks[chain.state];
  return (
    <Strip state={chain.state}>
      <span className={cn('inline-flex items-center gap-1.5 font-medium', colour)}>
        <Icon aria-hidden className="size-4" />
        {t(`chain.${chain.state}`)}
      </span>
      <ChainFacts chain={chain} />
      <Button
        size="sm"
        className="ml-auto print:hidden"
        disabled={chain.progress !== null || again.isPending}
        onClick={() => again.mutate()}
      >
        {t(chain.progress === null ? 'checkNow' : 'checking')}
      </Button>
      {chain.report === null || chain.report.breakCount === 0 ? null : (
        <ul className="basis-full list-disc pl-5 text-fg [overflow-wrap:anywhere]">
          {chain.report.breaks.map(({ id, what }) => (
            <li key={`${id} ${what}`} lang="en">
              {what}
            </li>
          ))}
          {chain.report.breakCount > chain.report.breaks.length ? (
            <li>{t('andMore', { count: chain.report.breakCount - chain.report.breaks.length })}</li>
          ) : null}
        </ul>
      )}
    </Strip>
  );
}

function Strip({ state, children }: { state?: HistoryChain['state']; children: ReactNode }) {
  const t = useText('history');
  return (
    <section
      aria-label={t('chain')}
      data-chain={state}
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 text-xs text-muted lg:px-6"
    >
      {children}
    </section>
  );
}

function ChainFacts({ chain: { report, checkedAt, progress, error, keyFingerprint } }: { chain: HistoryChain }) {
  const t = useText('history');
  return (
    <>
      {report === null ? null : (
        <span className="tabular">
          {t('entriesAndCheckpoints', { entries: report.rows, count: report.checkpoints })}
          {report.removedId === 0 ? '' : t('olderRemoved', { entry: report.removedId + 1 })}
        </span>
      )}
      {checkedAt === null ? null : <span>{t.rich('checked', { when: <Time iso={checkedAt} /> })}</span>}
      {report === null ? null : (
        <span title={`${report.headId}:${report.headHash}`} className="font-mono">
          {t('head', { id: String(report.headId) })}
          <span className="print:hidden">{report.headHash.slice(0, 12)}…</span>
          <span className="hidden [overflow-wrap:anywhere] print:inline">{report.headHash}</span>
        </span>
      )}
      {keyFingerprint === null ? <span className="text-bad">{t('keyMissing')}</span> : null}
      {progress === null || progress.total === 0 ? null : (
        <span className="tabular">{t('readOf', { rows: progress.rows, total: progress.total })}</span>
      )}
      {error === null ? null : (
        <span className="text-bad">{t.rich('lastCheckFailed', { why: <span lang="en">{error}</span> })}</span>
      )}
    </>
  );
}
