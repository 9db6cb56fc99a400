import { FlaskConical } from 'lucide-react';
import { Badge } from '@/components/ui/badge.tsx';

/** Marks the embedded demo cluster wherever it shows. */
export function DemoBadge() {
  return (
    <Badge
      tone="warn"
      title="An embedded demonstration cluster: its servers run inside this product and hold no real data"
    >
      <FlaskConical aria-hidden className="size-3" />
      Demo<span className="hidden sm:inline"> cluster</span>
    </Badge>
  );
}
