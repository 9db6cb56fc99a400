'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/parameters/confirm-dialog.tsx';
import type { Draft } from '@/components/parameters/draft-provider.tsx';
import { pendingChange } from '@/components/parameters/pending-change.ts';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { Switch } from '@/components/ui/switch.tsx';
import { boolText } from '@/lib/parameter-value.ts';
import { parametersQuery } from '@/lib/queries.ts';

/** The main switch of the blocklists: a click, a look at what changes, a second click. */
export function CongestionPanel({ enabled }: { enabled: boolean }) {
  const t = useText('overview');
  const parametersText = useText('parameters');
  const mayWrite = useMay('parameters.write');
  const { data } = useQuery({ ...parametersQuery, enabled: useMay('parameters.read') });
  const parameter = data?.parameters.find(({ name }) => name === 'enable_congestion');
  const [draft, setDraft] = useState<Draft | null>(null);
  return (
    <Panel
      title={t('blocklists')}
      aside={
        <span className="flex items-center gap-2 text-sm">
          <span className={enabled ? 'font-medium text-ok' : 'font-medium text-warn'}>{t(enabled ? 'on' : 'off')}</span>
          <Switch
            label="enable_congestion"
            checked={enabled}
            disabled={!mayWrite || parameter === undefined}
            describedBy="congestion-about"
            onCheckedChange={(on) => {
              if (parameter !== undefined) setDraft({ value: boolText(on), baseRevision: parameter.revision });
            }}
          />
        </span>
      }
    >
      <p id="congestion-about" className="px-4 py-3 text-sm text-muted">
        {t(enabled ? 'blocklistsOnAbout' : 'blocklistsOffAbout')}{' '}
        <code className="font-mono text-xs">enable_congestion</code>
      </p>
      {parameter !== undefined && draft !== null ? (
        <ConfirmDialog
          open
          onOpenChange={() => setDraft(null)}
          changes={[pendingChange(parametersText, parameter, draft)]}
          defaultReason={t(draft.value === 'True' ? 'switchedOn' : 'switchedOff')}
          onApplied={() => setDraft(null)}
        />
      ) : null}
    </Panel>
  );
}
