import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { benchmarkDocs, readFigures } from '../figures.ts';
import { renderChart } from './chart.ts';

it('docs/benchmarks.md and its chart show the figures that are kept (npm run docs)', async () => {
  for (const [path, text] of await benchmarkDocs()) {
    expect(await readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8'), path).toBe(text);
  }
});

it('the chart has a bar for each workload at the usual number of connections', async () => {
  const { figures } = await readFigures();
  const rows = figures.bench?.rows ?? [];
  const chart = renderChart(rows);
  const shown = rows.find(({ target, connections }) => target === 'odp' && connections === 16)?.toDirect;
  expect(chart).toContain(`>${shown?.toFixed(2)}<`);
});
