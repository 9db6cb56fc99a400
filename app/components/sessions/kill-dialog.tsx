'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { StateMark } from '@/components/state-mark.tsx';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { postJson } from '@/lib/api.ts';
import { sessionsKey } from '@/lib/session-queries.ts';
import { visibleText } from '@/lib/visible-text.ts';
import { type Session, type SessionKill, sessionKillResponseSchema } from '../../../proxy/control/contract.ts';
import { sessionLook, statementText } from './words.ts';

interface KillDialogProps {
  session: Session;
  onClose: () => void;
}

/** Ends a client's connection, or only what it is running, with a reason that the history keeps. */
export function KillDialog({ session, onClose }: KillDialogProps) {
  const t = useText('sessions');
  const reasonId = useId();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('killTitle', { id: String(session.id) })}
      description={t('killAbout', {
        who: visibleText(`${session.user}@${session.tenant}`),
        client: visibleText(session.client),
      })}
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[32rem]"
    >
      <KillForm session={session} reasonId={reasonId} onClose={onClose} />
    </Dialog>
  );
}

function KillForm({ session, reasonId, onClose }: KillDialogProps & { reasonId: string }) {
  const t = useText('sessions');
  const client = useQueryClient();
  const [what, setWhat] = useState<SessionKill['what']>('connection');
  const kill = useMutation({
    mutationFn: async (reason: string) =>
      sessionKillResponseSchema.parse(
        await postJson(`/api/sessions/${session.id}/kill`, { what, reason } satisfies SessionKill),
      ),
    onSuccess: ({ outcome }) => {
      toast.success(t(outcome === 'killed' ? `killed.${what}` : 'hadEnded', { id: String(session.id) }));
      void client.invalidateQueries({ queryKey: sessionsKey });
      void client.invalidateQueries({ queryKey: ['session', String(session.id)] });
      onClose();
    },
  });
  const { statement, transactionMs } = session;
  return (
    <ReasonForm
      reasonId={reasonId}
      word={t('kill')}
      pendingWord={t('killing')}
      request={kill}
      onSubmit={(reason) => kill.mutate(reason)}
      onCancel={onClose}
    >
      <div className="grid gap-1 rounded-lg border border-line px-3.5 py-2.5">
        <StateMark look={sessionLook(session.state, t)} state={session.state} />
        {statement === null ? null : (
          <code className="font-mono text-xs text-muted [overflow-wrap:anywhere]">
            {visibleText(statementText(statement))}
          </code>
        )}
      </div>
      <fieldset className="grid gap-2 text-sm">
        <legend className="mb-1.5 font-medium">{t('what')}</legend>
        <Choice value="connection" what={what} onChange={setWhat} word={t('what.connection')} />
        <Choice value="query" what={what} onChange={setWhat} word={t('what.query')} />
      </fieldset>
      {what === 'connection' && transactionMs !== null ? <Notice tone="warn">{t('rolledBack')}</Notice> : null}
      {what === 'query' && session.state !== 'running' ? <Notice tone="info">{t('ranNothing')}</Notice> : null}
    </ReasonForm>
  );
}

interface ChoiceProps {
  value: SessionKill['what'];
  what: SessionKill['what'];
  onChange: (what: SessionKill['what']) => void;
  word: string;
}

function Choice({ value, what, onChange, word }: ChoiceProps) {
  return (
    <label className="flex items-center gap-2">
      <input
        type="radio"
        name="what"
        value={value}
        checked={what === value}
        onChange={() => onChange(value)}
        className="accent-(--accent-fill)"
      />
      {word}
    </label>
  );
}
