'use client';

import { Copy } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Notice } from '@/components/ui/notice.tsx';

interface OneTimePasswordProps {
  name: string;
  password: string;
  onClose: () => void;
}

/** A password that is shown this once: to be copied and passed on. */
export function OneTimePassword({ name, password, onClose }: OneTimePasswordProps) {
  const t = useText('users');
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(password);
      setCopied(true);
    } catch {
      // Without TLS, and away from this machine, browsers give pages no clipboard.
      toast.error(t('noClipboard'));
    }
  };
  return (
    <>
      <div className="grid gap-4 px-5 py-4 text-sm">
        <p>{t('passOn', { name })}</p>
        <div className="flex items-center gap-2">
          <code
            data-testid="one-time-password"
            className="min-w-0 flex-1 rounded-md border border-line-strong bg-inset px-3 py-2 font-mono [overflow-wrap:anywhere] select-all"
          >
            {password}
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
          {t('passedOn')}
        </Button>
      </footer>
    </>
  );
}
