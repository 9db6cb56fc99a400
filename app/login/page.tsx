import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInCard } from '@/components/sign-in-card.tsx';
import { currentUser } from '@/lib/bff/session.ts';
import { serverText, Texts } from '@/lib/bff/texts.tsx';
import { LoginForm } from './login-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await serverText('signIn');
  return { title: t('signIn') };
}

export default async function LoginPage() {
  const user = await currentUser();
  if (user !== null && user !== 'unreachable') redirect(user.mustChangePassword ? '/password' : '/');
  const t = await serverText('signIn');
  return (
    <SignInCard title={t('signIn')} lead={t('lead')}>
      <Texts areas={['signIn']}>
        <LoginForm />
      </Texts>
    </SignInCard>
  );
}
