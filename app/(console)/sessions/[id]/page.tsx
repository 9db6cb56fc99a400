import type { Metadata } from 'next';
import { SessionPage } from '@/components/sessions/session-page.tsx';
import { serverText, Texts } from '@/lib/bff/texts.tsx';

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [{ id }, t] = [await params, await serverText('sessions')];
  return { title: t('title', { id }) };
}

export default async function Page({ params }: Props) {
  return (
    <Texts areas={['sessions']}>
      <SessionPage id={(await params).id} />
    </Texts>
  );
}
