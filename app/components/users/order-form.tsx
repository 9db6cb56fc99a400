'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { changeUser, logInsKey, type UserOrder, usersQuery } from '@/lib/user-queries.ts';
import type { Account, UsersResponse } from '../../../proxy/control/contract.ts';
import { RoleChoice } from './role-choice.tsx';
import { stateLook } from './words.ts';

interface OrderFormProps {
  user: Account;
  order: UserOrder;
  roles: UsersResponse['roles'];
  /** @param oneTimePassword null: the order makes none */
  onDone: (oneTimePassword: string | null) => void;
  onCancel: () => void;
}

/** One change of a user, with its reason. It goes by the user as they were when the form was opened. */
export function OrderForm({ user, order, roles, onDone, onCancel }: OrderFormProps) {
  const t = useText('users');
  const client = useQueryClient();
  const reasonId = useId();
  const [base, setBase] = useState(user);
  const [role, setRole] = useState(user.role);
  const send = useMutation({
    mutationFn: (reason: string) => {
      const common = { revision: base.revision, reason };
      return changeUser(user.id, order, order === 'role' ? { ...common, role } : common);
    },
    onSuccess: ({ user: { name }, oneTimePassword }) => {
      if (oneTimePassword === null) toast.success(t(`done.${order}`, { name }));
      onDone(oneTimePassword);
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: usersQuery.queryKey });
      void client.invalidateQueries({ queryKey: logInsKey });
    },
  });
  // Refused for a newer state: once that is on the screen the next try goes by it.
  if (send.isError && user.revision > base.revision) setBase(user);
  useEffect(() => document.getElementById(reasonId)?.focus(), [reasonId]);
  const isOther = user.revision > base.revision || (send.isError && user.revision > 0);
  return (
    <ReasonForm
      reasonId={reasonId}
      word={t(`word.${order}`)}
      pendingWord={t('sending')}
      request={send}
      nothingChanged="on-conflict"
      disabled={order === 'role' && role === base.role}
      onSubmit={(reason) => send.mutate(reason)}
      onCancel={onCancel}
    >
      {isOther ? (
        <Notice tone="info">
          {t('isNow', { name: user.name, role: user.role, state: stateLook(user.state, t).word.toLowerCase() })}
        </Notice>
      ) : null}
      {order === 'role' ? <RoleChoice roles={roles} value={role} onChange={setRole} /> : null}
      {(order === 'disable' || order === 'reset') && user.logIns > 0 ? (
        <Notice tone="warn">{t('willEnd', { count: user.logIns })}</Notice>
      ) : null}
    </ReasonForm>
  );
}
