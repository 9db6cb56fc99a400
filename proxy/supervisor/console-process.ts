import type { ChildProcess } from 'node:child_process';
import { startChild } from './child.ts';

export interface ConsoleOptions {
  readonly host: string;
  readonly port: number;
  readonly controlSocket: string;
}

/** Starts the console and waits until it serves pages. @returns its address for browsers */
export function startConsole(options: ConsoleOptions): Promise<{ child: ChildProcess; url: string }> {
  const env = {
    ODP_CONTROL_SOCKET: options.controlSocket,
    ODP_CONSOLE_HOST: options.host,
    ODP_CONSOLE_PORT: String(options.port),
  };
  // Its own "ready" line would stand between the lines that tell people how to log in.
  const child = startChild('../../app/server/main.ts', [], env, 'pipe');
  child.stdout?.resume();
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      const where = `${options.host}:${options.port}`;
      reject(new Error(`the console on ${where} ended with code ${code} (is the port in use? see --console-port)`));
    });
    child.once('error', reject);
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type === 'ready' && message.url !== undefined) resolve({ child, url: message.url });
    });
  });
}
