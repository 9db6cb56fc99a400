import { HistoryPage } from '@/components/history/history-page.tsx';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';

export const generateMetadata = pageTitle('page.history');

export default function Page() {
  return (
    <Texts areas={['compare', 'history', 'parameters']}>
      <HistoryPage />
    </Texts>
  );
}
