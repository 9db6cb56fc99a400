'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonField } from '@/components/ui/reason-field.tsx';
import { errorText, postJson } from '@/lib/api.ts';
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
  const [reason, setReason] = useState('');
  const cancel = useMutation({
    mutationFn: () => postJson(`/api/parameters/reverts/${revert.id}/cancel`, { reason: reason.trim() }),
    onSuccess: () => {
      toast.success(`${revert.parameter} stays as it is`);
      onClose();
    },
    // Done, or cancelled by somebody else: the list says so.
    onSettled: () => client.invalidateQueries({ queryKey: scheduledRevertsQuery.queryKey }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    cancel.mutate();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Let ${revert.parameter} stay`}
      description="It keeps the value that it has. Who decided that and why is kept."
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[30rem]"
    >
      <form onSubmit={submit} className="flex min-h-0 flex-col">
        <div className="grid min-h-0 gap-4 overflow-y-auto px-5 py-4">
          <ReasonField id={reasonId} value={reason} onChange={setReason} />
          {cancel.isError ? (
            <Notice tone="bad" alert>
              {errorText(cancel.error)}
            </Notice>
          ) : null}
        </div>
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={cancel.isPending || reason.trim() === ''}>
            {cancel.isPending ? 'Cancelling …' : 'Let it stay'}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
