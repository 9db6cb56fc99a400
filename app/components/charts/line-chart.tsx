import { cn } from '@/lib/class-names.ts';
import { HISTORY_MS } from '@/lib/load-history.ts';
import { visibleText } from '@/lib/visible-text.ts';

interface ChartPoint {
  readonly atMs: number;
  readonly value: number | null;
}

interface LineChartProps {
  points: readonly ChartPoint[];
  /** Top of the y axis. */
  max: number;
  /** Read out in place of the picture. */
  label: string;
  /** The same for all charts of one page, so that they can be compared. */
  nowMs: number;
  className?: string;
}

const width = 300;
const height = 40;

/** A line over the last five minutes, now at the right. The numbers stand beside it where it is used. */
export function LineChart({ points, max, label, nowMs, className }: LineChartProps) {
  const x = (atMs: number): number => width - ((nowMs - atMs) / HISTORY_MS) * width;
  const y = (value: number): number => height - 1 - (Math.min(value, max) / (max || 1)) * (height - 3);
  const text = visibleText(label);
  return (
    <svg
      role="img"
      aria-label={text}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={cn('block h-10 w-full overflow-hidden', className)}
    >
      <title>{text}</title>
      {[1, height / 2, height - 1].map((at) => (
        <line key={at} x1="0" x2={width} y1={at} y2={at} vectorEffect="non-scaling-stroke" className="stroke-line" />
      ))}
      {piecesOf(points).map((piece) => {
        const line = piece.map(({ atMs, value }) => `${x(atMs).toFixed(1)},${y(value).toFixed(1)}`);
        const first = piece[0];
        const last = piece.at(-1);
        if (first === undefined || last === undefined) return null;
        return (
          <g key={first.atMs}>
            <path
              d={`M${x(first.atMs).toFixed(1)},${height}L${line.join('L')}L${x(last.atMs).toFixed(1)},${height}Z`}
              className="fill-accent-soft"
            />
            <polyline
              points={line.join(' ')}
              fill="none"
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
              className="stroke-accent"
            />
          </g>
        );
      })}
    </svg>
  );
}

type Known = ChartPoint & { readonly value: number };

/** The stretches without a gap. */
function piecesOf(points: readonly ChartPoint[]): Known[][] {
  const pieces: Known[][] = [[]];
  for (const { atMs, value } of points) {
    if (value === null) pieces.push([]);
    else pieces.at(-1)?.push({ atMs, value });
  }
  return pieces.filter((piece) => piece.length > 1);
}

/** A round number at or above every value: 1, 2, 5, 10, 20 … */
export function niceMax(values: readonly number[]): number {
  const most = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most) ?? most;
}
