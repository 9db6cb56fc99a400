'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonField } from '@/components/ui/reason-field.tsx';
import { errorText } from '@/lib/api.ts';
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
  const [reason, setReason] = useState('');
  const order = useMutation({
    mutationFn: () => send(reason.trim()),
    onSuccess: (state) => {
      client.setQueryData(upgradeQuery.queryKey, (old) => newerState(old, state));
      toast.success(success);
      onClose();
    },
    // Somebody may have been faster: the page shows how things stand.
    onError: () => void client.invalidateQueries({ queryKey: upgradeQuery.queryKey }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    order.mutate();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[32rem]"
    >
      <form onSubmit={submit} className="flex min-h-0 flex-col">
        <div className="grid min-h-0 gap-4 overflow-y-auto px-5 py-4">
          {blocked === null ? null : (
            <Notice tone="info" alert>
              {blocked}
            </Notice>
          )}
          {children}
          <ReasonField id={reasonId} value={reason} onChange={setReason} />
          {order.isError ? (
            <Notice tone="bad" alert>
              {errorText(order.error)}
            </Notice>
          ) : null}
        </div>
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={disabled || blocked !== null || order.isPending || reason.trim() === ''}
          >
            {order.isPending ? pendingWord : word}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
