'use client';

import { BellRing, type LucideIcon, PanelTop, Volume2 } from 'lucide-react';
import { useState } from 'react';
import { Notice } from '@/components/ui/notice.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { Switch } from '@/components/ui/switch.tsx';
import { type AlertChoices, chooseAlerts } from '@/lib/alert-choices.ts';
import { playTone } from '@/lib/alert-tone.ts';
import { useAlertChoices } from './use-alert-choices.ts';

const rows: readonly { key: keyof AlertChoices; icon: LucideIcon; word: string; about: string }[] = [
  { key: 'title', icon: PanelTop, word: 'Number in the tab’s title', about: 'e.g. “(2) Blocklist”' },
  { key: 'desktop', icon: BellRing, word: 'Desktop notification', about: 'when a server is listed' },
  { key: 'sound', icon: Volume2, word: 'Sound', about: 'when a server is listed' },
];

/** How to be told of listings while looking elsewhere. All off until switched on, and kept in this browser alone. */
export function AlertPanel() {
  const choices = useAlertChoices();
  const [refusal, setRefusal] = useState<string | null>(null);
  const change = async (key: keyof AlertChoices, on: boolean): Promise<void> => {
    setRefusal(null);
    if (on && key === 'desktop') {
      const reason = await askToNotify();
      if (reason !== null) {
        setRefusal(reason);
        return;
      }
    }
    if (on && key === 'sound') playTone();
    chooseAlerts({ [key]: on });
  };
  return (
    <Panel title="Alerts" aside={<span className="text-xs text-subtle">this browser only</span>}>
      <ul className="divide-y divide-line">
        {rows.map(({ key, icon: Icon, word, about }) => (
          <li key={key} className="flex items-center gap-3 px-4 py-2.5">
            <Icon aria-hidden className="size-4 shrink-0 text-subtle" />
            <p className="min-w-0 flex-1 text-sm">
              {word}
              <span id={`alert-${key}`} className="block text-xs text-muted">
                {about}
              </span>
            </p>
            <span aria-hidden className="text-xs text-muted">
              {choices[key] ? 'On' : 'Off'}
            </span>
            <Switch
              label={word}
              describedBy={`alert-${key}`}
              checked={choices[key]}
              onCheckedChange={(on) => void change(key, on)}
            />
          </li>
        ))}
      </ul>
      {refusal === null ? null : (
        <Notice tone="warn" alert className="m-3 mt-1 text-xs">
          {refusal}
        </Notice>
      )}
    </Panel>
  );
}

/** Asks the browser for its leave. Null when given, else why not. */
async function askToNotify(): Promise<string | null> {
  if (!('Notification' in window) || !window.isSecureContext) {
    return 'This browser notifies only on pages that come over HTTPS or from this machine.';
  }
  const answer = await Notification.requestPermission();
  if (answer === 'granted') return null;
  return answer === 'denied'
    ? 'The browser does not let this page notify. Allow it in the browser’s settings for this page.'
    : 'The browser has not been told whether this page may notify.';
}
