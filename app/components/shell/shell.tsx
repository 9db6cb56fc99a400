'use client';

import { usePathname } from 'next/navigation';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { BrandMark } from '@/components/brand.tsx';
import { LiveIndicator, StaleBanner } from '@/components/live/live-indicator.tsx';
import { useLivePhase } from '@/components/live/live-provider.tsx';
import { useText } from '@/components/texts.tsx';
import { BottomNavigation } from './bottom-navigation.tsx';
import { ClusterLabel } from './cluster-label.tsx';
import { LazyPalette } from './lazy-palette.tsx';
import { titleOf } from './pages.ts';
import { SearchButton } from './search-button.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { SideNavigation } from './side-navigation.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { UserMenu } from './user-menu.tsx';

/** The frame of every page: navigation, header, live state, and what the keyboard opens. */
export function Shell({ children }: { children: ReactNode }) {
  const t = useText('shell');
  const common = useText('common');
  const [palette, setPalette] = useState(false);
  const [sheet, setSheet] = useState(false);
  const pathname = usePathname();
  const stale = useLivePhase() === 'stale';
  const title = titleOf(pathname);
  useShortcuts({ openPalette: () => setPalette(true), openSheet: () => setSheet(true) });
  return (
    <div className="lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent-fill px-3 py-2 text-sm text-white focus:translate-y-0"
      >
        {t('skipToContent')}
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-panel lg:flex print:hidden">
        <div className="flex h-14 items-center gap-2.5 px-4">
          <BrandMark className="size-7" />
          <div className="leading-tight">
            <p className="text-sm font-semibold">{common('brand')}</p>
            <p className="text-xs text-subtle">{t('product')}</p>
          </div>
        </div>
        <SideNavigation />
        <div className="mt-auto border-t border-line p-2">
          <UserMenu place="sidebar" openSheet={() => setSheet(true)} />
        </div>
      </aside>
      <div
        className="min-w-0 pb-16 lg:pb-0"
        // How much of the top is taken: what else sticks there stays below it.
        style={{ '--head': stale ? '5.75rem' : '3.5rem' } as CSSProperties}
      >
        <div className="sticky top-0 z-20 print:hidden">
          <header className="flex h-14 items-center gap-2 border-b border-line bg-panel px-4 lg:px-6">
            <BrandMark className="size-7 lg:hidden" />
            <h1 className="text-lg font-semibold">{title === undefined ? common('brand') : t(title)}</h1>
            <ClusterLabel />
            <div className="ml-auto flex items-center gap-1.5">
              <LiveIndicator />
              <SearchButton onClick={() => setPalette(true)} />
              <div className="lg:hidden">
                <UserMenu place="header" openSheet={() => setSheet(true)} />
              </div>
            </div>
          </header>
          <StaleBanner />
        </div>
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
      </div>
      <BottomNavigation openPalette={() => setPalette(true)} />
      <LazyPalette open={palette} onOpenChange={setPalette} openSheet={() => setSheet(true)} />
      <ShortcutSheet open={sheet} onOpenChange={setSheet} />
    </div>
  );
}
