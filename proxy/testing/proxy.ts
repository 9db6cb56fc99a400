/** The real product in a process of its own, for integration tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2/promise';
import { findFreePort } from '../demo/kernel/free-port.ts';
import { RawClient } from './raw-client.ts';

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url));
const startTimeoutMs = 30_000;
const endTimeoutMs = 15_000;
const logTailLength = 20_000;

export interface ProxyOptions {
  /** `ip:port` of the servers, joined by `;`. Null: the product starts its embedded demo cluster. */
  readonly rsList: string | null;
  /** Clusters are those of this ConfigServer; `rsList` does not count then. */
  readonly configServerUrl?: string;
  /** A folder that is kept; a temporary one that goes with the proxy when it is left out. */
  readonly home?: string;
  /** The name that log-ins carry; of the demo cluster `obdemo`. */
  readonly clusterName: string;
  /** Parameters set at start, as `-o` takes them. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** Started without `-p`: this is the port that is stored in `home`. Default: a free one, given with `-p`. */
  readonly storedPort?: number;
  /** Address of this machine that clients connect to; default 127.0.0.1. */
  readonly clientHost?: string;
  /** Told of each line that the proxy logs, when it arrives. */
  readonly onLogLine?: (line: string) => void;
}

/** Who logs in through the proxy; `host` and `port` only where another door than the usual one is meant. */
export interface ProxyLogin extends Omit<ConnectionOptions, 'user'> {
  /** `user@tenant`; the cluster's name is put behind it unless it holds a `#`. */
  readonly user: string;
}

export interface TestProxy {
  readonly port: number;
  /** Its ODP_HOME, a temporary folder. */
  readonly home: string;
  /** Process of the workers. */
  readonly workerPid: number;
  /** The end of what the proxy has logged. */
  log(): string;
  /** A client connection through the proxy; ended with the proxy at the latest. */
  connect(login: ProxyLogin): Promise<Connection>;
  /** A connection on which bytes are sent and read as they are. */
  raw(): Promise<RawClient>;
  /** `root@proxysys`: the proxy's own commands. */
  admin(): Promise<Connection>;
  /** Resident memory of the process that holds the workers, bytes. */
  rssBytes(): number;
  /** Resident memory of the supervisor's process, bytes. */
  supervisorRssBytes(): number;
  close(): Promise<void>;
}

/** Starts the product without its console. Resolves when it is ready; fails with the end of its log. */
export async function startProxy(options: ProxyOptions): Promise<TestProxy> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'odp-proxy-')));
  const port = options.storedPort ?? (await findFreePort());
  const args = [...clusterOptions(options), '--no-console'];
  if (options.storedPort === undefined) args.push('-p', String(port));
  for (const [name, value] of Object.entries(options.parameters ?? {})) args.push('-o', `${name}='${value}'`);
  const child = spawn(process.execPath, [mainFile, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ODP_HOME: home },
  });
  let said = '';
  const note = (chunk: Buffer): void => {
    said = (said + chunk.toString('utf8')).slice(-logTailLength);
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  if (options.onLogLine !== undefined) createInterface(child.stderr).on('line', options.onLogLine);
  await untilReady(child, () => said);
  const clients: { destroy(): void }[] = [];
  const keep = <Client extends { destroy(): void }>(client: Client): Client => {
    clients.push(client);
    return client;
  };
  const connect = async ({ user, ...login }: ProxyLogin): Promise<Connection> => {
    const fullUser = user.includes('#') ? user : `${user}#${options.clusterName}`;
    const host = options.clientHost ?? '127.0.0.1';
    const connection = await createConnection({ host, port, user: fullUser, ...login });
    // A connection that the proxy ends is told to whoever waits on it; nobody else has to fall over it.
    connection.on('error', () => connection.destroy());
    return keep(connection);
  };
  const workerPid = generationOf(child.pid ?? 0);
  return {
    port,
    home,
    workerPid,
    log: () => said,
    connect,
    raw: async () => keep(await RawClient.connect(port)),
    admin: () => connect({ user: 'root@proxysys#' }),
    rssBytes: () => rssBytes(newestGenerationOf(child.pid ?? 0)),
    supervisorRssBytes: () => rssBytes(child.pid ?? 0),
    close: async () => {
      for (const client of clients) client.destroy();
      await end(child);
      if (options.home === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

function clusterOptions({ rsList, configServerUrl, clusterName }: ProxyOptions): string[] {
  if (configServerUrl !== undefined) return ['-o', `obproxy_config_server_url='${configServerUrl}'`];
  return rsList === null ? ['--demo', 'embedded'] : ['-r', rsList, '-c', clusterName];
}

/** Waits until something is true, looking again whenever the event loop has turned; there may be no event for it. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function untilReady(child: ChildProcess, said: () => string): Promise<void> {
  await until(
    'the proxy becomes ready',
    () => {
      if (/^odp ready/m.test(said())) return true;
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the proxy did not start: ${said()}`);
      return false;
    },
    startTimeoutMs,
  ).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`${String(error)}\n${said()}`);
  });
}

/** Without a console and a demo cluster the supervisor's one child, else the first: the generation. */
function generationOf(supervisorPid: number): number {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    if (parentOf(Number(entry)) === supervisorPid) return Number(entry);
  }
  throw new Error(`process ${supervisorPid} has no child`);
}

/** After an upgrade it is another one than at the start. */
function newestGenerationOf(supervisorPid: number): number {
  const generations = readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry) || parentOf(Number(entry)) !== supervisorPid) return false;
    return readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes('/coordinator/main.ts');
  });
  return Math.max(...generations.map(Number));
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch (error) {
    // It has ended since the folder was listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH') {
      return null;
    }
    throw error;
  }
}

function rssBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kib) * 1024;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}
