import { SessionsPage } from '@/components/sessions/sessions-page.tsx';
import { pageTitle } from '@/lib/bff/texts.tsx';

export const generateMetadata = pageTitle('page.sessions');

export default function Page() {
  return <SessionsPage />;
}
