'use client';

import { useText } from '@/components/texts.tsx';
import { ShownOnce } from '@/components/ui/shown-once.tsx';

/** How it is sent: the same in every language. */
const header = 'Authorization: Bearer odp_…';

/** A token that is shown this once. */
export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useText('tokens');
  return (
    <ShownOnce
      secret={secret}
      testId="token-secret"
      secretClassName="text-xs"
      about={t.rich('putAway', {
        header: <code className="font-mono text-xs">{header}</code>,
      })}
      noClipboard={t('noClipboard')}
      warning={t('shownOnce')}
      doneWord={t('haveIt')}
      onClose={onClose}
    />
  );
}
