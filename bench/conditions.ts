/** Under what a benchmark ran: kept with its figures, and told above its table. */
import { execFile } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { findProgram } from '../proxy/testing/find-program.ts';

export interface Conditions {
  /** `2026-12-01` */
  readonly date: string;
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGib: number;
  /** Programs with their version numbers. */
  readonly versions: readonly string[];
  /** Processes that wanted a core before anything was started: above a fraction of one, others worked beside. */
  readonly loadBefore: number;
  /** As it is to be typed to have the same again. */
  readonly command: string;
  readonly rounds: number;
}

const run = promisify(execFile);

/** Taken when this file is loaded: what the benchmark starts itself does not count. */
const loadBefore = loadavg()[0] ?? 0;

/** @param versions of what was started beside Node */
export function conditionsNow(rounds: number, versions: readonly string[] = []): Conditions {
  const args = process.argv.slice(2);
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGib: Math.round(totalmem() / 2 ** 30),
    versions: [...versions, `Node ${process.versions.node}`],
    loadBefore,
    command: ['npm run bench', ...(args.length === 0 ? [] : ['--', ...args])].join(' '),
    rounds,
  };
}

/** A sentence or two. `what`: in the words of this benchmark, how long and how often. */
export function conditionsText(conditions: Conditions, what: string): string {
  const { date, cores, cpu, memoryGib, versions, command } = conditions;
  return (
    `Measured ${date} by \`${command}\` on ${cores} cores (${cpu}), ${memoryGib} GiB of memory, everything on loopback: ` +
    `${versions.join(', ')}. ${what} Load average before the start: ${conditions.loadBefore.toFixed(1)}.`
  );
}

/** Name and version number of a program; empty when it is not installed. */
export async function versionOf(name: string, program: string, option: string): Promise<string> {
  const path = findProgram(program);
  if (path === null) return '';
  const number = /\d+\.\d+(\.\d+)?/.exec((await run(path, [option])).stdout)?.[0];
  return `${name} ${number ?? 'of unknown version'}`;
}
