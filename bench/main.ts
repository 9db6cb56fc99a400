/** `npm run bench`: see `options.ts` for what it takes and `docs/benchmarks.md` for what came out. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '../proxy/testing/find-program.ts';
import { account, database, startBackend } from './backend.ts';
import { type BenchOptions, type OwnTarget, parseOptions, usage } from './options.ts';
import { processUsage } from './process-usage.ts';
import { clearProfiles, describeProfiles } from './profile.ts';
import { readResult } from './read-result.ts';
import { markdownTable, replaceSection, type Sample, summarise } from './report.ts';
import { type Login, runSysbench, type TableSize } from './sysbench.ts';
import { directTarget, startHaproxy, startOdp, type Target } from './targets.ts';
import { type Workload, type WorkloadName, workloads } from './workloads.ts';

const usualSize: TableSize = { tables: 4, rows: 25_000 };
const shortSize: TableSize = { tables: 1, rows: 1_000 };
let size = usualSize;
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
  if (options.short) size = shortSize;
  // What is started inherits it.
  if (options.pin) await run('taskset', ['-acp', '0', String(process.pid)]);
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
      // One long result after the other says it all.
      const counts = workloads[workload].kind === 'result' ? [1] : options.connections;
      for (const connections of counts) {
        // Another one goes first each round, so that what the machine does over time favours none.
        for (const target of rotated(targets, round)) {
          samples.push(await measure(target, workload, connections, round, options));
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
  const figures = inTree('docs/benchmarks.json');
  const name = options.pin ? 'bench-pinned' : 'bench';
  await writeFile(page, replaceSection(await readFile(page, 'utf8'), `${machine}\n\n${table}`, name));
  const kept: object = JSON.parse(await readFile(figures, 'utf8'));
  await writeFile(figures, `${JSON.stringify({ ...kept, [name]: { machine, rows, samples } }, null, 2)}\n`);
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Starts database and proxies. What needs a program that is not installed is left out, and said so. */
async function startTargets(options: BenchOptions): Promise<Target[]> {
  if (findProgram('sysbench') === null) throw new Error('sysbench is not installed (Debian: apt-get install sysbench)');
  console.log(`filling a MariaDB with ${size.tables} tables of ${size.rows} rows`);
  const backend = await startBackend(size, options.backendPort);
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
  for (const peer of options.peers) targets.push({ ...peer, close: async () => undefined });
  if (options.peers.length === 0 && !options.short) console.log(withoutPeers(backend.port));
  return targets;
}

async function startTarget(name: OwnTarget, databasePort: number, options: BenchOptions): Promise<Target> {
  if (name === 'direct') return directTarget(databasePort);
  if (name === 'haproxy') return startHaproxy(databasePort);
  return startOdp({ databasePort, nodeOptions: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : [] });
}

async function measure(
  target: Target,
  workload: WorkloadName,
  connections: number,
  round: number,
  options: BenchOptions,
): Promise<Sample> {
  const before = target.pid === null ? null : processUsage(target.pid);
  const login = { port: target.port, user: target.user, database };
  const result = await load(workloads[workload], login, connections, options);
  const after = target.pid === null ? null : processUsage(target.pid);
  const errors = result.errors > 0 ? `, ${result.errors} transactions given up and tried again` : '';
  const speed = `${result.perSecond.toFixed(0)} per second${errors}`;
  console.log(`round ${round}, ${workload}, ${connections} connections, ${target.name}: ${speed}`);
  const cpuSeconds = before === null || after === null ? null : after.cpuSeconds - before.cpuSeconds;
  return {
    target: target.name,
    workload,
    connections,
    round,
    queriesPerSecond: result.perSecond,
    p95Ms: result.p95Ms,
    cpuMsPerThousand: cpuSeconds === null ? null : (cpuSeconds * 1e6) / result.count,
    rssBytes: after?.rssBytes ?? null,
  };
}

interface LoadResult {
  readonly count: number;
  readonly perSecond: number;
  readonly p95Ms: number;
  readonly errors: number;
}

async function load(
  workload: Workload,
  login: Login,
  connections: number,
  { seconds, short }: BenchOptions,
): Promise<LoadResult> {
  if (workload.kind === 'result') {
    const { mebibytes, ms } = await readResult(login, short ? workload.mebibytes.short : workload.mebibytes.usual);
    return { count: mebibytes, perSecond: (mebibytes * 1000) / ms, p95Ms: ms, errors: 0 };
  }
  const result = await runSysbench(login, size, { ...workload, connections, seconds });
  const { p95Ms, errors } = result;
  if (result.transactions === 0) throw new Error(`nothing was done within ${seconds} s`);
  if (workload.counts === 'queries') {
    return { count: result.queries, perSecond: result.queriesPerSecond, p95Ms, errors };
  }
  return { count: result.transactions, perSecond: result.transactionsPerSecond, p95Ms, errors };
}

/** Whoever has another proxy can have it in the same table. */
function withoutPeers(port: number): string {
  return [
    'without ProxySQL, TiProxy, kingshard and Gaea. To measure one beside:',
    '  ProxySQL   packages at https://proxysql.com/documentation/installing-proxysql/',
    '  TiProxy    https://github.com/pingcap/tiproxy, make cmd',
    '  kingshard  https://github.com/flike/kingshard, make',
    '  Gaea       https://github.com/XiaoMi/Gaea, make build',
    `  start it before 127.0.0.1:${port} (--backend-port keeps that port), user '${account}' without a password, and give`,
    '  --peer NAME,PORT,PID',
  ].join('\n');
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
    `${memory}, everything on loopback${options.pin ? ' and on one core' : ''}: ${versions.join(', ')}. ${size.tables} tables of ${size.rows} rows, runs of ` +
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
