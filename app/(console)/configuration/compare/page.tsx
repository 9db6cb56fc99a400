import type { Metadata } from 'next';
import { ComparePage } from '@/components/compare/compare-page.tsx';

export const metadata: Metadata = { title: 'Compare configurations' };

export default function CompareConfigurationsPage() {
  return <ComparePage />;
}
