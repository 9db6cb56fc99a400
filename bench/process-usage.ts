/** What a process and all it started have used, from /proc. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second to programs, whatever the kernel was built with. */
const ticksPerSecond = 100;

export interface ProcessUsage {
  /** User and system time of every thread since the start, of processes that are still alive. */
  readonly cpuSeconds: number;
  /** Resident memory; pages shared between the processes are counted in each. */
  readonly rssBytes: number;
  /** The most that each has had, together, since its start or `forgetPeak`. */
  readonly peakBytes: number;
}

export function processUsage(pid: number): ProcessUsage {
  const members = processTree(pid);
  return {
    cpuSeconds: members.reduce((sum, stat) => sum + stat.ticks, 0) / ticksPerSecond,
    rssBytes: members.reduce((sum, stat) => sum + stat.rssBytes, 0),
    peakBytes: members.reduce((sum, stat) => sum + stat.peakBytes, 0),
  };
}

/** From now on `peakBytes` counts anew (proc(5): clear_refs). */
export function forgetPeak(pid: number): void {
  for (const member of processTree(pid)) writeFileSync(`/proc/${member.pid}/clear_refs`, '5');
}

/** User and system time of one process or thread since its start. @param path its folder under /proc */
export function cpuSecondsOf(path: string): number {
  const field = fieldsOf(path);
  return (field(14) + field(15)) / ticksPerSecond;
}

/** Numbers of /proc/…/stat, counted as proc(5) does. */
function fieldsOf(path: string): (number: number) => number {
  // The name, in parentheses, may hold anything: count fields from behind it (state is field 3).
  const text = readFileSync(`${path}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (number) => Number(fields[number - 3]);
}

/** How many files and connections a process may have open. */
export function descriptorLimit(pid: number): number {
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}

/** The process and its descendants. @throws Error when it has ended */
export function processTree(pid: number): readonly ProcessStat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)));
  const tree = new Set([pid]);
  // A child has mostly, but not always, the higher number: repeat until nothing more is found.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const stat of all) if (tree.has(stat.parent)) tree.add(stat.pid);
  }
  const members = all.filter((stat) => tree.has(stat.pid));
  if (members.length === 0) throw new Error(`process ${pid} has ended`);
  return members;
}

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly rssBytes: number;
  readonly peakBytes: number;
}

function readStat(pid: number): ProcessStat[] {
  try {
    const field = fieldsOf(`/proc/${pid}`);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
    const ticks = field(14) + field(15);
    return [{ pid, parent: field(4), ticks, rssBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') }];
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return [];
    throw error;
  }
}
