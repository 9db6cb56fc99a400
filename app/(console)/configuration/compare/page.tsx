import { ComparePage } from '@/components/compare/compare-page.tsx';
import { pageTitle } from '@/lib/bff/texts.tsx';

export const generateMetadata = pageTitle('page.compare');

export default function CompareConfigurationsPage() {
  return <ComparePage />;
}
