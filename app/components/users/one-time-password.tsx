'use client';

import { useText } from '@/components/texts.tsx';
import { ShownOnce } from '@/components/ui/shown-once.tsx';

interface OneTimePasswordProps {
  name: string;
  password: string;
  onClose: () => void;
}

/** A password that is shown this once: to be copied and passed on. */
export function OneTimePassword({ name, password, onClose }: OneTimePasswordProps) {
  const t = useText('users');
  return (
    <ShownOnce
      secret={password}
      testId="one-time-password"
      about={t('passOn', { name })}
      noClipboard={t('noClipboard')}
      warning={t('shownOnce')}
      doneWord={t('passedOn')}
      onClose={onClose}
    />
  );
}
