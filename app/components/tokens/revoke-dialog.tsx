'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { bothTokenLists, revokeToken } from '@/lib/token-queries.ts';
import type { Token } from '../../../proxy/control/contract.ts';

/** Ends a token for good, with a reason. */
export function RevokeDialog({ token: { id, name }, onClose }: { token: Token; onClose: () => void }) {
  const t = useText('tokens');
  const client = useQueryClient();
  const reasonId = useId();
  const revoke = useMutation({
    mutationFn: (reason: string) => revokeToken(id, reason),
    onSuccess: () => {
      toast.success(t('revoked', { name }));
      onClose();
    },
    onSettled: () => client.invalidateQueries(bothTokenLists),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('revokeTitle', { name })}
      description={t('revokeAbout')}
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[32rem]"
    >
      <ReasonForm
        reasonId={reasonId}
        word={t('revokeWord')}
        pendingWord={t('revoking')}
        request={revoke}
        onSubmit={(reason) => revoke.mutate(reason)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
