'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useMay } from '@/components/shell/user-context.tsx';
import type { AlertChoices } from '@/lib/alert-choices.ts';
import { playTone } from '@/lib/alert-tone.ts';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import { type ListedServer, listedServers, newlyListed } from '@/lib/listed-servers.ts';
import { visibleText } from '@/lib/visible-text.ts';
import { useAlertChoices } from './use-alert-choices.ts';
import { listWord, serversText } from './words.ts';

/** Tells of listings on every page, in the ways that have been switched on. Draws nothing. */
export function BlocklistAlerts() {
  const choices = useAlertChoices();
  const { data } = useQuery({ ...blocklistQuery, enabled: useMay('blocklist.read') });
  const before = useRef<ListedServer[] | null>(null);
  const latest = useRef(choices);
  latest.current = choices;
  useEffect(() => {
    if (data === undefined) return;
    const listed = listedServers(data.clusters);
    const fresh = before.current === null ? [] : newlyListed(before.current, listed);
    before.current = listed;
    if (fresh.length > 0) alertOf(fresh, latest.current);
  }, [data]);
  const count = data === undefined ? 0 : listedServers(data.clusters).length;
  useTitleCount(choices.title ? count : 0);
  return null;
}

function alertOf(fresh: readonly ListedServer[], choices: AlertChoices): void {
  if (choices.sound) playTone();
  if (!choices.desktop || !('Notification' in window) || Notification.permission !== 'granted') return;
  const [first] = fresh;
  if (first === undefined) return;
  const title =
    fresh.length === 1 ? `${visibleText(first.address)} is listed` : `${serversText(fresh.length)} are listed`;
  const body = fresh
    .slice(0, 5)
    .map(({ cluster, address, lists }) => `${cluster} ${address}: ${lists.map(listWord).join(', ')}`)
    .map(visibleText)
    .join('\n');
  try {
    const note = new Notification(title, { body, tag: 'odp-blocklist' });
    note.onclick = () => window.focus();
  } catch (error) {
    // Phones let only service workers notify.
    console.warn('blocklist: this browser does not notify from a page', error);
  }
}

const counted = /^\(\d+\) /;

/** Keeps `(2) ` before the page's title, also when the router writes a new one. 0: nothing before it. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const write = (): void => {
      const plain = document.title.replace(counted, '');
      const wanted = count === 0 ? plain : `(${count}) ${plain}`;
      if (plain !== '' && document.title !== wanted) document.title = wanted;
    };
    write();
    if (count === 0) return;
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [count]);
}
