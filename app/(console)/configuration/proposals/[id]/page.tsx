import type { Metadata } from 'next';
import { ProposalPage } from '@/components/proposals/proposal-page.tsx';
import { serverText, Texts } from '@/lib/bff/texts.tsx';

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [{ id }, t] = [await params, await serverText('proposals')];
  return { title: t('title', { id }) };
}

export default async function Page({ params }: Props) {
  return (
    <Texts areas={['blocklist', 'parameters', 'proposals']}>
      <ProposalPage id={(await params).id} />
    </Texts>
  );
}
