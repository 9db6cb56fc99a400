import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';

/**
 * Memory that a process does not need is not kept (R1): one arena for the few threads that allocate outside the heap,
 * and a young generation of 1 MB. Threads that want more say so. Together they save 35 MB of some 210.
 */
const FRUGAL = { env: { MALLOC_ARENA_MAX: '2' }, nodeOptions: ['--max-semi-space-size=1'] };

export interface ChildOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdout?: 'inherit' | 'pipe';
  readonly isFrugal?: boolean;
  /** Node to run it with; left out: the one that runs here. */
  readonly node?: string;
}

/** Starts one of the product's own processes, with a message channel. @param file absolute path of its module */
export function startChild(file: string, { args = [], env = {}, stdout, isFrugal, node }: ChildOptions): ChildProcess {
  const options: ForkOptions = {
    env: { ...process.env, ...(isFrugal ? FRUGAL.env : {}), ...env },
    stdio: ['ignore', stdout ?? 'inherit', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning', ...(isFrugal ? FRUGAL.nodeOptions : [])],
    ...(node === undefined ? {} : { execPath: node }),
  };
  return fork(file, [...args], options);
}

/** Ends a child: asks, and after the grace time insists. Resolves when it is gone. */
export function endChild(child: ChildProcess, graceMs = 5000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const insist = setTimeout(() => child.kill('SIGKILL'), graceMs);
    child.once('exit', () => {
      clearTimeout(insist);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
