import { ComparePage } from '@/components/compare/compare-page.tsx';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';

export const generateMetadata = pageTitle('page.compare');

export default function CompareConfigurationsPage() {
  return (
    <Texts areas={['compare', 'parameters']}>
      <ComparePage />
    </Texts>
  );
}
