/** Which cores a process or thread may use (taskset of util-linux). */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { processTree } from '../process-usage.ts';

const run = promisify(execFile);

/** All threads of a process, and of those it has started. Later ones inherit it. */
export async function pinTree(pid: number, core: number): Promise<void> {
  for (const member of processTree(pid)) await run('taskset', ['-acp', String(core), String(member.pid)]);
}

/** The threads of a proxy that carry traffic. @throws Error when it has none */
export async function pinWorkers(proxyPid: number, core: number): Promise<void> {
  const coordinator = processTree(proxyPid).find(({ pid }) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/coordinator/main.ts'),
  );
  const threads = coordinator === undefined ? [] : readdirSync(`/proc/${coordinator.pid}/task`);
  const workers = threads.filter(
    (thread) => readFileSync(`/proc/${coordinator?.pid}/task/${thread}/comm`, 'utf8').trim() === 'WorkerThread',
  );
  if (workers.length === 0) throw new Error('the proxy has no thread that could be told from the others');
  for (const thread of workers) await run('taskset', ['-cp', String(core), thread]);
}
