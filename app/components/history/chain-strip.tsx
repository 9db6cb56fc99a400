'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleHelp, type LucideIcon, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { toast } from 'sonner';
import { Time } from '@/components/time-zone.tsx';
import { Button } from '@/components/ui/button.tsx';
import { errorText, postJson } from '@/lib/api.ts';
import { cn } from '@/lib/class-names.ts';
import { countText } from '@/lib/numbers.ts';
import { historyChainQuery } from '@/lib/queries.ts';
import { type HistoryChain, historyChainSchema } from '../../../proxy/control/contract.ts';

const looks: Record<HistoryChain['state'], { icon: LucideIcon; colour: string; words: string }> = {
  unknown: { icon: CircleHelp, colour: 'text-muted', words: 'Chain not checked yet' },
  intact: { icon: ShieldCheck, colour: 'text-ok', words: 'Chain intact' },
  broken: { icon: ShieldAlert, colour: 'text-bad', words: 'CHAIN BROKEN' },
};

/** Whether the whole history is as it was written: state in words, when that was found, where it breaks, look again. */
export function ChainStrip() {
  const client = useQueryClient();
  const { data: chain, error } = useQuery(historyChainQuery);
  const again = useMutation({
    mutationFn: async () => historyChainSchema.parse(await postJson('/api/history/verify', {})),
    onSuccess: (fresh) => client.setQueryData(historyChainQuery.queryKey, fresh),
    onError: (failure) => void toast.error(errorText(failure)),
  });
  if (chain === undefined) {
    return <Strip>{error === null ? 'Looking at the chain …' : `The chain is not known: ${errorText(error)}`}</Strip>;
  }
  const { icon: Icon, colour, words } = looks[chain.state];
  return (
    <Strip state={chain.state}>
      <span className={cn('inline-flex items-center gap-1.5 font-medium', colour)}>
        <Icon aria-hidden className="size-4" />
        {words}
      </span>
      <ChainFacts chain={chain} />
      <Button
        size="sm"
        className="ml-auto print:hidden"
        disabled={chain.progress !== null || again.isPending}
        onClick={() => again.mutate()}
      >
        {chain.progress === null ? 'Check now' : 'Checking …'}
      </Button>
      {chain.report === null || chain.report.breakCount === 0 ? null : (
        <ul className="basis-full list-disc pl-5 text-fg [overflow-wrap:anywhere]">
          {chain.report.breaks.map(({ id, what }) => (
            <li key={`${id} ${what}`}>{what}</li>
          ))}
          {chain.report.breakCount > chain.report.breaks.length ? (
            <li>and {countText(chain.report.breakCount - chain.report.breaks.length)} more</li>
          ) : null}
        </ul>
      )}
    </Strip>
  );
}

function Strip({ state, children }: { state?: HistoryChain['state']; children: ReactNode }) {
  return (
    <section
      aria-label="Chain of the history"
      data-chain={state}
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 text-xs text-muted lg:px-6"
    >
      {children}
    </section>
  );
}

function ChainFacts({ chain: { report, checkedAt, progress, error, keyFingerprint } }: { chain: HistoryChain }) {
  return (
    <>
      {report === null ? null : (
        <span className="tabular">
          {countText(report.rows)} entries, {countText(report.checkpoints)} signed{' '}
          {report.checkpoints === 1 ? 'checkpoint' : 'checkpoints'}
          {report.removedId === 0 ? '' : `, older than ${countText(report.removedId + 1)} removed by retention`}
        </span>
      )}
      {checkedAt === null ? null : (
        <span>
          checked <Time iso={checkedAt} />
        </span>
      )}
      {report === null ? null : (
        <span title={`${report.headId}:${report.headHash}`} className="font-mono">
          head {report.headId}:<span className="print:hidden">{report.headHash.slice(0, 12)}…</span>
          <span className="hidden [overflow-wrap:anywhere] print:inline">{report.headHash}</span>
        </span>
      )}
      {keyFingerprint === null ? <span className="text-bad">key missing</span> : null}
      {progress === null || progress.total === 0 ? null : (
        <span className="tabular">
          {countText(progress.rows)} of {countText(progress.total)} read
        </span>
      )}
      {error === null ? null : <span className="text-bad">last check failed: {error}</span>}
    </>
  );
}
