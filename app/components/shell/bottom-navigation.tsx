'use client';

import { Ellipsis, Search } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { cn } from '@/lib/class-names.ts';
import { PageMarks } from './page-marks.tsx';
import { pageOf } from './pages.ts';
import { usePages } from './use-pages.ts';

const entryClass =
  'flex min-w-0 flex-col items-center justify-center gap-1 text-[0.6875rem] tracking-tight text-muted aria-[current]:font-medium aria-[current]:text-accent';

/** The navigation below the page on narrow screens: every page on a tablet, a few and "More" on a phone. */
export function BottomNavigation({ openPalette }: { openPalette: () => void }) {
  const t = useText('shell');
  const current = pageOf(usePathname());
  const pages = usePages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <nav
        aria-label={t('pages')}
        className="fixed inset-x-0 bottom-0 z-30 grid h-14 auto-cols-fr grid-flow-col border-t border-line bg-panel lg:hidden print:hidden"
      >
        {pages.map(({ href, title, icon: Icon, onPhone }) => (
          <Link
            key={href}
            href={href}
            aria-current={current?.href === href ? 'page' : undefined}
            className={cn(entryClass, onPhone === undefined && 'max-md:hidden')}
          >
            <Icon aria-hidden className="size-5" />
            <Label>
              {t(title)}
              <PageMarks href={href} />
            </Label>
          </Link>
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-current={current !== undefined && current.onPhone === undefined ? 'true' : undefined}
          onClick={() => setOpen(true)}
          className={cn(entryClass, 'md:hidden')}
        >
          <Ellipsis aria-hidden className="size-5" />
          <Label>
            {t('more')}
            {pages.map(({ href, onPhone }) => (onPhone === undefined ? <PageMarks key={href} href={href} /> : null))}
          </Label>
        </button>
      </nav>
      <Dialog open={isOpen} onOpenChange={setOpen} title={t('allPages')} description={t('allPagesAbout')}>
        <nav aria-label={t('allPages')} className="grid grid-cols-2 gap-1 overflow-y-auto p-3">
          {pages.map(({ href, title, icon: Icon }) => (
            <Link
              key={href}
              href={href}
              onClick={() => setOpen(false)}
              aria-current={current?.href === href ? 'page' : undefined}
              className="flex h-12 items-center gap-3 rounded-md px-3 text-muted hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
            >
              <Icon aria-hidden className="size-5 shrink-0" />
              {t(title)}
              <PageMarks href={href} />
            </Link>
          ))}
          <button
            type="button"
            onClick={() => {
              setOpen(false);
              openPalette();
            }}
            className="col-span-2 mt-1 flex h-12 items-center gap-3 rounded-md border border-line px-3 text-muted hover:bg-hover"
          >
            <Search aria-hidden className="size-5 shrink-0" />
            {t('find')}
          </button>
        </nav>
      </Dialog>
    </>
  );
}

function Label({ children }: { children: ReactNode }) {
  return <span className="inline-flex max-w-full items-center gap-1">{children}</span>;
}
