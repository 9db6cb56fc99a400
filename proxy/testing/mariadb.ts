/** A MariaDB server with data of its own, for tests and benchmarks. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../demo/kernel/free-port.ts';
import { findProgram } from './find-program.ts';
import { type AvailablePart, type UnavailablePart, unavailable } from './part.ts';

const run = promisify(execFile);
const endTimeoutMs = 20_000;

export interface MariaDb extends AvailablePart {
  /** On 127.0.0.1; account `root` has no password. */
  readonly port: number;
  /** Another one after `restart`. */
  readonly pid: number;
  readonly socketPath: string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again after `kill`: same port, same data. */
  restart(): Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

/** Starts one on a port of 127.0.0.1, a free one if none is wanted, and a Unix socket. `options` are the server's own. */
export async function startMariaDb(
  options: readonly string[] = [],
  wantedPort: number | null = null,
): Promise<MariaDb | UnavailablePart> {
  const server = findProgram('mariadbd') ?? findProgram('mysqld');
  const installer = findProgram('mariadb-install-db');
  if (server === null || installer === null) return unavailable('mariadb-server is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'odp-mariadb-'));
  const dataDir = join(folder, 'data');
  const socketPath = join(folder, 'socket');
  const logFile = join(folder, 'server.log');
  const user = userInfo().username;
  await run(installer, [
    '--no-defaults',
    `--datadir=${dataDir}`,
    // Two that are made at the same time would meet in the system's folder.
    `--tmpdir=${folder}`,
    `--user=${user}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  const port = wantedPort ?? (await findFreePort());
  const args = [
    '--no-defaults',
    `--datadir=${dataDir}`,
    `--tmpdir=${folder}`,
    `--user=${user}`,
    `--socket=${socketPath}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--log-error=${logFile}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--skip-name-resolve',
    '--innodb-flush-log-at-trx-commit=0',
    ...options,
  ];
  let running = await runServer(server, args, logFile);
  const kill = async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  };
  return {
    available: true,
    port,
    get pid() {
      return running.child.pid ?? 0;
    },
    socketPath,
    kill,
    restart: async () => {
      await rm(logFile, { force: true });
      running = await runServer(server, args, logFile);
    },
    close: async () => {
      const { child, ended } = running;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs);
      await ended;
      clearTimeout(timer);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function runServer(server: string, args: readonly string[], logFile: string): Promise<Running> {
  const [program, ...guard] = endedWithUs(server);
  const child = spawn(program, [...guard, ...args], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('close', () => resolve());
    child.once('error', reject);
  });
  await readyLine(logFile, ended);
  return { child, ended };
}

/**
 * A command line that runs the server so that it ends even when this process is killed. Setpriv replaces itself by the
 * server, which keeps the process id; without it (not Linux) only `close` ends the server.
 */
function endedWithUs(server: string): [string, ...string[]] {
  const setpriv = findProgram('setpriv');
  return setpriv === null ? [server] : [setpriv, '--pdeathsig', 'TERM', server];
}

/** The server says in its log that it takes connections; there is no event for it. */
async function readyLine(logFile: string, ended: Promise<void>): Promise<void> {
  let alive = true;
  void ended.then(
    () => {
      alive = false;
    },
    () => {
      alive = false;
    },
  );
  for (;;) {
    const log = await readFile(logFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    if (log.includes('ready for connections')) return;
    if (!alive) throw new Error(`MariaDB did not start: ${log.slice(-2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
