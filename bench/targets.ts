/** The ways to the database that are compared. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../proxy/demo/kernel/free-port.ts';
import { endProcess, untilLine, untilPortOpen } from './child-process.ts';

const mainFile = fileURLToPath(new URL('../proxy/main.ts', import.meta.url));

export interface Target {
  readonly name: string;
  readonly port: number;
  readonly user: string;
  /** Process between client and database whose use is measured, or null. */
  readonly pid: number | null;
  close(): Promise<void>;
}

/** What a way leads to. */
export interface Destination {
  readonly port: number;
  readonly user: string;
  readonly clusterName: string;
}

export function directTarget({ port, user }: Destination): Target {
  return { name: 'direct', port, user, pid: null, close: async () => undefined };
}

/** HAProxy in TCP mode with one thread. */
export function startHaproxy({ port, user }: Destination): Promise<Target> {
  return startWithFile({ name: 'haproxy', user, file: (own) => haproxyConfig(own, port), args: ['-db', '-f'] });
}

/** kingshard as it comes, without sharding. */
export function startKingshard({ port, user }: Destination): Promise<Target> {
  return startWithFile({ name: 'kingshard', user, file: (own) => kingshardConfig(own, port, user), args: ['-config'] });
}

interface FileProgram {
  /** Of the program, and in the tables. */
  readonly name: string;
  readonly user: string;
  /** Text of its configuration, by the port it is to listen on. */
  readonly file: (port: number) => string;
  /** Options before the configuration's path. */
  readonly args: readonly string[];
}

async function startWithFile({ name, user, file, args }: FileProgram): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), `odp-bench-${name}-`));
  const port = await findFreePort();
  const path = join(folder, 'config');
  await writeFile(path, file(port));
  const child = spawn(name, [...args, path], { stdio: ['ignore', 'ignore', 'inherit'] });
  const close = async () => {
    await endProcess(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilPortOpen(port, child);
  } catch (error) {
    await close();
    throw error;
  }
  return { name, port, user, pid: child.pid ?? 0, close };
}

export interface OdpOptions {
  /** In the tables (`odp`). */
  readonly name?: string;
  /** Options of Node for each of its processes. */
  readonly nodeOptions?: readonly string[];
  /** Parameters, `name=value`. */
  readonly parameters?: readonly string[];
  /** Told each line of its error output; else it goes where this process's does. */
  readonly onErrorLine?: (line: string) => void;
  /** Start the console, too: the tree must have it built. */
  readonly withConsole?: boolean;
  /** Least severe message of its log. */
  readonly logLevel?: string;
}

export interface OdpTarget extends Target {
  /** What it has told the person who started it: with a console its address and the first password. */
  readonly said: string;
}

/** With as many descriptors as the system allows: each connection takes two. */
const withDescriptors = 'ulimit -n "$(ulimit -Hn)"; exec "$0" "$@"';

/** This proxy, without its console unless that is wanted. */
export async function startOdp(destination: Destination, options: OdpOptions = {}): Promise<OdpTarget> {
  const { name = 'odp', nodeOptions = [], parameters = [], onErrorLine, withConsole = false, logLevel } = options;
  const home = await mkdtemp(join(tmpdir(), 'odp-bench-home-'));
  const port = await findFreePort();
  const args = ['-r', `127.0.0.1:${destination.port}`, '-c', destination.clusterName, '-p', String(port)];
  if (parameters.length > 0) args.push('-o', parameters.join(','));
  args.push(...(withConsole ? ['--console-port', '0'] : ['--no-console']));
  const child = spawn('sh', ['-c', withDescriptors, process.execPath, mainFile, ...args], {
    stdio: ['ignore', 'pipe', onErrorLine === undefined ? 'inherit' : 'pipe'],
    // By the environment, so that it reaches the processes that the proxy starts, and their threads.
    env: {
      ...process.env,
      NODE_OPTIONS: nodeOptions.join(' '),
      ODP_HOME: home,
      ...(logLevel === undefined ? {} : { ODP_LOG_LEVEL: logLevel }),
    },
  });
  if (child.stderr !== null) createInterface(child.stderr).on('line', (line) => onErrorLine?.(line));
  const said = await untilLine(child, /^odp ready/m);
  const close = async () => {
    await endProcess(child);
    await rm(home, { recursive: true, force: true });
  };
  const user = `${destination.user}#${destination.clusterName}`;
  return { name, port, user, pid: child.pid ?? 0, said, close };
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

function kingshardConfig(port: number, databasePort: number, user: string): string {
  return `addr: 127.0.0.1:${port}
prometheus_addr: 127.0.0.1:0
web_addr: 127.0.0.1:0
web_user: admin
web_password: admin
log_level: error
log_sql: off
user_list:
-
    user: ${user}
    password:
nodes:
-
    name: node1
    max_conns_limit: 64
    user: ${user}
    password:
    master: 127.0.0.1:${databasePort}
    down_after_noalive: 0
schema_list:
-
    user: ${user}
    nodes: [node1]
    default: node1
    shard:
    -
`;
}
