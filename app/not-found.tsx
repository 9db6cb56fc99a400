import Link from 'next/link';
import { buttonClass } from '@/components/ui/button.tsx';
import { serverText } from '@/lib/bff/texts.tsx';

export default async function NotFound() {
  const t = await serverText('common');
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div className="text-center">
        <p className="font-mono text-sm text-subtle">404</p>
        <h1 className="mt-1 mb-5 text-lg font-semibold">{t('noSuchPage')}</h1>
        <Link href="/" className={buttonClass('secondary')}>
          {t('toOverview')}
        </Link>
      </div>
    </main>
  );
}
