'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { StateMark } from '@/components/state-mark.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { postJson } from '@/lib/api.ts';
import { sessionsKey } from '@/lib/session-queries.ts';
import { visibleText } from '@/lib/visible-text.ts';
import { type Session, type SessionKill, sessionKillResponseSchema } from '../../../proxy/control/contract.ts';
import { sessionLooks, statementText } from './words.ts';

interface KillDialogProps {
  session: Session;
  onClose: () => void;
}

/** Ends a client's connection, or only what it is running, with a reason that the history keeps. */
export function KillDialog({ session, onClose }: KillDialogProps) {
  const reasonId = useId();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Kill session ${session.id}`}
      description={visibleText(`${session.user}@${session.tenant} from ${session.client}. Who did it and why is kept.`)}
      initialFocus={() => document.getElementById(reasonId)}
      className="sm:w-[32rem]"
    >
      <KillForm session={session} reasonId={reasonId} onClose={onClose} />
    </Dialog>
  );
}

function KillForm({ session, reasonId, onClose }: KillDialogProps & { reasonId: string }) {
  const client = useQueryClient();
  const [what, setWhat] = useState<SessionKill['what']>('connection');
  const kill = useMutation({
    mutationFn: async (reason: string) =>
      sessionKillResponseSchema.parse(
        await postJson(`/api/sessions/${session.id}/kill`, { what, reason } satisfies SessionKill),
      ),
    onSuccess: ({ outcome }) => {
      const thing = what === 'connection' ? `Session ${session.id}` : `What session ${session.id} was running`;
      toast.success(outcome === 'killed' ? `${thing} is killed` : `No effect: session ${session.id} had ended`);
      void client.invalidateQueries({ queryKey: sessionsKey });
      void client.invalidateQueries({ queryKey: ['session', String(session.id)] });
      onClose();
    },
  });
  const { statement, transactionMs } = session;
  return (
    <ReasonForm
      reasonId={reasonId}
      word="Kill"
      pendingWord="Killing …"
      request={kill}
      onSubmit={(reason) => kill.mutate(reason)}
      onCancel={onClose}
    >
      <div className="grid gap-1 rounded-lg border border-line px-3.5 py-2.5">
        <StateMark look={sessionLooks[session.state]} state={session.state} />
        {statement === null ? null : (
          <code className="font-mono text-xs text-muted [overflow-wrap:anywhere]">
            {visibleText(statementText(statement))}
          </code>
        )}
      </div>
      <fieldset className="grid gap-2 text-sm">
        <legend className="mb-1.5 font-medium">What</legend>
        <Choice value="connection" what={what} onChange={setWhat} word="The connection: the client is disconnected" />
        <Choice value="query" what={what} onChange={setWhat} word="Only what it is running: the client stays" />
      </fieldset>
      {what === 'connection' && transactionMs !== null ? (
        <Notice tone="warn">Its open transaction is rolled back.</Notice>
      ) : null}
      {what === 'query' && session.state !== 'running' ? (
        <Notice tone="info">It was running nothing when the list was read: this may have no effect.</Notice>
      ) : null}
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
