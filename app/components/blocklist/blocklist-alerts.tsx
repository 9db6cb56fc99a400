'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import type { AlertChoices } from '@/lib/alert-choices.ts';
import { playTone } from '@/lib/alert-tone.ts';
import { blocklistQuery } from '@/lib/blocklist-queries.ts';
import { listWord } from '@/lib/list-words.ts';
import { type ListedServer, listedServers, newlyListed } from '@/lib/listed-servers.ts';
import type { Text } from '@/lib/text.ts';
import { visibleText } from '@/lib/visible-text.ts';
import type { Catalog } from '@/messages/catalog.ts';
import { useAlertChoices } from './use-alert-choices.ts';

/** Tells of listings on every page, in the ways that have been switched on. Draws nothing. */
export function BlocklistAlerts() {
  const t = useText('shell');
  const choices = useAlertChoices();
  const { data } = useQuery({ ...blocklistQuery, enabled: useMay('blocklist.read') });
  const before = useRef<ListedServer[] | null>(null);
  const latest = useRef({ choices, t });
  latest.current = { choices, t };
  useEffect(() => {
    if (data === undefined) return;
    const listed = listedServers(data.clusters);
    const fresh = before.current === null ? [] : newlyListed(before.current, listed);
    before.current = listed;
    if (fresh.length > 0) alertOf(latest.current.t, fresh, latest.current.choices);
  }, [data]);
  const count = data === undefined ? 0 : listedServers(data.clusters).length;
  useTitleCount(choices.title ? count : 0);
  return null;
}

function alertOf(t: Text<Catalog['shell']>, fresh: readonly ListedServer[], choices: AlertChoices): void {
  if (choices.sound) playTone();
  if (!choices.desktop || !('Notification' in window) || Notification.permission !== 'granted') return;
  const [first] = fresh;
  if (first === undefined) return;
  const title =
    fresh.length === 1
      ? t('serverIsListed', { address: visibleText(first.address) })
      : t('serversAreListed', { count: fresh.length });
  const body = fresh
    .slice(0, 5)
    .map(({ cluster, address, lists }) => `${cluster} ${address}: ${lists.map((list) => listWord(t, list)).join(', ')}`)
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
