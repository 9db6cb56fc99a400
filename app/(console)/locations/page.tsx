import { LocationsPage } from '@/components/locations/locations-page.tsx';
import { pageTitle } from '@/lib/bff/texts.tsx';

export const generateMetadata = pageTitle('page.locations');

export default function Page() {
  return <LocationsPage />;
}
