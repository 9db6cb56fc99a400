/** docs/images/benchmarks.svg: throughput against a direct connection, from the figures in docs/benchmarks.json. */

export const BENCHMARKS_CHART = 'docs/images/benchmarks.svg';

/** Of a row of the figures. */
interface ChartRow {
  readonly workload: string;
  readonly connections: number;
  readonly target: string;
  readonly toDirect: number | null;
}

/** Of the numbers of connections that were measured the one that is shown, where it was. */
const CONNECTIONS = 16;
const WIDTH = 760;
const LEFT = 210;
const RIGHT = 60;
const BAR = 14;
const GAP = 14;
const TOP = 40;

/** Fixed, so that a colour always means the same. */
const series = [
  { target: 'haproxy', title: 'HAProxy, TCP mode', style: 'other' },
  { target: 'kingshard', title: 'kingshard', style: 'peer' },
  { target: 'odp', title: 'ODP', style: 'odp' },
];

/** One group of bars for each workload. */
export function renderChart(rows: readonly ChartRow[]): string {
  const groups = [...Map.groupBy(rows, ({ workload }) => workload)].map(([workload, all]) => {
    const counts = [...new Set(all.map(({ connections }) => connections))];
    const connections = counts.includes(CONNECTIONS) ? CONNECTIONS : (counts[0] ?? 0);
    return { workload, connections, rows: all.filter((row) => row.connections === connections) };
  });
  const most = Math.max(1, ...rows.map(({ toDirect }) => toDirect ?? 0));
  const scale = (WIDTH - LEFT - RIGHT) / most;
  const parts: string[] = [];
  let y = TOP;
  for (const group of groups) {
    const label = `${group.workload.replaceAll('_', ' ')}, ${group.connections} conn.`;
    parts.push(`<text x="${LEFT - 10}" y="${y + BAR + 4}" text-anchor="end">${label}</text>`);
    for (const { target, style } of series) {
      const ratio = group.rows.find((row) => row.target === target)?.toDirect ?? null;
      if (ratio === null) continue;
      parts.push(
        `<rect class="${style}" x="${LEFT}" y="${y}" width="${(ratio * scale).toFixed(1)}" height="${BAR}" rx="2"/>`,
        `<text x="${(LEFT + ratio * scale + 6).toFixed(1)}" y="${y + BAR - 3}">${ratio.toFixed(2)}</text>`,
      );
      y += BAR + 2;
    }
    y += GAP;
  }
  const direct = LEFT + scale;
  const shown = series.filter(({ target }) => rows.some((row) => row.target === target));
  const legend = shown.flatMap(({ title, style }, at) => [
    `<rect class="${style}" x="${LEFT + at * 170}" y="8" width="12" height="12" rx="2"/>`,
    `<text x="${LEFT + at * 170 + 18}" y="18">${title}</text>`,
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 24}" role="img" aria-label="Throughput against a direct connection">`,
    '<style>text{font:12px sans-serif;fill:#444}.odp{fill:#1f6feb}.other{fill:#9aa4b2}.peer{fill:#d9a441}line{stroke:#888;stroke-dasharray:3 3}',
    '@media(prefers-color-scheme:dark){text{fill:#ccc}.odp{fill:#58a6ff}.other{fill:#6b7684}.peer{fill:#b98a34}}</style>',
    ...legend,
    `<line x1="${direct.toFixed(1)}" y1="${TOP - 8}" x2="${direct.toFixed(1)}" y2="${y}"/>`,
    ...parts,
    `<text x="${direct.toFixed(1)}" y="${y + 16}" text-anchor="middle">1 = direct connection</text>`,
    '</svg>',
    '',
  ].join('\n');
}
