import type { Metadata } from 'next';
import { LocationsPage } from '@/components/locations/locations-page.tsx';

export const metadata: Metadata = { title: 'Locations' };

export default function Page() {
  return <LocationsPage />;
}
