'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { postJson } from '@/lib/api.ts';
import { scheduledRevertsQuery } from '@/lib/queries.ts';
import type { ScheduledRevert } from '../../../proxy/control/contract.ts';

interface KeepDialogProps {
  revert: ScheduledRevert;
  onClose: () => void;
}

/** Cancels that a parameter goes back by itself, with a reason that the history keeps. */
export function KeepDialog({ revert, onClose }: KeepDialogProps) {
  const t = useText('parameters');
  const client = useQueryClient();
  const reasonId = useId();
  const cancel = useMutation({
    mutationFn: (reason: string) => postJson(`/api/parameters/reverts/${revert.id}/cancel`, { reason }),
    onSuccess: () => {
      toast.success(t('staysAsIs', { name: revert.parameter }));
      onClose();
    },
    // Done, or cancelled by somebody else: the list says so.
    onSettled: () => client.invalidateQueries({ queryKey: scheduledRevertsQuery.queryKey }),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('letStayTitle', { name: revert.parameter })}
      description={t('letStayAbout')}
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[30rem]"
    >
      <ReasonForm
        reasonId={reasonId}
        word={t('letStay')}
        pendingWord={t('cancelling')}
        request={cancel}
        onSubmit={(reason) => cancel.mutate(reason)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
