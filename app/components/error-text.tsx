'use client';

import { useText } from '@/components/texts.tsx';
import { PlainText } from '@/components/ui/plain-text.tsx';
import { errorLang, errorText } from '@/lib/api.ts';

/** What went wrong, as a sentence for people. What the proxy says of it is English, and marked as such. */
export function ErrorText({ error }: { error: unknown }) {
  const t = useText('common');
  return <PlainText text={errorText(error, t)} lang={errorLang(error)} />;
}
