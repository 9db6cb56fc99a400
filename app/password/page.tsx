import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInCard } from '@/components/sign-in-card.tsx';
import { currentUser } from '@/lib/bff/session.ts';
import { PasswordForm } from './password-form.tsx';

export const metadata: Metadata = { title: 'Password' };

export default async function PasswordPage() {
  const user = await currentUser();
  if (user === null || user === 'unreachable') redirect('/login');
  const lead = user.mustChangePassword
    ? 'You signed in with a one-time password. Choose one of your own to go on.'
    : 'All your other sessions end when it changes.';
  return (
    <SignInCard title={user.mustChangePassword ? 'Choose a password' : 'Change password'} lead={lead}>
      <PasswordForm name={user.name} forced={user.mustChangePassword} />
    </SignInCard>
  );
}
