import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInCard } from '@/components/sign-in-card.tsx';
import { currentUser } from '@/lib/bff/session.ts';
import { LoginForm } from './login-form.tsx';

export const metadata: Metadata = { title: 'Sign in' };

export default async function LoginPage() {
  const user = await currentUser();
  if (user !== null && user !== 'unreachable') redirect(user.mustChangePassword ? '/password' : '/');
  return (
    <SignInCard title="Sign in" lead="With your console account, not a database user.">
      <LoginForm />
    </SignInCard>
  );
}
