'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { toast } from 'sonner';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { newerState, upgradeQuery } from '@/lib/upgrade-queries.ts';
import type { UpgradeState } from '../../../proxy/control/contract.ts';

interface OrderFormProps {
  title: string;
  description: string;
  /** What the button says, and while the order is on its way. */
  word: string;
  pendingWord: string;
  /** Said when the order is under way. */
  success: string;
  /** Something typed is wrong, and said where it is typed. */
  disabled?: boolean;
  /** Why it cannot be ordered as things stand; null: it can. */
  blocked: string | null;
  send: (reason: string) => Promise<UpgradeState>;
  onClose: () => void;
  children?: ReactNode;
}

/** An order with its reason: the proxy answers with the state that it brought about. */
export function OrderForm(props: OrderFormProps) {
  const { title, description, word, pendingWord, success, disabled = false, blocked, send, onClose, children } = props;
  const reasonId = useId();
  const client = useQueryClient();
  const order = useMutation({
    mutationFn: send,
    onSuccess: (state) => {
      client.setQueryData(upgradeQuery.queryKey, (old) => newerState(old, state));
      toast.success(success);
      onClose();
    },
    // Somebody may have been faster: the page shows how things stand.
    onError: () => void client.invalidateQueries({ queryKey: upgradeQuery.queryKey }),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[32rem]"
    >
      <ReasonForm
        reasonId={reasonId}
        word={word}
        pendingWord={pendingWord}
        request={order}
        disabled={disabled || blocked !== null}
        onSubmit={(reason) => order.mutate(reason)}
        onCancel={onClose}
      >
        {blocked === null ? null : (
          <Notice tone="info" alert>
            {blocked}
          </Notice>
        )}
        {children}
      </ReasonForm>
    </Dialog>
  );
}
