'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import { PageMarks } from './page-marks.tsx';
import { pageOf } from './pages.ts';
import { usePages } from './use-pages.ts';

/** The navigation beside the page. */
export function SideNavigation() {
  const t = useText('shell');
  const pathname = usePathname();
  const pages = usePages();
  return (
    <nav aria-label={t('pages')} className="grid gap-0.5 px-2 py-1">
      {pages.map(({ href, title, key, icon: Icon }) => (
        <Link
          key={href}
          href={href}
          aria-current={pageOf(pathname)?.href === href ? 'page' : undefined}
          className={cn(
            'group flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-muted hover:bg-hover hover:text-fg',
            'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent',
          )}
        >
          <Icon aria-hidden className="size-4" />
          {t(title)}
          <PageMarks href={href} />
          <kbd aria-hidden className="ml-auto font-sans text-xs text-subtle opacity-0 group-hover:opacity-100">
            g {key}
          </kbd>
        </Link>
      ))}
    </nav>
  );
}
