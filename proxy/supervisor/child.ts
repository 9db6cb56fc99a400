import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Memory that a process does not need is not kept (R1): one arena for the few threads that allocate outside the heap,
 * and a young generation of 1 MB. Threads that want more say so. Together they save 35 MB of some 210.
 */
const FRUGAL = { env: { MALLOC_ARENA_MAX: '2' }, nodeOptions: ['--max-semi-space-size=1'] };

const ownTree = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Where Node keeps what it has made of the modules of a tree. From the second start on that halves the time that it
 * takes, and so the time that nobody is served when a generation dies which has no other beside it. A tree that cannot
 * be written to does without.
 */
const compiledOf = (tree: string): string => join(tree, 'node_modules', '.cache', 'compiled');

export interface ChildOptions {
  /** Tree that the module is of; left out: this one. */
  readonly tree?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdout?: 'inherit' | 'pipe';
  readonly isFrugal?: boolean;
  /** Node to run it with; left out: the one that runs here. */
  readonly node?: string;
}

/** Starts one of the product's own processes, with a message channel. @param file absolute path of its module */
export function startChild(
  file: string,
  { tree = ownTree, args = [], env = {}, stdout, isFrugal, node }: ChildOptions,
): ChildProcess {
  const options: ForkOptions = {
    env: { NODE_COMPILE_CACHE: compiledOf(tree), ...process.env, ...(isFrugal ? FRUGAL.env : {}), ...env },
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
