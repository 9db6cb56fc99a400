'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { endLogIns, logInsKey, usersQuery } from '@/lib/user-queries.ts';
import type { Account } from '../../../proxy/control/contract.ts';

interface EndFormProps {
  user: Account;
  /** Null: all of them. */
  logIn: string | null;
  onDone: () => void;
  onCancel: () => void;
}

/** Ends log-ins of somebody, with a reason. */
export function EndForm({ user, logIn, onDone, onCancel }: EndFormProps) {
  const t = useText('users');
  const client = useQueryClient();
  const reasonId = useId();
  const end = useMutation({
    mutationFn: (reason: string) => endLogIns(user.id, { logIn, reason }),
    onSuccess: (ended) => {
      toast.success(ended === 0 ? t('noEffect') : t('ended', { count: ended }));
      onDone();
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: usersQuery.queryKey });
      void client.invalidateQueries({ queryKey: logInsKey });
    },
  });
  useEffect(() => document.getElementById(reasonId)?.focus(), [reasonId]);
  return (
    <ReasonForm
      reasonId={reasonId}
      word={t(logIn === null ? 'endThemAll' : 'endIt')}
      pendingWord={t('ending')}
      request={end}
      onSubmit={(reason) => end.mutate(reason)}
      onCancel={onCancel}
    >
      <Notice tone="info">
        {t('willEnd', { count: logIn === null ? user.logIns : 1 })} {t('endPasswordStays')}
      </Notice>
    </ReasonForm>
  );
}
