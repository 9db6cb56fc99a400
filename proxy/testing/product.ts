/** The whole product in a home of its own, seen from outside as processes: for tests of the supervisor. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2/promise';
import { findFreePort } from '../demo/kernel/free-port.ts';
import { sendOrder } from '../supervisor/send-order.ts';
import type { StartOrder } from '../upgrade/types.ts';
import { until } from './proxy.ts';

/** The tree of this test. */
export const ownTree = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export class Product {
  readonly home: string;
  /** Where it is connected to. */
  port: number;
  readonly process: ChildProcess;
  readonly #connections = new Set<Connection>();
  #said = '';

  private constructor(home: string, port: number, parameters: Readonly<Record<string, string>>) {
    this.home = home;
    this.port = port;
    const options = Object.entries(parameters).flatMap(([name, value]) => ['-o', `${name}='${value}'`]);
    const args = [join(ownTree, 'proxy/main.ts'), '-p', String(port), '--no-console', ...options];
    this.process = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ODP_HOME: home, ODP_LOG_LEVEL: 'error' },
    });
    this.process.stdout?.on('data', (chunk: Buffer) => {
      this.#said += chunk.toString('utf8');
    });
  }

  /** Begins to start; `ready` waits for it. */
  static async start(parameters: Readonly<Record<string, string>> = {}): Promise<Product> {
    return new Product(await mkdtemp(join(tmpdir(), 'odp-product-')), await findFreePort(), parameters);
  }

  /** What it has said to the person who started it. */
  get said(): string {
    return this.#said;
  }

  async ready(): Promise<void> {
    await until('it is ready', () => /^odp ready/m.test(this.#said), 30_000);
  }

  /** Whatever has become of it: nothing is left. */
  async clean(): Promise<void> {
    for (const connection of this.#connections) connection.destroy();
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGKILL');
      await once(this.process, 'exit');
    }
    await until('all parts are gone', () => this.parts().length === 0);
    await rm(this.home, { recursive: true, force: true });
  }

  async connect(user: string, options: Omit<ConnectionOptions, 'user'> = {}): Promise<Connection> {
    const connection = await createConnection({ host: '127.0.0.1', port: this.port, user, ...options });
    connection.on('error', () => connection.destroy());
    this.#connections.add(connection);
    return connection;
  }

  /** One statement on a connection of its own. */
  async query(user: string, sql: string): Promise<unknown> {
    const connection = await this.connect(user);
    try {
      const [rows] = await connection.query(sql);
      return rows;
    } finally {
      await connection.end();
    }
  }

  /** Has the fault door of the demo cluster do this. */
  async fault(fault: Readonly<Record<string, unknown>>): Promise<void> {
    const asked = request({ socketPath: join(this.home, 'run', 'demo.sock'), path: '/faults', method: 'POST' });
    asked.end(JSON.stringify(fault));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    if (answer.statusCode !== 200) throw new Error(`the fault door answers ${answer.statusCode}`);
  }

  /** Processes other than the supervisor: those that were started with its home in their environment. */
  parts(): { pid: number; command: string }[] {
    return readdirSync('/proc').flatMap((entry) => {
      if (!/^\d+$/.test(entry) || Number(entry) === this.process.pid) return [];
      try {
        const environment = readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0');
        if (!environment.includes(`ODP_HOME=${this.home}`)) return [];
        return [{ pid: Number(entry), command: readFileSync(`/proc/${entry}/cmdline`, 'utf8') }];
      } catch (error) {
        // It has ended since the folder was listed, or is another account's.
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return [];
        throw error;
      }
    });
  }

  part(module: string): number {
    const found = this.parts().find(({ command }) => command.includes(module));
    if (found === undefined) throw new Error(`no process runs ${module}`);
    return found.pid;
  }

  /** Pids of the generations, the oldest first. */
  generations(): number[] {
    const own = this.parts().filter(({ command }) => command.includes('/coordinator/main.ts'));
    return own.map(({ pid }) => pid).sort((a, b) => a - b);
  }

  /** Has it upgraded; resolves when the run is over, or held. @returns whether it was committed, or is held */
  upgrade(parts: Partial<StartOrder> = {}): Promise<boolean> {
    const order = { kind: 'upgrade', directory: ownTree, hold: false, watchMs: 0, md5: null } as const;
    return sendOrder(this.home, { type: 'start', ...order, ...ordered, ...parts }, () => undefined);
  }

  /** Resolves when the run is over. */
  decide(type: 'commit' | 'rollback'): Promise<boolean> {
    return sendOrder(this.home, { type, ...ordered }, () => undefined);
  }

  /** What `status` prints. */
  async status(): Promise<string> {
    const lines: string[] = [];
    await sendOrder(this.home, null, (line) => lines.push(line));
    return lines.join('\n');
  }
}

const ordered = { by: 'tester', source: 'start', reason: 'a test' } as const;
