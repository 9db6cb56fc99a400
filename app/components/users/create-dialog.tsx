'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Field } from '@/components/ui/field.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { createUser, usersQuery } from '@/lib/user-queries.ts';
import { createUserSchema, type Role, type UsersResponse } from '../../../proxy/control/contract.ts';
import { OneTimePassword } from './one-time-password.tsx';
import { RoleChoice } from './role-choice.tsx';

interface CreateDialogProps {
  roles: UsersResponse['roles'];
  onClose: () => void;
}

/** Makes a user: name, role, reason; then shows the one-time password. */
export function CreateDialog({ roles, onClose }: CreateDialogProps) {
  const t = useText('users');
  const client = useQueryClient();
  const nameId = useId();
  const reasonId = useId();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const create = useMutation({
    mutationFn: (reason: string) => createUser({ name, role, reason }),
    onSuccess: () => void client.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
  const isFit = createUserSchema.shape.name.safeParse(name).success;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={create.data === undefined ? t('addTitle') : t('added', { name: create.data.user.name })}
      description={t('addAbout')}
      initialFocus={() => document.getElementById(nameId)}
      className="sm:w-[32rem]"
    >
      {create.data === undefined ? (
        <ReasonForm
          reasonId={reasonId}
          word={t('addWord')}
          pendingWord={t('adding')}
          request={create}
          nothingChanged="on-conflict"
          disabled={!isFit}
          onSubmit={(reason) => create.mutate(reason)}
          onCancel={onClose}
        >
          <Field
            id={nameId}
            label={t('name')}
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            required
            hint={t('nameHint')}
            error={name === '' || isFit ? undefined : t('nameRule')}
          />
          <RoleChoice roles={roles} value={role} onChange={setRole} />
        </ReasonForm>
      ) : (
        <OneTimePassword name={create.data.user.name} password={create.data.oneTimePassword ?? ''} onClose={onClose} />
      )}
    </Dialog>
  );
}
