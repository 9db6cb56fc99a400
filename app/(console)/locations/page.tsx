import { LocationsPage } from '@/components/locations/locations-page.tsx';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';

export const generateMetadata = pageTitle('page.locations');

export default function Page() {
  return (
    <Texts areas={['locations']}>
      <LocationsPage />
    </Texts>
  );
}
