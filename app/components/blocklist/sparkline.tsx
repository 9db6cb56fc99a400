import { useText } from '@/components/texts.tsx';

interface SparklineProps {
  /** Counts in equal parts, oldest first; empty when all are zero. */
  buckets: readonly number[];
  /** The whole span in words, e.g. `120s`. */
  span: string;
  className?: string;
}

const height = 24;
const step = 4;

/** When the failures of the window came; the same is said in words for those who do not see it. */
export function Sparkline({ buckets, span, className }: SparklineProps) {
  const t = useText('blocklist');
  const sum = buckets.reduce((total, count) => total + count, 0);
  const most = Math.max(1, ...buckets);
  const width = Math.max(1, buckets.length) * step;
  const label =
    sum === 0 ? t('noFailureIn', { span }) : t('failuresCourse', { span, sum, most, parts: buckets.length });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={`h-6 w-full ${className ?? ''}`}
    >
      <title>{label}</title>
      <rect x="0" y={height - 1} width={width} height="1" className="fill-line-strong" />
      {buckets.map((count, index) =>
        count === 0 ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bucket is its place
            key={index}
            x={index * step}
            y={height - 1 - Math.max(3, (count / most) * (height - 2))}
            width={step - 1}
            height={Math.max(3, (count / most) * (height - 2))}
            className="fill-warn"
          />
        ),
      )}
    </svg>
  );
}
