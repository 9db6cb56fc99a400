/** Threads of processes: their processor time, and which cores they may use (taskset of util-linux). */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { cpuSecondsOf, processTree } from '../process-usage.ts';

const run = promisify(execFile);

/** All threads of a process, and of those it has started. Later ones inherit it. */
export async function pinTree(pid: number, core: number): Promise<void> {
  for (const member of processTree(pid)) await run('taskset', ['-acp', String(core), String(member.pid)]);
}

/** The threads of a proxy that carry traffic. */
export class WorkerThreads {
  /** Paths under /proc, by the thread's id. */
  readonly #threads: ReadonlyMap<string, string>;

  /** @throws Error when they cannot be told from the others */
  constructor(proxyPid: number) {
    const coordinator = processTree(proxyPid).find(({ pid }) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/coordinator/main.ts'),
    );
    const folder = `/proc/${coordinator?.pid ?? 0}/task`;
    const paths = readdirSync(folder).map((thread) => [thread, `${folder}/${thread}`] as const);
    this.#threads = new Map(paths.filter(([, path]) => readFileSync(`${path}/comm`, 'utf8').trim() === 'WorkerThread'));
    if (this.#threads.size === 0) throw new Error('the proxy has no thread that could be told from the others');
  }

  /** User and system time since their start. */
  get cpuSeconds(): number {
    return [...this.#threads.values()].reduce((sum, path) => sum + cpuSecondsOf(path), 0);
  }

  async pin(core: number): Promise<void> {
    for (const thread of this.#threads.keys()) await run('taskset', ['-cp', String(core), thread]);
  }
}
