/** The three ways to the database that are compared. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../proxy/demo/kernel/free-port.ts';
import { account, clusterName } from './backend.ts';

const mainFile = fileURLToPath(new URL('../proxy/main.ts', import.meta.url));
const startTimeoutMs = 30_000;
const endTimeoutMs = 15_000;

export interface Target {
  readonly name: string;
  readonly port: number;
  readonly user: string;
  /** Process between client and database whose use is measured, or null. */
  readonly pid: number | null;
  close(): Promise<void>;
}

export function directTarget(databasePort: number): Target {
  return { name: 'direct', port: databasePort, user: account, pid: null, close: async () => undefined };
}

/** HAProxy in TCP mode with one thread. */
export async function startHaproxy(databasePort: number): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'odp-bench-haproxy-'));
  const port = await findFreePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, haproxyConfig(port, databasePort));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  await untilPortOpen(port, child);
  const close = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  return { name: 'haproxy', port, user: account, pid: child.pid ?? 0, close };
}

export interface OdpOptions {
  readonly databasePort: number;
  /** Options of Node for each of its processes. */
  readonly nodeOptions?: readonly string[];
  /** Parameters, `name=value`. */
  readonly parameters?: readonly string[];
  /** Told each line of its error output; else it goes where this process's does. */
  readonly onErrorLine?: (line: string) => void;
}

/** With as many descriptors as the system allows: each connection takes two. */
const withDescriptors = 'ulimit -n "$(ulimit -Hn)"; exec "$0" "$@"';

/** This proxy without its console. */
export async function startOdp(options: OdpOptions): Promise<Target> {
  const { databasePort, nodeOptions = [], parameters = [], onErrorLine } = options;
  const home = await mkdtemp(join(tmpdir(), 'odp-bench-home-'));
  const port = await findFreePort();
  const args = ['-r', `127.0.0.1:${databasePort}`, '-c', clusterName, '-p', String(port), '--no-console'];
  if (parameters.length > 0) args.push('-o', parameters.join(','));
  const child = spawn('sh', ['-c', withDescriptors, process.execPath, mainFile, ...args], {
    stdio: ['ignore', 'pipe', onErrorLine === undefined ? 'inherit' : 'pipe'],
    // By the environment, so that it reaches the processes that the proxy starts, and their threads.
    env: { ...process.env, NODE_OPTIONS: nodeOptions.join(' '), ODP_HOME: home },
  });
  if (child.stderr !== null) createInterface(child.stderr).on('line', (line) => onErrorLine?.(line));
  await untilLine(child, /^odp ready/m);
  const close = async () => {
    await end(child);
    await rm(home, { recursive: true, force: true });
  };
  return { name: 'odp', port, user: `${account}#${clusterName}`, pid: child.pid ?? 0, close };
}

function haproxyConfig(port: number, databasePort: number): string {
  return `global
  nbthread 1
  maxconn 1000
defaults
  mode tcp
  timeout connect 5s
  timeout client 1h
  timeout server 1h
listen database
  bind 127.0.0.1:${port}
  server only 127.0.0.1:${databasePort}
`;
}

async function untilPortOpen(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (!(await canConnect(port))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`${child.spawnfile} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

function untilLine(child: ChildProcess, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`the proxy ${why}: ${said}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${startTimeoutMs / 1000} s`), startTimeoutMs);
    const onExit = (code: number | null) => fail(`ended with code ${code}`);
    child.once('exit', onExit);
    child.stdout?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-4000);
      if (!pattern.test(said)) return;
      clearTimeout(timer);
      child.off('exit', onExit);
      child.stdout?.removeAllListeners('data').resume();
      resolve();
    });
  });
}

/** Asks the process to end and waits; one that does not is killed. */
function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
