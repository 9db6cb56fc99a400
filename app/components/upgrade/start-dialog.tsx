'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { Field } from '@/components/ui/field.tsx';
import { checkStart, type StartFields, startOrder } from '@/lib/upgrade-order.ts';
import { startBlocked } from '@/lib/upgrade-progress.ts';
import { startUpgrade, upgradeQuery } from '@/lib/upgrade-queries.ts';
import { OrderForm } from './order-form.tsx';

/** From which tree, how it is decided, and why. */
export function StartDialog({ kind, onClose }: { kind: 'upgrade' | 'restart'; onClose: () => void }) {
  const t = useText('upgrade');
  const id = useId();
  const { data: state } = useQuery(upgradeQuery);
  const present = state?.generations.find(({ role }) => role === 'active')?.directory ?? '';
  const [fields, setFields] = useState<StartFields>({ directory: '', md5: '', hold: false, watchSeconds: '10' });
  const set = (next: Partial<StartFields>): void => setFields((old) => ({ ...old, ...next }));
  const wrong = checkStart(fields);
  const blocked = startBlocked(state);
  const wrongText = (field: keyof typeof wrong): string | undefined =>
    wrong[field] === true ? t(`wrong.${field}`) : undefined;
  return (
    <OrderForm
      title={t(`start.${kind}`)}
      description={t(`start.${kind}About`)}
      word={t(`start.${kind}Word`)}
      pendingWord={t('starting')}
      success={t(`start.${kind}Done`)}
      disabled={Object.keys(wrong).length > 0}
      blocked={blocked === null ? null : t(`blocked.${blocked}`)}
      send={(reason) => startUpgrade(startOrder(kind, fields, reason))}
      onClose={onClose}
    >
      {kind === 'restart' ? null : (
        <>
          <Field
            id={`${id}-directory`}
            label={t('directory')}
            value={fields.directory}
            maxLength={1000}
            spellCheck={false}
            placeholder={present}
            onChange={(event) => set({ directory: event.target.value })}
            hint={t('directoryHint')}
            error={wrongText('directory')}
            className="font-mono text-sm"
          />
          <Field
            id={`${id}-md5`}
            label={t('md5')}
            value={fields.md5}
            maxLength={64}
            spellCheck={false}
            onChange={(event) => set({ md5: event.target.value })}
            hint={t('md5Hint')}
            error={wrongText('md5')}
            className="font-mono text-sm"
          />
        </>
      )}
      <fieldset className="grid gap-2 text-sm">
        <legend className="mb-1.5 font-medium">{t('whenItServes')}</legend>
        <label className="flex items-center gap-2">
          <input
            type="radio"
            name="hold"
            checked={!fields.hold}
            onChange={() => set({ hold: false })}
            className="accent-(--accent-fill)"
          />
          {t('watchThenCommit')}
        </label>
        {fields.hold ? null : (
          <Field
            id={`${id}-watch`}
            label={t('watchedFor')}
            inputMode="numeric"
            value={fields.watchSeconds}
            onChange={(event) => set({ watchSeconds: event.target.value })}
            hint={t('watchHint')}
            error={wrongText('watchSeconds')}
            className="w-28"
          />
        )}
        <label className="flex items-center gap-2">
          <input
            type="radio"
            name="hold"
            checked={fields.hold}
            onChange={() => set({ hold: true })}
            className="accent-(--accent-fill)"
          />
          {t('somebodyDecides')}
        </label>
      </fieldset>
    </OrderForm>
  );
}
