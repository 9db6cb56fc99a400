'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { putParameters } from '@/components/live/live-stream.ts';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { ApiError, postJson } from '@/lib/api.ts';
import { parametersQuery, scheduledRevertsQuery } from '@/lib/queries.ts';
import { type ChangeRequest, changeResponseSchema } from '../../../proxy/control/contract.ts';
import { announceApplied } from './applied-toast.ts';
import { ChangeDiff } from './change-diff.tsx';
import type { PendingChange } from './pending-change.ts';
import { RevertField } from './revert-field.tsx';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  changes: readonly PendingChange[];
  /** What the reason field holds at first. */
  defaultReason?: string;
  /** Below the changes: what else to know before they are made. */
  preview?: ReactNode;
  className?: string;
  /** Called with the names once the proxy has made the changes. */
  onApplied: (names: string[]) => void;
}

/** Old and new value of the changed keys only, what else to know, a reason – and then one request for all of them. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onOpenChange, changes, defaultReason = '', preview, className, onApplied } = props;
  const t = useText('parameters');
  const forTwo = needsTwo(changes);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t(forTwo ? 'proposeTitle' : 'applyTitle', { count: changes.length })}
      className={className}
      initialFocus={() => document.getElementById(defaultReason === '' ? 'reason' : 'apply')}
      description={t(forTwo ? 'proposeAbout' : 'applyAbout')}
    >
      <ConfirmForm
        changes={changes}
        defaultReason={defaultReason}
        preview={preview}
        onCancel={() => onOpenChange(false)}
        onApplied={onApplied}
      />
    </Dialog>
  );
}

interface ConfirmFormProps {
  changes: readonly PendingChange[];
  defaultReason: string;
  preview: ReactNode;
  onCancel: () => void;
  onApplied: (names: string[]) => void;
}

function ConfirmForm({ changes, defaultReason, preview, onCancel, onApplied }: ConfirmFormProps) {
  const t = useText('parameters');
  const client = useQueryClient();
  const [revertAfterMs, setRevertAfterMs] = useState<number | null>(null);
  const apply = useMutation({
    mutationFn: async (body: ChangeRequest) => changeResponseSchema.parse(await postJson('/api/parameters', body)),
    onSuccess: (response) => {
      putParameters(client, response.parameters);
      void client.invalidateQueries({ queryKey: scheduledRevertsQuery.queryKey });
      // In force already, yet offered as a change: the page lags behind.
      if (response.unchanged.length > 0) void client.refetchQueries({ queryKey: parametersQuery.queryKey });
      const names = changes.map((change) => change.parameter.name);
      announceApplied(t, names, response);
      onApplied(names);
    },
    onError: (error) => {
      // Somebody was faster: fetch what is in force now, and the dialog shows both values.
      if (error instanceof ApiError && error.status === 409)
        void client.refetchQueries({ queryKey: parametersQuery.queryKey });
    },
  });
  const conflicts = changes.some((change) => change.conflict);
  const unsettled = changes.filter((change) => !change.settled);
  // Nobody keeps the text of a secret, so that nobody could set it back.
  const canRevert = changes.every((change) => !change.parameter.secret);
  const forTwo = needsTwo(changes);
  const restarts = changes.some((change) => change.parameter.needReboot);
  const submit = (reason: string): void =>
    apply.mutate({
      reason,
      ...(revertAfterMs === null || !canRevert ? {} : { revertAfterMs }),
      changes: unsettled.map(({ parameter, value, baseRevision }) => ({ name: parameter.name, value, baseRevision })),
    });
  const refusals = apply.error instanceof ApiError ? (apply.error.problem?.invalid ?? []) : [];
  return (
    <ReasonForm
      reasonId="reason"
      defaultReason={defaultReason}
      word={t(forTwo ? 'propose' : 'apply')}
      pendingWord={t(forTwo ? 'proposing' : 'applying')}
      submitId="apply"
      request={apply}
      nothingChanged="on-conflict"
      disabled={conflicts || unsettled.length === 0}
      below={canRevert ? <RevertField value={revertAfterMs} onChange={setRevertAfterMs} /> : null}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <ChangeDiff changes={changes} refusals={refusals} />
      {preview}
      {restarts ? <Notice tone="warn">{t('afterRestartNote')}</Notice> : null}
    </ReasonForm>
  );
}

const needsTwo = (changes: readonly PendingChange[]): boolean => changes.some(({ parameter }) => parameter.fourEyes);
