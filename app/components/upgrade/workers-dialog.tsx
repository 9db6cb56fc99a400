'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { putParameters } from '@/components/live/live-stream.ts';
import { useText } from '@/components/texts.tsx';
import { Field } from '@/components/ui/field.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { postJson } from '@/lib/api.ts';
import { checkValue } from '@/lib/parameter-check.ts';
import { boolText, isOn, storedValue } from '@/lib/parameter-value.ts';
import { parametersQuery } from '@/lib/queries.ts';
import { startBlocked } from '@/lib/upgrade-progress.ts';
import { startUpgrade, upgradeQuery } from '@/lib/upgrade-queries.ts';
import { workerChanges } from '@/lib/worker-changes.ts';
import { changeResponseSchema, type Parameter, upgradeStartSchema } from '../../../proxy/control/contract.ts';
import { OrderForm } from './order-form.tsx';
import { workerParameters } from './workers-panel.tsx';

/** Another number of workers: two parameters, and the restart that puts them in force, with one reason. */
export function WorkersDialog({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(parametersQuery);
  const known = workerParameters(data?.parameters);
  return known === null ? null : <WorkersForm {...known} onClose={onClose} />;
}

interface WorkersFormProps {
  most: Parameter;
  byCores: Parameter;
  onClose: () => void;
}

function WorkersForm({ most, byCores, onClose }: WorkersFormProps) {
  const t = useText('upgrade');
  const id = useId();
  const client = useQueryClient();
  const parametersText = useText('parameters');
  const [count, setCount] = useState(storedValue(most));
  const [followsCores, setFollowsCores] = useState(isOn(storedValue(byCores)));
  const blocked = startBlocked(useQuery(upgradeQuery).data);
  const invalid = checkValue(parametersText, most, count);
  const changes = workerChanges({ most, byCores }, { most: count, byCores: boolText(followsCores) });
  const waits = most.pendingValue !== null || byCores.pendingValue !== null;
  const send = async (reason: string) => {
    if (changes.length > 0) {
      const { parameters } = changeResponseSchema.parse(await postJson('/api/parameters', { changes, reason }));
      // Stored, whatever becomes of the restart.
      putParameters(client, parameters);
    }
    return startUpgrade(upgradeStartSchema.parse({ kind: 'restart', reason }));
  };
  return (
    <OrderForm
      title={t('workersTitle')}
      description={t('workersDialogAbout')}
      word={t('changeAndRestart')}
      pendingWord={t('starting')}
      success={t('workersDone')}
      disabled={invalid !== null || (changes.length === 0 && !waits)}
      blocked={blocked === null ? null : t(`blocked.${blocked}`)}
      send={send}
      onClose={onClose}
    >
      <fieldset className="grid gap-2 text-sm">
        <legend className="mb-1.5 font-medium">{t('howMany')}</legend>
        <label className="flex items-center gap-2">
          <input
            type="radio"
            name="cores"
            checked={followsCores}
            onChange={() => setFollowsCores(true)}
            className="accent-(--accent-fill)"
          />
          {t('followCores')}
        </label>
        <label className="flex items-center gap-2">
          <input
            type="radio"
            name="cores"
            checked={!followsCores}
            onChange={() => setFollowsCores(false)}
            className="accent-(--accent-fill)"
          />
          {t('ownNumber')}
        </label>
      </fieldset>
      <Field
        id={`${id}-count`}
        label={t(followsCores ? 'atMost' : 'workers')}
        inputMode="numeric"
        value={count}
        onChange={(event) => setCount(event.target.value)}
        hint={t('parameterHint', { name: most.name, range: most.range })}
        error={invalid ?? undefined}
        className="w-28"
      />
      {changes.length === 0 && !waits ? <Notice tone="info">{t('isStored')}</Notice> : null}
    </OrderForm>
  );
}
