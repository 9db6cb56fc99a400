'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter, useSearchParams } from 'next/navigation';
import { type FormEvent, useRef } from 'react';
import * as z from 'zod';
import { ErrorText } from '@/components/error-text.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Field } from '@/components/ui/field.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { postJson } from '@/lib/api.ts';
import { ownPath } from '@/lib/own-path.ts';
import { useHydrated } from '@/lib/use-hydrated.ts';
import { userSchema } from '../../proxy/control/contract.ts';

const answerSchema = z.object({ user: userSchema });

/** Name and password; a first-run password leads on to choosing one's own. */
export function LoginForm() {
  const t = useText('signIn');
  const router = useRouter();
  const hydrated = useHydrated();
  const next = ownPath(useSearchParams().get('next'));
  const password = useRef<HTMLInputElement>(null);
  const login = useMutation({
    mutationFn: async (form: FormData) =>
      answerSchema.parse(await postJson('/api/login', { name: form.get('name'), password: form.get('password') })),
    onSuccess: ({ user }) => {
      router.replace(user.mustChangePassword ? '/password' : next);
      router.refresh();
    },
    onError: () => password.current?.select(),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    login.mutate(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={submit} method="post" className="grid gap-4">
      <Field
        id="name"
        name="name"
        label={t('userName')}
        autoComplete="username"
        autoCapitalize="none"
        required
        autoFocus
      />
      <Field
        id="password"
        name="password"
        type="password"
        label={t('password')}
        autoComplete="current-password"
        required
        ref={password}
        hint={t('firstStart')}
      />
      {login.isError ? (
        <Notice tone="bad" alert>
          <ErrorText error={login.error} />
        </Notice>
      ) : null}
      <Button type="submit" variant="primary" size="lg" disabled={login.isPending || !hydrated}>
        {login.isPending ? t('signingIn') : t('signIn')}
      </Button>
    </form>
  );
}
