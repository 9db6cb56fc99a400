'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { putParameters } from '@/components/live/live-stream.ts';
import { announceApplied } from '@/components/parameters/applied-toast.ts';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { postJson } from '@/lib/api.ts';
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
  const t = useText('compare');
  const reasonId = useId();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={t('takeOverAbout')}
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:top-[6vh] sm:max-h-[88dvh]"
    >
      <TakeOverForm {...form} reasonId={reasonId} onClose={onClose} />
    </Dialog>
  );
}

type TakeOverFormProps = Omit<TakeOverDialogProps, 'title'> & { reasonId: string };

function TakeOverForm({ differences, refusal, undoes, note, reasonId, onClose }: TakeOverFormProps) {
  const t = useText('compare');
  const parameters = useText('parameters');
  const client = useQueryClient();
  const usable = differences.filter(({ problem }) => problem === null);
  const forTwo = usable.some(({ fourEyes }) => fourEyes);
  const apply = useMutation({
    mutationFn: async (reason: string) =>
      changeResponseSchema.parse(await postJson('/api/parameters', requestOf(usable, reason, undoes))),
    onSuccess: (response) => {
      putParameters(client, response.parameters);
      announceApplied(parameters, [...new Set(usable.map(({ name }) => name))], response);
      onClose();
    },
    // Also when somebody was faster: then there is something else to look at.
    onSettled: () => client.invalidateQueries({ queryKey: compareKey }),
  });
  return (
    <ReasonForm
      reasonId={reasonId}
      word={parameters(forTwo ? 'propose' : 'apply')}
      pendingWord={parameters(forTwo ? 'proposing' : 'applying')}
      request={apply}
      nothingChanged="on-conflict"
      disabled={usable.length === 0 || refusal !== null}
      onSubmit={(reason) => apply.mutate(reason)}
      onCancel={onClose}
    >
      {note}
      {usable.length === 0 ? (
        <Notice tone="info">{t('nothingToChange')}</Notice>
      ) : (
        <DifferenceList differences={differences} showProblems />
      )}
      {forTwo ? <Notice tone="info">{parameters('waitsForTwo')}</Notice> : null}
      {refusal === null ? null : (
        <Notice tone="bad">{t.rich('wouldBeRefused', { why: <span lang="en">{refusal}</span> })}</Notice>
      )}
    </ReasonForm>
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
