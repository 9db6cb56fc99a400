import type { ReactNode } from 'react';
import { cn } from '@/lib/class-names.ts';

/** What a colour means; every use also says it in words. */
export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad' | 'info';

const tones: Record<Tone, string> = {
  neutral: 'bg-inset text-muted border-line',
  accent: 'bg-accent-soft text-accent border-transparent',
  ok: 'bg-ok-soft text-ok border-transparent',
  warn: 'bg-warn-soft text-warn border-transparent',
  bad: 'bg-bad-soft text-bad border-transparent',
  info: 'bg-info-soft text-info border-transparent',
};

interface BadgeProps {
  tone?: Tone;
  title?: string;
  className?: string;
  children: ReactNode;
}

/** A short word about the thing beside it. */
export function Badge({ tone = 'neutral', title, className, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={cn(
        'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded border px-1.5 text-xs font-medium leading-none',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
