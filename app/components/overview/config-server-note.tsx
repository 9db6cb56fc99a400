import { Time } from '@/components/time-zone.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { Overview } from '../../../proxy/control/contract.ts';

/** Why the ConfigServer cannot be relied on now, and what is in force meanwhile; nothing while all is well. */
export function ConfigServerNote({ status }: { status: Overview['configServer'] }) {
  if (status === null || status.error === null) return null;
  return (
    <Notice tone={status.source === 'none' ? 'bad' : 'warn'} alert>
      <PlainText text={status.error} />{' '}
      {status.answeredAt === null ? (
        'No cluster is known.'
      ) : (
        <>
          {status.source === 'copy' ? 'The copy that was kept' : 'What it told'} <Time iso={status.answeredAt} /> stays
          in force.
        </>
      )}
    </Notice>
  );
}
