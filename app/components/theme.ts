'use client';

import { useSyncExternalStore } from 'react';
import { keepCookie, parseTheme, type Theme, themeCookie } from '@/lib/preferences.ts';

const listeners = new Set<() => void>();

/** The theme in force (as chosen, not as resolved) and how to choose another; the choice is kept in a cookie. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => parseTheme(document.documentElement.dataset.theme),
    () => 'system' as const,
  );
  return [theme, setTheme];
}

function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  keepCookie(themeCookie, theme);
  for (const listener of listeners) listener();
}
