import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/lib/class-names.ts';

const looks: Record<'info' | 'warn' | 'bad', { box: string; icon: LucideIcon }> = {
  info: { box: 'bg-accent-soft text-accent', icon: Info },
  warn: { box: 'bg-warn-soft text-warn', icon: TriangleAlert },
  bad: { box: 'bg-bad-soft text-bad', icon: CircleAlert },
};

interface NoticeProps {
  tone: keyof typeof looks;
  /** Announced at once when it appears. */
  alert?: boolean;
  className?: string;
  children: ReactNode;
}

/** A sentence that stands out: a warning, a refusal, a hint. */
export function Notice({ tone, alert = false, className, children }: NoticeProps) {
  const { box, icon: Icon } = looks[tone];
  return (
    <div
      role={alert ? 'alert' : undefined}
      className={cn('flex items-start gap-2 rounded-md px-3 py-2 text-sm [&_b]:font-semibold', box, className)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 break-words">{children}</div>
    </div>
  );
}
