/** `npm run chaos`: see `options.ts` for what it takes and `docs/chaos.md` for what came out. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { replaceSection } from '../page-section.ts';
import { startDemoSystem } from './demo-system.ts';
import { type Load, startLoad } from './load.ts';
import { startMariaDbSystem } from './mariadb-system.ts';
import { type ChaosOptions, parseOptions, usage } from './options.ts';
import { chaosTables } from './report.ts';
import { type Outcome, runScenario } from './run-scenario.ts';
import type { Scenario } from './scenarios.ts';
import type { ChaosSystem } from './system.ts';

const sessions = 20;
const requestsPerSecond = 200;
const page = fileURLToPath(new URL('../../docs/chaos.md', import.meta.url));

/** Processes that wanted a core before anything was started here. */
const loadBefore = loadavg()[0] ?? 0;

/** What was started, in order; ended in the opposite one, however the run ends. Firewall rules go with their system. */
const started: { close(): Promise<void> }[] = [];

let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
    void closeStarted().finally(() => process.exit(1));
  });
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(usage);
  else await chaos(options);
} catch (error) {
  // What was under way then fails one way or another.
  if (isInterrupted) console.error('interrupted; all faults are undone');
  else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function chaos(options: ChaosOptions): Promise<void> {
  const outcomes: Outcome[] = [];
  const leftOut: string[] = [];
  for (const name of ['demo', 'mariadb'] as const) {
    const wanted = options.scenarios.filter(({ system }) => system === name);
    if (wanted.length === 0) continue;
    try {
      await runAll(name, wanted, outcomes, leftOut);
    } finally {
      await closeStarted();
    }
    if (isInterrupted) return;
  }
  const section = [describeRun(), chaosTables(outcomes), ...leftOut.map((line) => `Left out: ${line}`)].join('\n\n');
  console.log(`\n${section}`);
  if (options.write) await writeFile(page, replaceSection(await readFile(page, 'utf8'), section, 'chaos'));
  if (outcomes.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
}

async function runAll(
  name: Scenario['system'],
  wanted: readonly Scenario[],
  outcomes: Outcome[],
  leftOut: string[],
): Promise<void> {
  console.log(`starting the ${name} cluster and the proxy`);
  const system = name === 'demo' ? await startDemoSystem() : await startMariaDbSystem();
  if (typeof system === 'string') {
    leftOut.push(`${wanted.map(({ id }) => id).join(', ')}: ${system}`);
    return;
  }
  started.push(system);
  const load = await startLoadOn(system);
  // Ended first: a session that waits for a frozen server would hold everything else up.
  started.push({ close: async () => system.heal() });
  const admin = await system.proxy.admin();
  for (const scenario of wanted) {
    const fault = system.faults.get(scenario.fault);
    if (fault === undefined) throw new Error(`the ${name} cluster has no fault ${scenario.fault}`);
    if (typeof fault === 'string') {
      leftOut.push(`${scenario.id}: ${fault}`);
      continue;
    }
    const outcome = await runScenario(scenario, fault, system, load, admin);
    outcomes.push(outcome);
    console.log(chaosTables([outcome]).split('\n').slice(2).join('\n'));
  }
}

async function startLoadOn({ proxy, login, statements }: ChaosSystem): Promise<Load> {
  const load = await startLoad({ ...statements, sessions, requestsPerSecond, connect: () => proxy.connect(login) });
  started.push({ close: () => load.stop() });
  return load;
}

async function closeStarted(): Promise<void> {
  for (const part of started.splice(0).reverse()) await part.close();
}

function describeRun(): string {
  return (
    `Measured ${new Date().toISOString().slice(0, 10)} on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ` +
    `everything on loopback, Node ${process.versions.node}: ${requestsPerSecond} requests/s over ${sessions} client sessions. ` +
    `Load average before the start: ${loadBefore.toFixed(1)}.`
  );
}
