'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Field } from '@/components/ui/field.tsx';
import { checkStart, type StartFields, startOrder } from '@/lib/upgrade-order.ts';
import { startBlocked } from '@/lib/upgrade-progress.ts';
import { startUpgrade, upgradeQuery } from '@/lib/upgrade-queries.ts';
import { OrderForm } from './order-form.tsx';

const words = {
  upgrade: {
    title: 'Upgrade the proxy',
    description: 'A new generation is started and tested, takes new clients, and gets the sessions of the present one.',
    word: 'Upgrade',
    success: 'The upgrade is under way',
  },
  restart: {
    title: 'Restart the proxy',
    description: 'As an upgrade to the same tree: parameters that wait for a restart come into force.',
    word: 'Restart',
    success: 'The restart is under way',
  },
} as const;

/** From which tree, how it is decided, and why. */
export function StartDialog({ kind, onClose }: { kind: 'upgrade' | 'restart'; onClose: () => void }) {
  const id = useId();
  const { data: state } = useQuery(upgradeQuery);
  const present = state?.generations.find(({ role }) => role === 'active')?.directory ?? '';
  const [fields, setFields] = useState<StartFields>({ directory: '', md5: '', hold: false, watchSeconds: '10' });
  const set = (next: Partial<StartFields>): void => setFields((old) => ({ ...old, ...next }));
  const wrong = checkStart(fields);
  const { title, description, word, success } = words[kind];
  return (
    <OrderForm
      title={title}
      description={description}
      word={word}
      pendingWord="Starting …"
      success={success}
      disabled={Object.keys(wrong).length > 0}
      blocked={startBlocked(state)}
      send={(reason) => startUpgrade(startOrder(kind, fields, reason))}
      onClose={onClose}
    >
      {kind === 'restart' ? null : (
        <>
          <Field
            id={`${id}-directory`}
            label="Directory"
            value={fields.directory}
            maxLength={1000}
            spellCheck={false}
            placeholder={present}
            onChange={(event) => set({ directory: event.target.value })}
            hint="Of the new version, on the proxy’s machine. Left empty: the tree that runs now."
            error={wrong.directory}
            className="font-mono text-sm"
          />
          <Field
            id={`${id}-md5`}
            label="MD5 of the tree"
            value={fields.md5}
            maxLength={64}
            spellCheck={false}
            onChange={(event) => set({ md5: event.target.value })}
            hint="As SHOW PROXYINFO BINARY tells it; another one is not started. Left empty: not looked at."
            error={wrong.md5}
            className="font-mono text-sm"
          />
        </>
      )}
      <fieldset className="grid gap-2 text-sm">
        <legend className="mb-1.5 font-medium">When it serves</legend>
        <label className="flex items-center gap-2">
          <input
            type="radio"
            name="hold"
            checked={!fields.hold}
            onChange={() => set({ hold: false })}
            className="accent-(--accent-fill)"
          />
          watch it for a while, then commit
        </label>
        {fields.hold ? null : (
          <Field
            id={`${id}-watch`}
            label="Watched for (seconds)"
            inputMode="numeric"
            value={fields.watchSeconds}
            onChange={(event) => set({ watchSeconds: event.target.value })}
            hint="More errors than before, or its death, roll everything back meanwhile."
            error={wrong.watchSeconds}
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
          wait for somebody to commit or roll back
        </label>
      </fieldset>
    </OrderForm>
  );
}
