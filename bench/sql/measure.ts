/** The rounds of a benchmark on a database. */
import { forgetPeak, processUsage } from '../process-usage.ts';
import type { Target } from '../targets.ts';
import type { Backend } from './backend.ts';
import type { BenchOptions } from './options.ts';
import { readResult } from './read-result.ts';
import type { Sample, Unable } from './summary.ts';
import { runSysbench, type TableSize } from './sysbench.ts';
import { type WorkloadName, workloads } from './workloads.ts';

export interface Bench {
  readonly backend: Backend;
  readonly size: TableSize;
  readonly targets: readonly Target[];
  readonly options: BenchOptions;
}

/** Beside the time that it is told: connecting, and the process itself. */
const SYSBENCH_START_S = 0.3;
/** A long result on a small machine, and once more as far as a proxy is in between. */
const RESULT_S = 4;

/** Enough to see that a workload works. */
const SHORT_EVENTS = 100;

/** What the rounds will take, for whoever waits. */
export function aboutMinutes(
  targets: number,
  { workloads: names, connections, seconds, rounds }: BenchOptions,
): number {
  const all = names.map((name) =>
    workloads[name].kind === 'result' ? RESULT_S : connections.length * (seconds + SYSBENCH_START_S),
  );
  const roundS = targets * all.reduce((sum, each) => sum + each, 0);
  return Math.ceil((roundS * (rounds + (warmsUp(rounds) ? 0.3 : 0))) / 60);
}

/** A single round is no measurement. */
const warmsUp = (rounds: number) => rounds > 1;

export interface Found {
  readonly samples: readonly Sample[];
  /** Which peers could not do which workload. */
  readonly unable: readonly Unable[];
}

/** Direct connection, HAProxy and this proxy have to do everything. */
const mustDoAll = (name: string) => /^(direct|haproxy|odp.*)$/.test(name);

/** @throws Error when a workload fails that must not */
export async function measureAll(bench: Bench): Promise<Found> {
  const { targets, options } = bench;
  const samples: Sample[] = [];
  const unable: Unable[] = [];
  const isUnable = (target: Target, workload: WorkloadName) =>
    unable.some((each) => each.target === target.name && each.workload === workload);
  const attempt = async (target: Target, workload: WorkloadName, connections: number, round: number) => {
    if (isUnable(target, workload)) return [];
    try {
      return [await measure(bench, target, workload, connections, round)];
    } catch (error) {
      if (mustDoAll(target.name)) throw error;
      console.log(`${target.name} cannot do ${workload}: ${error instanceof Error ? error.message : error}`);
      unable.push({ target: target.name, workload });
      return [];
    }
  };
  // The first round would else pay for what is compiled and read once.
  if (warmsUp(options.rounds)) {
    for (const target of targets) {
      for (const workload of options.workloads) {
        if (workloads[workload].kind === 'sysbench') await attempt(target, workload, options.connections[0] ?? 1, 0);
      }
    }
  }
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const workload of options.workloads) {
      // One long result after the other says it all.
      const counts = workloads[workload].kind === 'result' ? [1] : options.connections;
      for (const connections of counts) {
        // Another one goes first each round, so that what the machine does over time favours none.
        for (const target of rotated(targets, round)) {
          // One of a peer's is enough: there are some that take minutes, and gigabytes.
          if (workloads[workload].kind === 'result' && round > 1 && !mustDoAll(target.name)) continue;
          samples.push(...(await attempt(target, workload, connections, round)));
        }
      }
    }
  }
  return { samples, unable };
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

async function measure(
  bench: Bench,
  target: Target,
  workload: WorkloadName,
  connections: number,
  round: number,
): Promise<Sample> {
  const { pid } = target;
  let before = pid === null ? null : processUsage(pid);
  const result = await load(bench, target, workload, connections, () => {
    if (pid === null) return;
    forgetPeak(pid);
    before = processUsage(pid);
  });
  const after = pid === null ? null : processUsage(pid);
  const errors = result.errors > 0 ? `, ${result.errors} transactions given up and tried again` : '';
  const speed = `${result.perSecond.toFixed(0)} per second${errors}`;
  console.log(`round ${round}, ${workload}, ${connections} connections, ${target.name}: ${speed}`);
  const used = before === null || after === null ? null : { before, after };
  return {
    target: target.name,
    workload,
    connections,
    round,
    queriesPerSecond: result.perSecond,
    p95Ms: result.p95Ms,
    cpuMsPerThousand: used === null ? null : ((used.after.cpuSeconds - used.before.cpuSeconds) * 1e6) / result.count,
    rssBytes: after?.rssBytes ?? null,
    grownBytes: used === null ? null : Math.max(0, used.after.peakBytes - used.before.rssBytes),
  };
}

interface LoadResult {
  readonly count: number;
  readonly perSecond: number;
  readonly p95Ms: number;
  readonly errors: number;
}

/** @param onBegun called when all are logged in */
async function load(
  { backend, size, options }: Bench,
  target: Target,
  name: WorkloadName,
  connections: number,
  onBegun: () => void,
): Promise<LoadResult> {
  const { seconds, short } = options;
  const workload = workloads[name];
  const login = { port: target.port, user: target.user, database: backend.database };
  if (workload.kind === 'result') {
    onBegun();
    const { mebibytes, ms } = await readResult(login, short ? workload.mebibytes.short : workload.mebibytes.usual);
    return { count: mebibytes, perSecond: (mebibytes * 1000) / ms, p95Ms: ms, errors: 0 };
  }
  const { conflicts } = backend;
  const result = await runSysbench(login, size, {
    ...workload,
    connections,
    seconds,
    events: short ? SHORT_EVENTS : null,
    conflicts,
    onBegun,
  });
  const { p95Ms, errors } = result;
  if (result.transactions === 0) throw new Error(`nothing was done within ${seconds} s`);
  if (workload.counts === 'queries') {
    return { count: result.queries, perSecond: result.queriesPerSecond, p95Ms, errors };
  }
  return { count: result.transactions, perSecond: result.transactionsPerSecond, p95Ms, errors };
}
