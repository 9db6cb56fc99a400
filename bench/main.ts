/** `npm run bench`: see `sql/options.ts` for what it takes and `docs/benchmarks.md` for what came out. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '../proxy/testing/find-program.ts';
import { conditionsNow, versionOf } from './conditions.ts';
import { sqlTable } from './document/sql-section.ts';
import { keepFigures } from './figures.ts';
import { clearProfiles, describeProfiles } from './profile.ts';
import type { Backend } from './sql/backend.ts';
import { startKernelBackend } from './sql/kernel-backend.ts';
import { startMariaDbBackend } from './sql/mariadb-backend.ts';
import { aboutMinutes, type Found, measureAll } from './sql/measure.ts';
import { type BenchOptions, type OwnTarget, parseOptions, usage } from './sql/options.ts';
import { type SqlFigures, summarise } from './sql/summary.ts';
import type { TableSize } from './sql/sysbench.ts';
import { Started } from './started.ts';
import { directTarget, startHaproxy, startKingshard, startOdp, type Target } from './targets.ts';

const sizes: Readonly<Record<Backend['name'], TableSize>> = {
  mariadb: { tables: 4, rows: 25_000 },
  // Enough rows that transactions seldom meet.
  kernel: { tables: 4, rows: 10_000 },
};
const shortSize: TableSize = { tables: 1, rows: 1_000 };
const profileDir = fileURLToPath(new URL('../.cache/bench-profile', import.meta.url));
const run = promisify(execFile);

const whereToGet = {
  haproxy: 'Debian: apt-get install haproxy',
  kingshard: 'https://github.com/flike/kingshard, on the PATH',
} as const;

const started = new Started();

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(usage);
  else await bench(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function bench(options: BenchOptions): Promise<void> {
  const size = options.short ? shortSize : sizes[options.backend];
  // What is started inherits it.
  if (options.pin) await run('taskset', ['-acp', '0', String(process.pid)]);
  if (options.profile) {
    await mkdir(profileDir, { recursive: true });
    await clearProfiles(profileDir);
  }
  let found: Found = { samples: [], unable: [] };
  let versions: string[] = [];
  try {
    const backend = await startBackend(options, size);
    const targets = await startTargets(backend, options);
    versions = await versionsOf(backend, targets);
    console.log(`about ${aboutMinutes(targets.length, options)} minutes`);
    found = await measureAll({ backend, size, targets, options });
  } finally {
    await started.close();
  }
  // Written when the proxy ended.
  if (options.profile) console.log(`\n${await describeProfiles(profileDir)}`);
  const rows = summarise(found.samples);
  console.log(`\n${sqlTable(rows)}`);
  if (!options.write) return;
  const { seconds, rounds, table } = options;
  const conditions = conditionsNow(rounds, versions);
  const figures: SqlFigures = { conditions, seconds, tables: size.tables, rowsPerTable: size.rows, rows, ...found };
  await keepFigures({ [table]: figures });
}

async function startBackend(options: BenchOptions, size: TableSize): Promise<Backend> {
  if (findProgram('sysbench') === null) throw new Error('sysbench is not installed (Debian: apt-get install sysbench)');
  console.log(`filling ${size.tables} tables of ${size.rows} rows (${options.backend})`);
  const isKernel = options.backend === 'kernel';
  return started.add(await (isKernel ? startKernelBackend(size) : startMariaDbBackend(size, options.backendPort)));
}

/** Starts the proxies. What needs a program that is not installed is left out, and said so. */
async function startTargets(backend: Backend, options: BenchOptions): Promise<Target[]> {
  const targets: Target[] = [];
  for (const name of options.targets) {
    const program = name === 'haproxy' || name === 'kingshard' ? name : null;
    if (program !== null && findProgram(program) === null) {
      console.log(`without ${program}: it is not installed (${whereToGet[program]})`);
      continue;
    }
    targets.push(started.add(await startTarget(name, backend, options)));
  }
  for (const peer of options.peers) targets.push({ ...peer, close: async () => undefined });
  if (options.peers.length === 0 && !options.short && options.backend === 'mariadb') console.log(withoutPeers(backend));
  return targets;
}

async function startTarget(name: OwnTarget, backend: Backend, options: BenchOptions): Promise<Target> {
  if (name === 'direct') return directTarget(backend);
  if (name === 'haproxy') return startHaproxy(backend);
  if (name === 'kingshard') return startKingshard(backend);
  const parameters = name === 'odp' ? [] : [`enable_ob_protocol_v2=${name === 'odp-ob20' ? 'True' : 'False'}`];
  const nodeOptions = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : [];
  return startOdp(backend, { name, nodeOptions, parameters });
}

/** Whoever has another proxy can have it in the same table. */
function withoutPeers({ port, user }: Backend): string {
  return [
    'without ProxySQL, TiProxy and Gaea. To measure one beside:',
    '  ProxySQL   packages at https://proxysql.com/documentation/installing-proxysql/',
    '  TiProxy    https://github.com/pingcap/tiproxy',
    '  Gaea       https://github.com/XiaoMi/Gaea',
    `  start it before 127.0.0.1:${port} (--backend-port keeps that port), user '${user}' without a password, and give`,
    '  --peer NAME,PORT,PID',
  ].join('\n');
}

async function versionsOf(backend: Backend, targets: readonly Target[]): Promise<string[]> {
  const has = (name: string) => targets.some((target) => target.name === name);
  return [
    backend.version,
    has('haproxy') ? await versionOf('HAProxy', 'haproxy', '-v') : '',
    // It knows no number of its own.
    has('kingshard') ? 'kingshard' : '',
    await versionOf('sysbench', 'sysbench', '--version'),
  ].filter((text) => text !== '');
}
