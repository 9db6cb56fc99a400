import { useText } from '@/components/texts.tsx';
import { cn } from '@/lib/class-names.ts';
import type { Probe } from '../../../proxy/control/contract.ts';

/** The last probes, oldest left: an answer is a short bar, a failure a cross. */
export function ProbeStrip({ probes, className }: { probes: readonly Probe[]; className?: string }) {
  const t = useText('blocklist');
  if (probes.length === 0) return <span className={cn('text-xs text-subtle', className)}>{t('notProbedShort')}</span>;
  const failed = probes.filter(({ ok }) => !ok).length;
  const count = probes.length;
  const label = failed === 0 ? t('probesAnswered', { count }) : t('probesSomeFailed', { count, failed });
  return (
    <span role="img" aria-label={label} title={label} className={cn('inline-flex h-4 items-center gap-0.5', className)}>
      {probes.map((probe) => (
        <svg key={probe.at} aria-hidden viewBox="0 0 8 12" className="h-3 w-1.5">
          {probe.ok ? (
            <rect x="2" y="3" width="4" height="6" rx="1" className="fill-ok opacity-70" />
          ) : (
            <path d="M1 2.5 7 9.5M7 2.5 1 9.5" strokeWidth="2" strokeLinecap="round" className="stroke-bad" />
          )}
        </svg>
      ))}
    </span>
  );
}
