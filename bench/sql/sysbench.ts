/** Running sysbench and reading what it says. */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Login {
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface TableSize {
  readonly tables: number;
  readonly rows: number;
}

export interface SysbenchRun {
  readonly script: string;
  readonly options: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Ends it earlier; null: only the time does. */
  readonly events: number | null;
  /** See `Backend.conflicts`. */
  readonly conflicts: readonly number[];
  /** Called when all are logged in and the load begins. */
  readonly onBegun: () => void;
}

export interface SysbenchResult {
  readonly queries: number;
  readonly queriesPerSecond: number;
  /** Events of the script: queries, transactions or connections. */
  readonly transactions: number;
  readonly transactionsPerSecond: number;
  /** Per event. */
  readonly p95Ms: number;
  readonly errors: number;
}

/** Creates and fills the tables. */
export async function prepareTables(login: Login, size: TableSize): Promise<void> {
  await run('sysbench', ['oltp_read_write', ...commonArgs(login, size), '--threads=2', 'prepare']);
}

/** One run. @throws Error with sysbench's own words, the first that tell of it, when it fails */
export async function runSysbench(login: Login, size: TableSize, what: SysbenchRun): Promise<SysbenchResult> {
  const child = spawn(
    'sysbench',
    [
      what.script,
      ...commonArgs(login, size),
      ...what.options,
      `--mysql-ignore-errors=${what.conflicts.join(',')}`,
      `--threads=${what.connections}`,
      `--time=${what.seconds}`,
      ...(what.events === null ? [] : [`--events=${what.events}`]),
      'run',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  let hasBegun = false;
  const read = (chunk: Buffer): void => {
    said += chunk.toString('utf8');
    if (hasBegun || !said.includes('Threads started!')) return;
    hasBegun = true;
    what.onBegun();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(/^FATAL: .*$/m.exec(said)?.[0] ?? `sysbench ended with code ${code}: ${said}`);
  return parseSysbench(said);
}

/** The figures of sysbench's report. @throws Error that names the figure it lacks */
export function parseSysbench(report: string): SysbenchResult {
  const read = (pattern: RegExp): number => {
    const found = pattern.exec(report)?.[1];
    if (found === undefined) throw new Error(`sysbench's report has no ${pattern.source}: ${report}`);
    return Number(found);
  };
  return {
    queries: read(/queries:\s+(\d+)/),
    queriesPerSecond: read(/queries:\s+\d+\s+\(([\d.]+) per sec/),
    transactions: read(/transactions:\s+(\d+)/),
    transactionsPerSecond: read(/transactions:\s+\d+\s+\(([\d.]+) per sec/),
    p95Ms: read(/95th percentile:\s+([\d.]+)/),
    errors: read(/ignored errors:\s+(\d+)/),
  };
}

function commonArgs(login: Login, size: TableSize): string[] {
  return [
    '--db-driver=mysql',
    '--mysql-host=127.0.0.1',
    `--mysql-port=${login.port}`,
    `--mysql-user=${login.user}`,
    `--mysql-db=${login.database}`,
    `--tables=${size.tables}`,
    `--table-size=${size.rows}`,
  ];
}
