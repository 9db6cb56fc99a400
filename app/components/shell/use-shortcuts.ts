'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { usePages } from './use-pages.ts';

/** How long after `g` the second key counts. */
const chordMs = 1_200;

interface Actions {
  openPalette: () => void;
  openSheet: () => void;
}

/** The keys that work on every page: `?`, Ctrl/⌘ K, `/` and `g` with a page's letter. None of them while typing. */
export function useShortcuts(actions: Actions): void {
  const router = useRouter();
  const pages = usePages();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let chordAt = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        latest.current.openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const page = pages.find((one) => one.key === event.key);
      if (page !== undefined && event.timeStamp - chordAt < chordMs) {
        event.preventDefault();
        router.push(page.href);
      } else if (event.key === '?') {
        event.preventDefault();
        latest.current.openSheet();
      } else if (event.key === '/') {
        event.preventDefault();
        const search = document.querySelector<HTMLInputElement>('[data-search]');
        if (search === null) {
          latest.current.openPalette();
          return;
        }
        search.focus();
        search.select();
      }
      chordAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [router, pages]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null;
}
