import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DemoServers } from '../coordinator/supervisor-link.ts';
import { startChild } from './child.ts';

/** Which stand-in cluster. */
export type DemoKind = 'embedded' | 'kernel';

/** Starts the stand-in cluster in a process of its own. */
export function spawnDemo(kind: DemoKind, home: string): ChildProcess {
  const module = kind === 'embedded' ? '../demo/main.ts' : '../demo/kernel/main.ts';
  const args = kind === 'embedded' ? ['--home', home, '--socket', join(home, 'run', 'demo.sock')] : ['--home', home];
  return startChild(fileURLToPath(new URL(module, import.meta.url)), { args, stdout: 'pipe' });
}

/**
 * Waits until the servers of a stand-in cluster listen. Lines that it prints before are passed on: fetching the kernel
 * takes a while.
 * @throws Error when the process ends before
 */
export function demoReady(child: ChildProcess, kind: DemoKind): Promise<DemoServers> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the demo cluster ended with code ${code} before it was ready`)));
    child.once('error', reject);
    if (child.stdout === null) return reject(new Error('the demo cluster has no output to wait for'));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = readyLine(line);
      if (ready === null) process.stdout.write(`odp: ${line}\n`);
      // A kernel has one tenant only.
      else resolve({ ...ready, demoUser: kind === 'kernel' ? 'root@sys' : 'root@trade' });
    });
  });
}

function readyLine(line: string): Omit<DemoServers, 'demoUser'> | null {
  if (!line.startsWith('{')) return null;
  const { event, clusterName, servers } = JSON.parse(line) as { event?: string } & DemoServers;
  return event === 'ready' ? { clusterName, servers } : null;
}
