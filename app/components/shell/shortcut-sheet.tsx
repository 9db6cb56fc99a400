'use client';

import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Keys } from '@/components/ui/keys.tsx';
import { usePages } from './use-pages.ts';

interface ShortcutSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The list of keyboard shortcuts. */
export function ShortcutSheet({ open, onOpenChange }: ShortcutSheetProps) {
  const t = useText('shell');
  const shortcuts: readonly { keys: readonly string[]; does: string }[] = [
    ...usePages().map((page) => ({ keys: ['g', page.key], does: t('goTo', { page: t(page.title) }) })),
    { keys: ['/'], does: t('searchHere') },
    { keys: ['Ctrl', 'K'], does: t('find') },
    { keys: ['Ctrl', 'Enter'], does: t('reviewChanges') },
    { keys: ['Esc'], does: t('escape') },
    { keys: ['?'], does: t('showList') },
  ];
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('keyboardShortcuts')}
      description={t('shortcutsAbout')}
      className="sm:w-[26rem]"
    >
      <dl className="overflow-y-auto px-5 py-3">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4 py-1.5 text-sm">
            <dt className="text-muted">{does}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
