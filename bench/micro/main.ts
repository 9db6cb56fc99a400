/** `npm run bench -- --micro`: pieces of the data path by themselves, compared with the figures that are kept. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeBenchmarkDocs } from '../figures.ts';
import { replaceSection } from '../page-section.ts';
import { type MicroBaseline, microTable } from './baseline.ts';
import { measureInTurns } from './measure.ts';
import type { MicroOperation } from './operation.ts';
import { loginOperations } from './operations/log-in.ts';
import { replyOperations } from './operations/replies.ts';
import { type HeldMemory, routeOperations } from './operations/routes.ts';
import { stateOperations } from './operations/state.ts';
import { statementOperations } from './operations/statements.ts';

/** The system counts processor time in steps of up to 10 ms. */
const SLICE_MS = 80;
const ROUTE_SIZES = [10, 1_000, 10_000, 100_000];
const inTree = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const baselineFile = inTree('docs/benchmarks-micro.json');
const page = inTree('docs/benchmarks.md');

const { values } = parseArgs({
  options: {
    micro: { type: 'boolean' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '15' },
    'no-write': { type: 'boolean', default: false },
  },
});
const isWanted = ({ name }: MicroOperation): boolean => name.includes(values.only);
const flat = [...replyOperations, ...statementOperations, ...stateOperations, ...loginOperations].filter(isWanted);
// Their caches take seconds to fill: only when they are asked for.
const routes =
  values.only === '' || 'route:'.includes(values.only) || values.only.startsWith('route')
    ? await routeOperations(ROUTE_SIZES)
    : { operations: [], held: [] };

const cpuUs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};
const operations = [...flat, ...routes.operations.filter(isWanted)];
const results = measureInTurns(operations, { rounds: Number(values.rounds), sliceMs: SLICE_MS, cpuUs });
const baseline: MicroBaseline = JSON.parse(await readFile(baselineFile, 'utf8'));
const machine =
  `Measured ${new Date().toISOString().slice(0, 10)} on one core of ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}; ` +
  `medians of ${values.rounds} turns of ${SLICE_MS} ms.`;
const table = microTable(results, baseline);
const memory = memoryTable(routes.held);
console.log([table, ...memory, machine].join('\n\n'));
if (!values['no-write'] && values.only === '') {
  await writeFile(
    page,
    replaceSection(await readFile(page, 'utf8'), [machine, table, ...memory].join('\n\n'), 'micro'),
  );
  await writeFile(baselineFile, `${JSON.stringify({ machine, results }, null, 2)}\n`);
  await writeBenchmarkDocs();
}

function memoryTable(held: readonly HeldMemory[]): string[] {
  if (held.length === 0) return [];
  const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(2);
  const rows = held.map(
    ({ places, estimatedBytes, heapBytes }) =>
      `| ${places.toLocaleString('en')} | ${mib(estimatedBytes)} | ${mib(heapBytes)} |`,
  );
  return [['| known places | estimated MiB | MiB of the heap |', '|--:|--:|--:|', ...rows].join('\n')];
}
