'use client';

import { FlaskConical } from 'lucide-react';
import { useText } from '@/components/texts.tsx';
import { Badge } from '@/components/ui/badge.tsx';

/** Marks the embedded demo cluster wherever it shows. */
export function DemoBadge() {
  const t = useText('common');
  return (
    <Badge tone="warn" title={t('demoAbout')}>
      <FlaskConical aria-hidden className="size-3" />
      <span className="sm:hidden">{t('demo')}</span>
      <span className="hidden sm:inline">{t('demoCluster')}</span>
    </Badge>
  );
}
