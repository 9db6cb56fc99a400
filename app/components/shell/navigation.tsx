'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { ListedCount } from '@/components/blocklist/listed-count.tsx';
import { useDrafts } from '@/components/parameters/draft-provider.tsx';
import { cn } from '@/lib/class-names.ts';
import { pageOf, pages } from './pages.ts';

/** The navigation beside the page. */
export function SideNavigation() {
  const pathname = usePathname();
  const { count } = useDrafts();
  return (
    <nav aria-label="Pages" className="grid gap-0.5 px-2 py-1">
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
          {title}
          {href === '/configuration' && count > 0 ? <DraftCount count={count} /> : null}
          {href === '/blocklist' ? <ListedCount /> : null}
          <kbd aria-hidden className="ml-auto font-sans text-xs text-subtle opacity-0 group-hover:opacity-100">
            g {key}
          </kbd>
        </Link>
      ))}
    </nav>
  );
}

/** The navigation below the page on narrow screens. */
export function BottomNavigation() {
  const pathname = usePathname();
  const { count } = useDrafts();
  return (
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-30 grid h-14 auto-cols-fr grid-flow-col border-t border-line bg-panel lg:hidden"
    >
      {pages.map(({ href, title, icon: Icon }) => (
        <Link
          key={href}
          href={href}
          aria-current={pageOf(pathname)?.href === href ? 'page' : undefined}
          className="flex min-w-0 flex-col items-center justify-center gap-1 text-[0.6875rem] tracking-tight text-muted aria-[current=page]:font-medium aria-[current=page]:text-accent"
        >
          <Icon aria-hidden className="size-5" />
          <span className="inline-flex max-w-full items-center gap-1">
            {title}
            {href === '/configuration' && count > 0 ? <DraftCount count={count} /> : null}
            {href === '/blocklist' ? <ListedCount /> : null}
          </span>
        </Link>
      ))}
    </nav>
  );
}

function DraftCount({ count }: { count: number }) {
  return (
    <span
      title={`${count} changes not yet applied`}
      className="tabular rounded-full bg-warn-soft px-1.5 text-xs leading-4 font-medium text-warn"
    >
      {count}
      <span className="sr-only"> changes not yet applied</span>
    </span>
  );
}
