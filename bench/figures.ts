/** docs/benchmarks.json: what each benchmark has found last. The page and the chart are made from it. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ConsoleFigures } from './console/figures.ts';
import { BENCHMARKS_CHART, renderChart } from './document/chart.ts';
import { BENCHMARKS_PAGE, renderPage } from './document/page.ts';
import type { IdleFigures } from './idle/figures.ts';
import type { MicroBaseline } from './micro/baseline.ts';
import type { SqlFigures } from './sql/summary.ts';
import type { WorkersFigures } from './workers/figures.ts';

/** What was never measured is not there. */
export interface Figures {
  readonly bench?: SqlFigures;
  readonly 'bench-pinned'?: SqlFigures;
  readonly 'bench-kernel'?: SqlFigures;
  readonly workers?: WorkersFigures;
  readonly console?: ConsoleFigures;
  readonly idle?: IdleFigures;
}

const figuresFile = 'docs/benchmarks.json';
const microFile = 'docs/benchmarks-micro.json';
const inTree = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = async (path: string): Promise<string> => readFile(inTree(path), 'utf8');

export interface AllFigures {
  readonly figures: Figures;
  readonly micro: MicroBaseline;
}

export async function readFigures(): Promise<AllFigures> {
  return { figures: JSON.parse(await read(figuresFile)), micro: JSON.parse(await read(microFile)) };
}

/** Keeps what a benchmark has found in place of what it had found before, and makes page and chart anew. */
export async function keepFigures(found: Figures): Promise<void> {
  const { figures } = await readFigures();
  await writeFile(inTree(figuresFile), jsonText({ ...figures, ...found }));
  await writeBenchmarkDocs();
}

/** A line for each row: what has changed can be read from a comparison. */
function jsonText(figures: Figures): string {
  const lines = (value: unknown): string =>
    Array.isArray(value) && value.length > 0
      ? `[\n      ${value.map((item) => JSON.stringify(item)).join(',\n      ')}\n    ]`
      : JSON.stringify(value);
  const members = (object: object, indent: string, text: (value: unknown) => string): string =>
    Object.entries(object)
      .map(([name, value]) => `${indent}${JSON.stringify(name)}: ${text(value)}`)
      .join(',\n');
  return `{\n${members(figures, '  ', (found) => `{\n${members(found as object, '    ', lines)}\n  }`)}\n}\n`;
}

/** Texts of the page and of the chart as they follow from the figures that are kept, by their paths. */
export async function benchmarkDocs(): Promise<ReadonlyMap<string, string>> {
  const all = await readFigures();
  return new Map([
    [BENCHMARKS_PAGE, renderPage(await read(BENCHMARKS_PAGE), all)],
    [BENCHMARKS_CHART, renderChart(all.figures.bench?.rows ?? [])],
  ]);
}

export async function writeBenchmarkDocs(): Promise<void> {
  for (const [path, text] of await benchmarkDocs()) {
    await writeFile(inTree(path), text);
    console.log(`${path} written`);
  }
}
