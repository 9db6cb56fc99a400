'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/parameters/confirm-dialog.tsx';
import { useDrafts } from '@/components/parameters/draft-provider.tsx';
import { pendingChanges } from '@/components/parameters/pending-change.ts';
import { useMay } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { Switch } from '@/components/ui/switch.tsx';
import { boolText, isOn, storedValue } from '@/lib/parameter-value.ts';
import { parametersQuery } from '@/lib/queries.ts';
import type { BlocklistCluster, Parameter } from '../../../proxy/control/contract.ts';
import { SettingRow } from './setting-row.tsx';
import { WhatIf } from './what-if.tsx';
import { settingNames } from './words.ts';

const switchName = 'enable_congestion';
const none: readonly Parameter[] = [];

/** The switch and the five values that the lists go by. A change is tried on the past before it can be confirmed. */
export function SettingsPanel({ clusters }: { clusters: readonly BlocklistCluster[] }) {
  const t = useText('blocklist');
  const parametersText = useText('parameters');
  const mayWrite = useMay('parameters.write');
  const { data } = useQuery({ ...parametersQuery, enabled: useMay('parameters.read') });
  const { drafts, edit, discard } = useDrafts();
  const [reviewing, setReviewing] = useState<'switch' | 'values' | null>(null);
  const parameters = data?.parameters ?? none;
  const toggle = parameters.find(({ name }) => name === switchName);
  const settings = settingNames.flatMap((name) => {
    const parameter = parameters.find((one) => one.name === name);
    return parameter === undefined ? [] : [{ name, parameter }];
  });
  const values = settings.map(({ parameter }) => parameter);
  const reviewed = reviewing === 'switch' ? (toggle === undefined ? [] : [toggle]) : values;
  const changes = pendingChanges(parametersText, reviewed, drafts);
  const edited = pendingChanges(parametersText, values, drafts);
  const invalid = edited.some((change) => change.invalid !== null);
  const on = toggle === undefined ? clusters.every((cluster) => cluster.parameters.enabled) : isOn(toggle.value);
  const close = (): void => {
    // The switch shows what is in force: a change of mind leaves nothing behind.
    if (reviewing === 'switch') discard([switchName]);
    setReviewing(null);
  };
  const listed = clusters.flatMap((cluster) => cluster.servers.filter(({ listings }) => listings.length > 0));
  return (
    <Panel
      title={t('rules')}
      aside={
        <span className="flex items-center gap-2 text-sm">
          <span className={on ? 'font-medium text-ok' : 'font-medium text-warn'}>{t(on ? 'on' : 'off')}</span>
          <Switch
            label={switchName}
            checked={on}
            disabled={!mayWrite || toggle === undefined}
            describedBy="blocklist-rules-about"
            onCheckedChange={(wanted) => {
              if (toggle === undefined) return;
              discard([switchName]);
              // Stored and in force are one for this parameter; a click on a page that lags behind changes nothing.
              if (wanted === isOn(storedValue(toggle))) return;
              edit(toggle, boolText(wanted));
              setReviewing('switch');
            }}
          />
        </span>
      }
    >
      <p id="blocklist-rules-about" className="px-4 pt-3 pb-1 text-xs text-muted">
        {t(on ? 'rulesOn' : 'rulesOff')} <code className="font-mono">{switchName}</code>
      </p>
      <ul className="px-4 pb-2">
        {settings.map(({ name, parameter }) => (
          <SettingRow
            key={parameter.name}
            name={name}
            parameter={parameter}
            change={edited.find((change) => change.parameter.name === parameter.name) ?? null}
            disabled={!mayWrite}
            onSubmit={() => {
              if (edited.length > 0 && !invalid) setReviewing('values');
            }}
          />
        ))}
      </ul>
      {mayWrite ? (
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
          {edited.length === 0 ? (
            <p className="mr-auto text-xs text-muted">{t('triedFirst')}</p>
          ) : (
            <Button variant="ghost" onClick={() => discard(edited.map((change) => change.parameter.name))}>
              {t('discard')}
            </Button>
          )}
          <Button
            variant={edited.length === 0 ? 'secondary' : 'primary'}
            disabled={edited.length === 0 || invalid}
            onClick={() => setReviewing('values')}
          >
            {t('whatIfMore')}
          </Button>
        </div>
      ) : (
        <p className="border-t border-line px-4 py-2.5 text-xs text-muted">{t('mayNotChange')}</p>
      )}
      <ConfirmDialog
        open={reviewing !== null && changes.length > 0}
        onOpenChange={close}
        changes={changes}
        className="sm:top-[6vh] sm:max-h-[88dvh] sm:w-[min(52rem,calc(100vw-2rem))]"
        preview={<WhatIf clusters={clusters} changes={changes} listedNow={listed.map(({ address }) => address)} />}
        onApplied={(names) => {
          setReviewing(null);
          discard(names);
        }}
      />
    </Panel>
  );
}
