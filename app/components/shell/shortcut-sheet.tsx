'use client';

import { Dialog } from '@/components/ui/dialog.tsx';
import { Keys } from '@/components/ui/keys.tsx';
import { pages } from './pages.ts';

const shortcuts: readonly { keys: readonly string[]; does: string }[] = [
  ...pages.map((page) => ({ keys: ['g', page.key], does: `Go to ${page.title}` })),
  { keys: ['/'], does: 'Search on this page, or everywhere' },
  { keys: ['Ctrl', 'K'], does: 'Find a page, a parameter or an action' },
  { keys: ['Ctrl', 'Enter'], does: 'Review changes (Configuration)' },
  { keys: ['Esc'], does: 'Close, or undo the edit of a field' },
  { keys: ['?'], does: 'Show this list' },
];

interface ShortcutSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The list of keyboard shortcuts. */
export function ShortcutSheet({ open, onOpenChange }: ShortcutSheetProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="They work whenever no field has the focus."
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
