interface SecondBarsProps {
  /** One for each second of the last minute that had any, oldest first: its time, and its parts from the bottom up. */
  seconds: readonly {
    readonly atMs: number;
    readonly parts: readonly (readonly [value: number, className: string])[];
  }[];
  max: number;
  /** The second at the right end. */
  nowMs: number;
  /** Read out in place of the picture. */
  label: string;
}

const shownSeconds = 60;
const height = 40;

/** A bar for each second of the last minute, now at the right. */
export function SecondBars({ seconds, max, nowMs, label }: SecondBarsProps) {
  const end = Math.floor(nowMs / 1_000);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${shownSeconds} ${height}`}
      preserveAspectRatio="none"
      className="block h-12 w-full overflow-hidden rounded-sm bg-inset"
    >
      <title>{label}</title>
      {seconds.map(({ atMs, parts }) => {
        const x = shownSeconds - 1 - (end - Math.floor(atMs / 1_000));
        let bottom = height;
        return parts.map(([value, className]) => {
          const size = (Math.min(value, max) / (max || 1)) * (height - 2);
          bottom -= size;
          return size === 0 ? null : (
            <rect key={`${atMs} ${className}`} x={x + 0.1} y={bottom} width="0.8" height={size} className={className} />
          );
        });
      })}
    </svg>
  );
}
