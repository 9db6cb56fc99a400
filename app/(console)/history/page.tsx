import { HistoryPage } from '@/components/history/history-page.tsx';
import { pageTitle } from '@/lib/bff/texts.tsx';

export const generateMetadata = pageTitle('page.history');

export default function Page() {
  return <HistoryPage />;
}
