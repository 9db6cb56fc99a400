'use client';

import { BellRing, type LucideIcon, PanelTop, Volume2 } from 'lucide-react';
import { useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { Switch } from '@/components/ui/switch.tsx';
import { type AlertChoices, chooseAlerts } from '@/lib/alert-choices.ts';
import { playTone } from '@/lib/alert-tone.ts';
import type { Catalog } from '@/messages/catalog.ts';
import { useAlertChoices } from './use-alert-choices.ts';

const rows: readonly { key: keyof AlertChoices; icon: LucideIcon }[] = [
  { key: 'title', icon: PanelTop },
  { key: 'desktop', icon: BellRing },
  { key: 'sound', icon: Volume2 },
];

type Refusal = Extract<keyof Catalog['blocklist'], `notify${string}`>;

/** How to be told of listings while looking elsewhere. All off until switched on, and kept in this browser alone. */
export function AlertPanel() {
  const t = useText('blocklist');
  const choices = useAlertChoices();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
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
    <Panel title={t('alerts')} aside={<span className="text-xs text-subtle">{t('thisBrowser')}</span>}>
      <ul className="divide-y divide-line">
        {rows.map(({ key, icon: Icon }) => (
          <li key={key} className="flex items-center gap-3 px-4 py-2.5">
            <Icon aria-hidden className="size-4 shrink-0 text-subtle" />
            <p className="min-w-0 flex-1 text-sm">
              {t(`alert.${key}`)}
              <span id={`alert-${key}`} className="block text-xs text-muted">
                {t(`alert.${key}.about`)}
              </span>
            </p>
            <span aria-hidden className="text-xs text-muted">
              {t(choices[key] ? 'on' : 'off')}
            </span>
            <Switch
              label={t(`alert.${key}`)}
              describedBy={`alert-${key}`}
              checked={choices[key]}
              onCheckedChange={(on) => void change(key, on)}
            />
          </li>
        ))}
      </ul>
      {refusal === null ? null : (
        <Notice tone="warn" alert className="m-3 mt-1 text-xs">
          {t(refusal)}
        </Notice>
      )}
    </Panel>
  );
}

/** Asks the browser for its leave. Null when given, else why not. */
async function askToNotify(): Promise<Refusal | null> {
  if (!('Notification' in window) || !window.isSecureContext) {
    return 'notifyInsecure';
  }
  const answer = await Notification.requestPermission();
  if (answer === 'granted') return null;
  return answer === 'denied' ? 'notifyDenied' : 'notifyUnknown';
}
