import type { Metadata } from 'next';
import { SessionPage } from '@/components/sessions/session-page.tsx';

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Session ${(await params).id}` };
}

export default async function Page({ params }: Props) {
  return <SessionPage id={(await params).id} />;
}
