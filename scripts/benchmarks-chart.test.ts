import { expect, it } from 'vitest';
import { BENCHMARKS_CHART, benchmarkRows, renderBenchmarksChart } from './benchmarks-chart.ts';
import { readText } from './doc-files.ts';

it('docs/images/benchmarks.svg shows the figures that are kept (npm run docs)', async () => {
  const rows = await benchmarkRows();
  const chart = renderBenchmarksChart(rows);
  expect(await readText(BENCHMARKS_CHART)).toBe(chart);
  const shown = rows.find(({ target, connections }) => target === 'odp' && connections === 16)?.toDirect;
  expect(chart).toContain(`>${shown?.toFixed(2)}<`);
});
