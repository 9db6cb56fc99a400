import type { Metadata } from 'next';
import { HistoryPage } from '@/components/history/history-page.tsx';

export const metadata: Metadata = { title: 'History' };

export default function Page() {
  return <HistoryPage />;
}
