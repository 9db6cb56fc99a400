'use client';

import { Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface ShownOnceProps {
  secret: string;
  testId: string;
  secretClassName?: string;
  /** What it is for. */
  about: ReactNode;
  /** What to do where the browser copies nothing. */
  noClipboard: string;
  /** What it means that it is not shown again. */
  warning: string;
  /** What the button says that closes it. */
  doneWord: string;
  onClose: () => void;
}

/** A secret that nobody can see again: to be copied, and put away or passed on. */
export function ShownOnce(props: ShownOnceProps) {
  const { secret, testId, secretClassName, about, noClipboard, warning, doneWord, onClose } = props;
  const t = useText('common');
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
    } catch {
      // Without TLS, and away from this machine, browsers give pages no clipboard.
      toast.error(noClipboard);
    }
  };
  return (
    <>
      <div className="grid gap-4 px-5 py-4 text-sm">
        <p>{about}</p>
        <div className="flex items-center gap-2">
          <code
            data-testid={testId}
            className={cn(
              'min-w-0 flex-1 rounded-md border border-line-strong bg-inset px-3 py-2 font-mono [overflow-wrap:anywhere] select-all',
              secretClassName,
            )}
          >
            {secret}
          </code>
          <Button size="lg" onClick={() => void copy()}>
            <Copy aria-hidden className="size-4" />
            <span aria-live="polite">{t(isCopied ? 'copied' : 'copy')}</span>
          </Button>
        </div>
        <Notice tone="warn">{warning}</Notice>
      </div>
      <footer className="flex justify-end border-t border-line px-5 py-3">
        <Button variant="primary" onClick={onClose}>
          {doneWord}
        </Button>
      </footer>
    </>
  );
}
