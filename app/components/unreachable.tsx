import { PlugZap } from 'lucide-react';
import { buttonClass } from '@/components/ui/button.tsx';
import { serverText } from '@/lib/bff/texts.tsx';

/** What a page shows while the proxy does not answer. */
export async function Unreachable() {
  const t = await serverText('common');
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <meta httpEquiv="refresh" content="5" />
      <div className="max-w-sm text-center">
        <span className="mx-auto mb-4 grid size-12 place-items-center rounded-full bg-warn-soft text-warn">
          <PlugZap aria-hidden className="size-6" />
        </span>
        <h1 className="text-lg font-semibold">{t('proxySilent')}</h1>
        <p className="mt-1 mb-5 text-sm text-muted">{t('proxySilentAbout')}</p>
        <a href="/" className={buttonClass('secondary')}>
          {t('tryNow')}
        </a>
      </div>
    </main>
  );
}
