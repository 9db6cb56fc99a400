'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { toast } from 'sonner';
import { putParameters } from '@/components/live/live-stream.ts';
import { announceApplied } from '@/components/parameters/applied-toast.ts';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { postJson } from '@/lib/api.ts';
import { proposalsKey } from '@/lib/proposal-queries.ts';
import { scheduledRevertsQuery } from '@/lib/queries.ts';
import { changeResponseSchema, type Proposal } from '../../../proxy/control/contract.ts';

/** What somebody does about a proposal. */
export type Step = 'approve' | 'refuse' | 'withdraw';

interface DecideDialogProps {
  proposal: Proposal;
  step: Step;
  onClose: () => void;
}

const pending = { approve: 'approving', refuse: 'refusing', withdraw: 'withdrawing' } as const;

/** Approves, refuses or withdraws a proposal, with a reason that the history keeps. */
export function DecideDialog({ proposal, step, onClose }: DecideDialogProps) {
  const t = useText('proposals');
  const reasonId = useId();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${t(step)}: ${t('title', { id: String(proposal.id) })}`}
      description={t(step === 'approve' ? 'approveAbout' : 'nothingAbout')}
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[32rem]"
    >
      <DecideForm proposal={proposal} step={step} reasonId={reasonId} onClose={onClose} />
    </Dialog>
  );
}

function DecideForm({ proposal, step, reasonId, onClose }: DecideDialogProps & { reasonId: string }) {
  const parametersText = useText('parameters');
  const t = useText('proposals');
  const client = useQueryClient();
  const { id, changes } = proposal;
  const decide = useMutation({
    mutationFn: async (reason: string) => {
      const answer = await postJson(`/api/proposals/${id}/${step}`, { reason });
      return step === 'approve' ? changeResponseSchema.parse(answer) : null;
    },
    onSuccess: (made) => {
      if (made === null) {
        toast.success(t(step === 'refuse' ? 'refusedNow' : 'withdrawnNow', { id: String(id) }));
      } else {
        putParameters(client, made.parameters);
        void client.invalidateQueries({ queryKey: scheduledRevertsQuery.queryKey });
        announceApplied(parametersText, [...new Set(changes.map(({ name }) => name))], made);
      }
      onClose();
    },
    // Somebody else may have decided it, or changed what it is about: the page says so.
    onSettled: () => client.invalidateQueries({ queryKey: proposalsKey }),
  });
  return (
    <ReasonForm
      reasonId={reasonId}
      word={t(step)}
      pendingWord={t(pending[step])}
      request={decide}
      nothingChanged="on-conflict"
      onSubmit={(reason) => decide.mutate(reason)}
      onCancel={onClose}
    />
  );
}
