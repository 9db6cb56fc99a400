import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInCard } from '@/components/sign-in-card.tsx';
import { currentUser } from '@/lib/bff/session.ts';
import { serverText, Texts } from '@/lib/bff/texts.tsx';
import { PasswordForm } from './password-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await serverText('signIn');
  return { title: t('password') };
}

export default async function PasswordPage() {
  const user = await currentUser();
  if (user === null || user === 'unreachable') redirect('/login');
  const t = await serverText('signIn');
  const forced = user.mustChangePassword;
  return (
    <SignInCard title={t(forced ? 'choosePassword' : 'changePassword')} lead={t(forced ? 'chooseLead' : 'changeLead')}>
      <Texts areas={['signIn']}>
        <PasswordForm name={user.name} forced={forced} />
      </Texts>
    </SignInCard>
  );
}
