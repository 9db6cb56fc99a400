import { useText } from '@/components/texts.tsx';
import { Time } from '@/components/time-zone.tsx';
import { Notice } from '@/components/ui/notice.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import type { Overview } from '../../../proxy/control/contract.ts';

/** Why the ConfigServer cannot be relied on now, and what is in force meanwhile; nothing while all is well. */
export function ConfigServerNote({ status }: { status: Overview['configServer'] }) {
  const t = useText('overview');
  if (status === null || status.error === null) return null;
  return (
    <Notice tone={status.source === 'none' ? 'bad' : 'warn'} alert>
      <PlainText text={status.error} lang="en" />{' '}
      {status.answeredAt === null
        ? t('configServerNone')
        : t.rich(status.source === 'copy' ? 'configServerCopy' : 'configServerTold', {
            time: <Time iso={status.answeredAt} />,
          })}
    </Notice>
  );
}
