'use client';

import { CircleAlert } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';

/** What a page shows when it failed; the cause is in the console server's log under the digest. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useText('common');
  return (
    <main className="grid min-h-[60dvh] place-items-center px-4">
      <div className="max-w-sm text-center">
        <CircleAlert aria-hidden className="mx-auto mb-3 size-8 text-bad" />
        <h1 className="text-lg font-semibold">{t('pageFailed')}</h1>
        <p className="mt-1 mb-5 text-sm text-muted">
          {t('nothingChanged')}
          {error.digest ? ` ${t('causeInLog', { digest: error.digest })}` : ''}
        </p>
        <Button onClick={reset}>{t('tryAgain')}</Button>
      </div>
    </main>
  );
}
