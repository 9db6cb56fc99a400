'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useText } from '@/components/texts.tsx';
import { useTimeZone } from '@/components/time-zone.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Field } from '@/components/ui/field.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { dayStart, zonedTime } from '@/lib/time.ts';
import { bothTokenLists, makeToken } from '@/lib/token-queries.ts';
import { type CanGive, LimitChoice, type TokenLimit } from './limit-choice.tsx';
import { ShownSecret } from './shown-secret.tsx';

const dayMs = 86_400_000;
const usualDays = 90;

/** Makes a token: name, limit, last day, reason; then shows it, this once. */
export function MakeDialog({ canGive, onClose }: { canGive: CanGive; onClose: () => void }) {
  const t = useText('tokens');
  const client = useQueryClient();
  const { zone } = useTimeZone();
  const dayIn = (days: number): string => zonedTime(new Date(Date.now() + days * dayMs).toISOString(), zone).day;
  const [nameId, dayId, reasonId] = [useId(), useId(), useId()];
  const [name, setName] = useState('');
  const [limit, setLimit] = useState<TokenLimit>({ role: null, rights: [] });
  const [lastDay, setLastDay] = useState(() => dayIn(usualDays));
  const make = useMutation({
    mutationFn: (reason: string) => makeToken({ name, ...limit, expiresAt: dayStart(lastDay, zone, 1), reason }),
    onSuccess: () => client.invalidateQueries(bothTokenLists),
  });
  const isReady = name.trim() !== '' && lastDay !== '' && (limit.role !== null || limit.rights.length > 0);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={make.data === undefined ? t('makeTitle') : t('madeTitle', { name: make.data.token.name })}
      description={t('makeAbout')}
      initialFocus={() => document.getElementById(nameId)}
      className="sm:w-[34rem]"
    >
      {make.data === undefined ? (
        <ReasonForm
          reasonId={reasonId}
          word={t('makeWord')}
          pendingWord={t('making')}
          request={make}
          disabled={!isReady}
          onSubmit={(reason) => make.mutate(reason)}
          onCancel={onClose}
        >
          <Field
            id={nameId}
            label={t('name')}
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            required
            hint={t('nameHint')}
          />
          <LimitChoice canGive={canGive} value={limit} onChange={setLimit} />
          <Field
            id={dayId}
            type="date"
            label={t('lastDay')}
            value={lastDay}
            min={dayIn(0)}
            max={dayIn(365)}
            onChange={(event) => setLastDay(event.target.value)}
            required
            hint={t('lastDayHint', { zone })}
            className="w-44"
          />
        </ReasonForm>
      ) : (
        <ShownSecret secret={make.data.secret} onClose={onClose} />
      )}
    </Dialog>
  );
}
