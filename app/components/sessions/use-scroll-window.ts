'use client';

import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import { type RowWindow, rowWindow } from '@/lib/row-window.ts';

const narrow = '(max-width: 767px)';
/** Heights of a row in CSS pixels: a line of cells, or a block on a phone. */
const rowHeights = { wide: 52, narrow: 100 };

function onNarrowChange(listener: () => void): () => void {
  const query = window.matchMedia(narrow);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Which of `count` rows to draw in a scrolling box, and how high each is. */
export function useScrollWindow(box: RefObject<HTMLElement | null>, count: number): RowWindow & { rowHeight: number } {
  const isNarrow = useSyncExternalStore(
    onNarrowChange,
    () => window.matchMedia(narrow).matches,
    () => false,
  );
  const rowHeight = isNarrow ? rowHeights.narrow : rowHeights.wide;
  const [view, setView] = useState({ scrollTop: 0, height: 900 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const read = (): void => {
      const scrollTop = Math.floor(element.scrollTop / rowHeight) * rowHeight;
      const height = element.clientHeight;
      setView((old) => (old.scrollTop === scrollTop && old.height === height ? old : { scrollTop, height }));
    };
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    read();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, [box, rowHeight]);
  return { ...rowWindow({ ...view, rowHeight, count }), rowHeight };
}
