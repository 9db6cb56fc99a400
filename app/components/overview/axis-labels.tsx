'use client';

import { useTimeZone } from '@/components/time-zone.tsx';
import { zonedTime } from '@/lib/time.ts';
import { laneGrid } from './lane-grid.ts';

const parts = 4;

/** The clock below everything that goes by it. */
export function AxisLabels({ fromMs, toMs }: { fromMs: number; toMs: number }) {
  const { zone } = useTimeZone();
  const clock = (share: number): string =>
    zonedTime(new Date(fromMs + (toMs - fromMs) * share).toISOString(), zone).clock.slice(0, 5);
  return (
    <div aria-hidden className={laneGrid}>
      <span className="max-sm:hidden" />
      <span className="tabular flex justify-between text-xs text-subtle">
        {Array.from({ length: parts + 1 }, (_, index) => index / parts).map((share) => (
          <span key={share}>{clock(share)}</span>
        ))}
      </span>
    </div>
  );
}
