'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { putParameters } from '@/components/live/live-stream.ts';
import { announceApplied } from '@/components/parameters/applied-toast.ts';
import { Button } from '@/components/ui/button.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonField } from '@/components/ui/reason-field.tsx';
import { ApiError, errorText, postJson } from '@/lib/api.ts';
import { compareKey } from '@/lib/queries.ts';
import { type ChangeRequest, type CompareDifference, changeResponseSchema } from '../../../proxy/control/contract.ts';
import { DifferenceList } from './difference-list.tsx';

interface TakeOverDialogProps {
  title: string;
  differences: readonly CompareDifference[];
  /** Why all of it together would be refused, or null. */
  refusal: string | null;
  /** Entry of the history that this undoes. */
  undoes?: number;
  /** Above the differences: what else to know. */
  note?: ReactNode;
  onClose: () => void;
}

/** Makes a configuration's differences one change: all that can be taken over, with a reason; all of it or nothing. */
export function TakeOverDialog({ title, onClose, ...form }: TakeOverDialogProps) {
  const reasonId = useId();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description="One change, and new entries in the history. All of it is made, or nothing is."
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:top-[6vh] sm:max-h-[88dvh]"
    >
      <TakeOverForm {...form} reasonId={reasonId} onClose={onClose} />
    </Dialog>
  );
}

type TakeOverFormProps = Omit<TakeOverDialogProps, 'title'> & { reasonId: string };

function TakeOverForm({ differences, refusal, undoes, note, reasonId, onClose }: TakeOverFormProps) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const usable = differences.filter(({ problem }) => problem === null);
  const apply = useMutation({
    mutationFn: async () =>
      changeResponseSchema.parse(await postJson('/api/parameters', requestOf(usable, reason.trim(), undoes))),
    onSuccess: (response) => {
      putParameters(client, response.parameters);
      announceApplied([...new Set(usable.map(({ name }) => name))], response);
      onClose();
    },
    // Also when somebody was faster: then there is something else to look at.
    onSettled: () => client.invalidateQueries({ queryKey: compareKey }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    apply.mutate();
  };
  return (
    <form onSubmit={submit} className="flex min-h-0 flex-col">
      <div className="grid min-h-0 gap-4 overflow-y-auto px-5 py-4">
        {note}
        {usable.length === 0 ? (
          <Notice tone="info">No effect: there is nothing to change.</Notice>
        ) : (
          <DifferenceList differences={differences} showProblems />
        )}
        {refusal === null ? null : <Notice tone="bad">It would be refused: {refusal}</Notice>}
        <ReasonField id={reasonId} value={reason} onChange={setReason} />
        {apply.isError ? (
          <Notice tone="bad" alert>
            {apply.error instanceof ApiError && apply.error.status === 409 ? <b>Nothing was changed. </b> : null}
            {errorText(apply.error)}
          </Notice>
        ) : null}
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={apply.isPending || usable.length === 0 || refusal !== null || reason.trim() === ''}
        >
          {apply.isPending ? 'Applying …' : 'Apply'}
        </Button>
      </footer>
    </form>
  );
}

function requestOf(usable: readonly CompareDifference[], reason: string, undoes: number | undefined): ChangeRequest {
  const changes = usable.flatMap(({ name, scope, to: value, baseRevision }) =>
    scope === null && value !== null ? [{ name, value, baseRevision }] : [],
  );
  const overrides = usable.flatMap(({ name, scope, to: value, baseRevision }) =>
    scope === null ? [] : [{ name, scope, value, baseRevision }],
  );
  return { changes, overrides, reason, ...(undoes === undefined ? {} : { undoes }) };
}
