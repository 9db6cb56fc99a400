import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { startChild } from './child.ts';

export interface ConsoleOptions {
  /** Tree that it runs from. */
  readonly tree: string;
  readonly host: string;
  readonly port: number;
  readonly controlSocket: string;
}

/** Starts the console in a process of its own. */
export function spawnConsole(options: ConsoleOptions): ChildProcess {
  const env = {
    ODP_CONTROL_SOCKET: options.controlSocket,
    ODP_CONSOLE_HOST: options.host,
    ODP_CONSOLE_PORT: String(options.port),
  };
  // Its own "ready" line would stand between the lines that tell people how to log in.
  const child = startChild(join(options.tree, 'app/server/main.ts'), { tree: options.tree, env, stdout: 'pipe' });
  child.stdout?.resume();
  return child;
}

/**
 * Waits until the console serves pages. @returns its address for browsers
 * @throws Error when the process ends before; it has said why on standard error
 */
export function consoleReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      reject(new Error(`the console ended with ${signal ?? `code ${code}`} while starting`));
    });
    child.once('error', reject);
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type === 'ready' && message.url !== undefined) resolve(message.url);
    });
  });
}
