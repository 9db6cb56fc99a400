/** `npm run bench`: see `options.ts` for what it takes and `docs/benchmarks.md` for what came out. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '../proxy/testing/find-program.ts';
import { database, startBackend } from './backend.ts';
import { type BenchOptions, parseOptions, usage } from './options.ts';
import { processUsage } from './process-usage.ts';
import { clearProfiles, describeProfiles } from './profile.ts';
import { markdownTable, replaceSection, type Sample, summarise } from './report.ts';
import { runSysbench, type TableSize } from './sysbench.ts';
import { directTarget, startHaproxy, startOdp, type Target } from './targets.ts';

const size: TableSize = { tables: 4, rows: 25_000 };
const inTree = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const profileDir = inTree('.cache/bench-profile');
const run = promisify(execFile);

/** Processes that wanted a core before anything was started here: above a fraction of one, others worked beside. */
const loadBefore = loadavg()[0] ?? 0;

/** What was started, in order; ended in the opposite one, however the run ends. */
const started: { close(): Promise<void> }[] = [];

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeStarted().then(() => process.exit(1)));
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(usage);
  else await bench(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function bench(options: BenchOptions): Promise<void> {
  if (options.profile) {
    await mkdir(profileDir, { recursive: true });
    await clearProfiles(profileDir);
  }
  let samples: Sample[] = [];
  try {
    samples = await measureAll(await startTargets(options), options);
  } finally {
    await closeStarted();
  }
  // Written when the proxy ended.
  if (options.profile) console.log(`\n${await describeProfiles(profileDir)}`);
  await report(samples, options);
}

async function closeStarted(): Promise<void> {
  for (const part of started.splice(0).reverse()) await part.close();
}

async function measureAll(targets: readonly Target[], options: BenchOptions): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const workload of options.workloads) {
      for (const connections of options.connections) {
        // Another one goes first each round, so that what the machine does over time favours none.
        for (const target of rotated(targets, round)) {
          samples.push(await measure(target, workload, connections, round, options.seconds));
        }
      }
    }
  }
  return samples;
}

async function report(samples: readonly Sample[], options: BenchOptions): Promise<void> {
  const rows = summarise(samples);
  const table = markdownTable(rows);
  const machine = await describeMachine(options);
  console.log(`\n${table}\n\n${machine}`);
  if (!options.write) return;
  const page = inTree('docs/benchmarks.md');
  await writeFile(page, replaceSection(await readFile(page, 'utf8'), `${machine}\n\n${table}`));
  await writeFile(inTree('docs/benchmarks.json'), `${JSON.stringify({ machine, rows, samples }, null, 2)}\n`);
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Starts database and proxies. What needs a program that is not installed is left out, and said so. */
async function startTargets(options: BenchOptions): Promise<Target[]> {
  if (findProgram('sysbench') === null) throw new Error('sysbench is not installed (Debian: apt-get install sysbench)');
  console.log(`filling a MariaDB with ${size.tables} tables of ${size.rows} rows`);
  const backend = await startBackend(size);
  started.push(backend);
  const targets: Target[] = [];
  for (const name of options.targets) {
    if (name === 'haproxy' && findProgram('haproxy') === null) {
      console.log('without HAProxy: it is not installed (Debian: apt-get install haproxy)');
      continue;
    }
    const target = await startTarget(name, backend.port, options);
    started.push(target);
    targets.push(target);
  }
  return targets;
}

async function startTarget(name: Target['name'], databasePort: number, options: BenchOptions): Promise<Target> {
  if (name === 'direct') return directTarget(databasePort);
  if (name === 'haproxy') return startHaproxy(databasePort);
  return startOdp({ databasePort, nodeOptions: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : [] });
}

async function measure(
  target: Target,
  workload: string,
  connections: number,
  round: number,
  seconds: number,
): Promise<Sample> {
  const before = target.pid === null ? null : processUsage(target.pid);
  const login = { port: target.port, user: target.user, database };
  const result = await runSysbench(login, size, { workload, connections, seconds });
  const after = target.pid === null ? null : processUsage(target.pid);
  const errors = result.errors > 0 ? `, ${result.errors} transactions given up and tried again` : '';
  const speed = `${result.queriesPerSecond.toFixed(0)} queries/s${errors}`;
  console.log(`round ${round}, ${workload}, ${connections} connections, ${target.name}: ${speed}`);
  const cpuSeconds = before === null || after === null ? null : after.cpuSeconds - before.cpuSeconds;
  return {
    target: target.name,
    workload,
    connections,
    round,
    queriesPerSecond: result.queriesPerSecond,
    p95Ms: result.p95Ms,
    cpuMsPerThousand: cpuSeconds === null ? null : (cpuSeconds * 1e6) / result.queries,
    rssBytes: after?.rssBytes ?? null,
  };
}

async function describeMachine(options: BenchOptions): Promise<string> {
  const versions = [
    await version('MariaDB', 'mariadbd', '--version'),
    options.targets.includes('haproxy') ? await version('HAProxy', 'haproxy', '-v') : '',
    await version('sysbench', 'sysbench', '--version'),
    `Node ${process.versions.node}`,
  ].filter((text) => text !== '');
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
  return (
    `Measured ${new Date().toISOString().slice(0, 10)} on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ` +
    `${memory}, everything on loopback: ${versions.join(', ')}. ${size.tables} tables of ${size.rows} rows, runs of ` +
    `${options.seconds} s, medians of ${options.rounds} interleaved rounds. Load average before the start: ${loadBefore.toFixed(1)}.`
  );
}

/** Name and version number of a program; empty when it is not installed. */
async function version(name: string, program: string, option: string): Promise<string> {
  const path = findProgram(program);
  if (path === null) return '';
  const number = /\d+\.\d+(\.\d+)?/.exec((await run(path, [option])).stdout)?.[0];
  return `${name} ${number ?? 'of unknown version'}`;
}
