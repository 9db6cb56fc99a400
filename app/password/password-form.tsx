'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { ErrorText } from '@/components/error-text.tsx';
import { useText } from '@/components/texts.tsx';
import { Button, buttonClass } from '@/components/ui/button.tsx';
import { Field } from '@/components/ui/field.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { postJson } from '@/lib/api.ts';
import type { Text } from '@/lib/text.ts';
import { useHydrated } from '@/lib/use-hydrated.ts';
import type { Catalog } from '@/messages/catalog.ts';
import { changePasswordRequestSchema } from '../../proxy/control/contract.ts';

interface Slips {
  next?: string;
  repeat?: string;
}

/** Old password, new one twice; the slips that can be seen here are told before anything is sent. */
export function PasswordForm({ name, forced }: { name: string; forced: boolean }) {
  const t = useText('signIn');
  const common = useText('common');
  const router = useRouter();
  const hydrated = useHydrated();
  const [slips, setSlips] = useState<Slips>({});
  const change = useMutation({
    mutationFn: (body: { current: string; next: string }) => postJson('/api/password', body),
    onSuccess: () => {
      router.replace('/');
      router.refresh();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [current, next, repeat] = [form.get('current'), form.get('next'), form.get('repeat')].map(String);
    const found = findSlips(t, current, next, repeat);
    setSlips(found);
    if (Object.keys(found).length === 0) change.mutate({ current: current ?? '', next: next ?? '' });
  };
  return (
    <form onSubmit={submit} method="post" className="grid gap-4">
      <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
      <Field
        id="current"
        name="current"
        type="password"
        label={t(forced ? 'oneTimePassword' : 'currentPassword')}
        autoComplete="current-password"
        required
        autoFocus
      />
      <Field
        id="next"
        name="next"
        type="password"
        label={t('newPassword')}
        autoComplete="new-password"
        required
        hint={t('passwordHint')}
        error={slips.next}
      />
      <Field
        id="repeat"
        name="repeat"
        type="password"
        label={t('newPasswordAgain')}
        autoComplete="new-password"
        required
        error={slips.repeat}
      />
      {change.isError ? (
        <Notice tone="bad" alert>
          <ErrorText error={change.error} />
        </Notice>
      ) : null}
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" size="lg" className="flex-1" disabled={change.isPending || !hydrated}>
          {change.isPending ? t('saving') : t('savePassword')}
        </Button>
        {forced ? null : (
          <Link href="/" className={buttonClass('secondary', 'lg')}>
            {common('cancel')}
          </Link>
        )}
      </div>
    </form>
  );
}

function findSlips(
  t: Text<Catalog['signIn']>,
  current: string | undefined,
  next: string | undefined,
  repeat: string | undefined,
): Slips {
  if (!changePasswordRequestSchema.shape.next.safeParse(next).success) return { next: t('passwordLength') };
  if (next === current) return { next: t('passwordSame') };
  if (next !== repeat) return { repeat: t('passwordMismatch') };
  return {};
}
