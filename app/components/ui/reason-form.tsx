import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorText } from '@/components/error-text.tsx';
import { useText } from '@/components/texts.tsx';
import { ApiError } from '@/lib/api.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { ReasonField } from './reason-field.tsx';

interface ReasonFormProps {
  /** Of the field for the reason: what the dialog gives the focus to. */
  reasonId: string;
  defaultReason?: string;
  /** What the button says, and while the request is on its way. */
  word: string;
  pendingWord?: string;
  submitId?: string;
  /** The request itself, as a mutation tells of it. */
  request: { readonly isPending: boolean; readonly error: Error | null };
  /** What a refusal has left as it was: always everything, everything if somebody was faster, or not said. */
  nothingChanged?: 'always' | 'on-conflict' | 'not-said';
  /** It cannot be sent as things stand. */
  disabled?: boolean;
  /** What is to be decided besides, under the reason. */
  below?: ReactNode;
  /** @param reason without blanks around it, and never empty */
  onSubmit: (reason: string) => void;
  onCancel: () => void;
  children?: ReactNode;
}

/** What a dialog holds that changes something: what it is about, the reason for it, what went wrong, and two buttons. */
export function ReasonForm(props: ReasonFormProps) {
  const { reasonId, defaultReason = '', word, pendingWord = word, submitId, request, disabled = false } = props;
  const { nothingChanged = 'not-said', below, onSubmit, onCancel, children } = props;
  const t = useText('common');
  const [reason, setReason] = useState(defaultReason);
  const { error } = request;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(reason.trim());
  };
  const isConflict = error instanceof ApiError && error.status === 409;
  return (
    <form onSubmit={submit} className="flex min-h-0 flex-col">
      <div className="grid min-h-0 gap-4 overflow-y-auto px-5 py-4">
        {children}
        <ReasonField id={reasonId} value={reason} onChange={setReason} />
        {below}
        {error === null ? null : (
          <Notice tone="bad" alert>
            {nothingChanged === 'always' || (nothingChanged === 'on-conflict' && isConflict) ? (
              <b>{t('nothingChanged')} </b>
            ) : null}
            <ErrorText error={error} />
          </Notice>
        )}
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button
          id={submitId}
          type="submit"
          variant="primary"
          disabled={disabled || request.isPending || reason.trim() === ''}
        >
          {request.isPending ? pendingWord : word}
        </Button>
      </footer>
    </form>
  );
}
