'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import { sessionsEveryMs, sessionsKey } from '@/lib/session-queries.ts';

/**
 * Asks for the shown windows again and again, but not while somebody is on a row: what is under the pointer or has the
 * focus stays where it is.
 * @returns whether the list is held just now
 */
export function useLiveList(list: RefObject<HTMLElement | null>, isPaused: boolean): boolean {
  const client = useQueryClient();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const check = (): boolean => {
      const held = isPaused || isOnRow(list.current);
      setHeld(held);
      return held;
    };
    const tick = (): void => {
      if (!check() && !document.hidden) void client.refetchQueries({ queryKey: sessionsKey, type: 'active' });
    };
    const element = list.current;
    const events = ['pointerover', 'pointerleave', 'focusin', 'focusout'] as const;
    // The new focus stands only after the event.
    const later = (): void => void setTimeout(check);
    for (const event of events) element?.addEventListener(event, later);
    check();
    const timer = setInterval(tick, sessionsEveryMs);
    return () => {
      clearInterval(timer);
      for (const event of events) element?.removeEventListener(event, later);
    };
  }, [client, list, isPaused]);
  return isHeld;
}

/** Touch screens leave the last touched element hovered, so that hovering counts only where there is a pointer. */
function isOnRow(list: HTMLElement | null): boolean {
  if (list === null) return false;
  const rows = list.querySelector('tbody');
  const isHovered = window.matchMedia('(hover: hover)').matches && (rows?.matches(':hover') ?? false);
  return isHovered || (rows?.contains(document.activeElement) ?? false);
}
