'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { toast } from 'sonner';
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
  const client = useQueryClient();
  const reasonId = useId();
  const cancel = useMutation({
    mutationFn: (reason: string) => postJson(`/api/parameters/reverts/${revert.id}/cancel`, { reason }),
    onSuccess: () => {
      toast.success(`${revert.parameter} stays as it is`);
      onClose();
    },
    // Done, or cancelled by somebody else: the list says so.
    onSettled: () => client.invalidateQueries({ queryKey: scheduledRevertsQuery.queryKey }),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Let ${revert.parameter} stay`}
      description="It keeps the value that it has. Who decided that and why is kept."
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[30rem]"
    >
      <ReasonForm
        reasonId={reasonId}
        word="Let it stay"
        pendingWord="Cancelling …"
        request={cancel}
        onSubmit={(reason) => cancel.mutate(reason)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
