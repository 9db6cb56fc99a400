'use client';

import { Copy } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Notice } from '@/components/ui/notice.tsx';

/** How it is sent: the same in every language. */
const header = 'Authorization: Bearer odp_…';

/** A token that is shown this once. */
export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useText('tokens');
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
    } catch {
      // Without TLS, and away from this machine, browsers give pages no clipboard.
      toast.error(t('noClipboard'));
    }
  };
  return (
    <>
      <div className="grid gap-4 px-5 py-4 text-sm">
        <p>
          {t.rich('putAway', {
            header: <code className="font-mono text-xs">{header}</code>,
          })}
        </p>
        <div className="flex items-center gap-2">
          <code
            data-testid="token-secret"
            className="min-w-0 flex-1 rounded-md border border-line-strong bg-inset px-3 py-2 font-mono text-xs [overflow-wrap:anywhere] select-all"
          >
            {secret}
          </code>
          <Button size="lg" onClick={() => void copy()}>
            <Copy aria-hidden className="size-4" />
            <span aria-live="polite">{t(isCopied ? 'copied' : 'copy')}</span>
          </Button>
        </div>
        <Notice tone="warn">{t('shownOnce')}</Notice>
      </div>
      <footer className="flex justify-end border-t border-line px-5 py-3">
        <Button variant="primary" onClick={onClose}>
          {t('haveIt')}
        </Button>
      </footer>
    </>
  );
}
