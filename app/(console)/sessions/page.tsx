import { SessionsPage } from '@/components/sessions/sessions-page.tsx';
import { pageTitle, Texts } from '@/lib/bff/texts.tsx';

export const generateMetadata = pageTitle('page.sessions');

export default function Page() {
  return (
    <Texts areas={['sessions']}>
      <SessionsPage />
    </Texts>
  );
}
