/** Replaces the proxy again and again under load, and counts what clients notice. */
import type { Connection } from 'mysql2/promise';
import { sendOrder } from '../../../proxy/supervisor/send-order.ts';
import { certificateFiles } from '../../../proxy/testing/certificates.ts';
import { type ProxyLogin, startProxy, type TestProxy } from '../../../proxy/testing/proxy.ts';
import { Client, type ClientKind, newTally, type Sample, type Tally } from './clients.ts';
import { idle, largeResult, longTransaction, steady, tls } from './kinds.ts';
import type { UpgradeChaosOptions } from './options.ts';

/** Connections that the steady load is spread over. */
const WORKING = 100;
/** Logged in side by side while everything is opened. */
const OPENING = 20;
const CONNECT_EVERY_MS = 100;
/** Sessions over TLS cannot go over: each upgrade closes those that are there after this. */
const EXIT_TIMEOUT_US = 4_000_000;

const login: ProxyLogin = { user: 'app@trade', password: 'app-secret', database: 'trade' };

export interface UpgradeOutcome {
  /** What clients without TLS met. */
  readonly plain: Tally;
  readonly overTls: Tally;
  readonly connects: { readonly tried: number; readonly failed: number };
  readonly upgrades: { readonly committed: number; readonly failed: number; readonly longestMs: number };
  /** From the order to the end of each run, and outside of them (ms); null: no statement ended there. */
  readonly p99: { readonly during: number | null; readonly outside: number | null };
  readonly longestMs: number;
  readonly rss: { readonly before: Memory; readonly after: Memory };
}

/** Resident memory (bytes). */
export interface Memory {
  readonly generation: number;
  readonly supervisor: number;
}

export async function runUpgrades(
  options: UpgradeChaosOptions,
  say: (line: string) => void,
  started: { close(): Promise<void> }[],
): Promise<UpgradeOutcome> {
  const files = await certificateFiles();
  started.push(files);
  const proxy = await startProxy({
    rsList: null,
    clusterName: 'obdemo',
    parameters: { client_max_connections: options.connections + 100, hot_upgrade_exit_timeout: EXIT_TIMEOUT_US },
  });
  started.push(proxy);
  const admin = await proxy.admin();
  await admin.query(`ALTER PROXYCONFIG SET ssl_key_info = '${files.keyInfo}'`);
  await admin.query('ALTER PROXYCONFIG SET enable_client_ssl = True');
  await admin.end();
  const [plain, overTls] = [newTally(), newTally()];
  const samples: Sample[] = [];
  const clients = makeClients(options, proxy, { plain, overTls, samples });
  say(`opening ${clients.length} connections`);
  await inTurns(clients, OPENING, (client) => client.open());
  const before = memoryOf(proxy);
  const load = startLoad(clients, options.statementsPerSecond);
  const connector = startConnector(proxy);
  const windows = await upgradeAgainAndAgain(options.upgrades, proxy, say);
  load.stop();
  connector.stop();
  await inTurns(clients, OPENING, (client) => client.check());
  const after = memoryOf(proxy);
  await Promise.all(clients.map((client) => client.close()));
  const isDuring = ({ endedAtMs }: Sample): boolean =>
    windows.some(({ fromMs, toMs }) => endedAtMs >= fromMs && endedAtMs <= toMs);
  return {
    plain,
    overTls,
    connects: connector.counts,
    upgrades: {
      committed: windows.filter(({ committed }) => committed).length,
      failed: windows.filter(({ committed }) => !committed).length,
      longestMs: Math.max(...windows.map(({ fromMs, toMs }) => toMs - fromMs)),
    },
    p99: { during: p99(samples.filter(isDuring)), outside: p99(samples.filter((sample) => !isDuring(sample))) },
    longestMs: samples.reduce((longest, { tookMs }) => Math.max(longest, tookMs), 0),
    rss: { before, after },
  };
}

function makeClients(
  options: UpgradeChaosOptions,
  proxy: TestProxy,
  notes: { plain: Tally; overTls: Tally; samples: Sample[] },
): Client[] {
  const kinds: ClientKind[] = [longTransaction, largeResult, ...Array<ClientKind>(options.tls).fill(tls)];
  const working = Math.min(WORKING, options.connections - kinds.length);
  for (let index = 0; index < working; index++) kinds.push(steady[index % steady.length] ?? idle);
  while (kinds.length < options.connections) kinds.push(idle);
  const connect = ({ kind }: Client): Promise<Connection> =>
    proxy.connect(kind.overTls ? { ...login, ssl: { rejectUnauthorized: false } } : login);
  return kinds.map((kind, index) => {
    const tally = kind.overTls ? notes.overTls : notes.plain;
    return new Client(kind, index, connect, tally, kind.overTls ? [] : notes.samples);
  });
}

/** One timer for all: each client's turn comes at its place. A transaction counts as three statements. */
function startLoad(clients: readonly Client[], statementsPerSecond: number): { stop(): void } {
  const working = clients.filter(({ kind }) => kind.works);
  const perTurn = 1.5;
  const beganAtMs = performance.now();
  let next = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - beganAtMs) / 1_000) * (statementsPerSecond / perTurn);
    for (; next < due; next++) working[next % working.length]?.take();
  }, 5);
  return { stop: () => clearInterval(timer) };
}

/** New connections all the while: none may be refused. */
function startConnector(proxy: TestProxy) {
  const counts = { tried: 0, failed: 0 };
  const timer = setInterval(() => {
    counts.tried += 1;
    proxy.connect(login).then(
      (connection) => connection.end().catch(() => undefined),
      () => {
        counts.failed += 1;
      },
    );
  }, CONNECT_EVERY_MS);
  return { counts, stop: () => clearInterval(timer) };
}

interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  readonly committed: boolean;
}

async function upgradeAgainAndAgain(count: number, proxy: TestProxy, say: (line: string) => void): Promise<Window[]> {
  const windows: Window[] = [];
  const order = { kind: 'upgrade', directory: null, hold: false, watchMs: 0, md5: null } as const;
  const who = { by: 'chaos', source: 'start', reason: 'npm run chaos -- upgrade' } as const;
  for (let number = 1; number <= count; number++) {
    const fromMs = performance.now();
    const steps: string[] = [];
    const committed = await sendOrder(proxy.home, { type: 'start', ...order, ...who }, (line) => steps.push(line));
    const toMs = performance.now();
    windows.push({ fromMs, toMs, committed });
    if (!committed) say(`upgrade ${number} failed:\n${steps.join('\n')}`);
    else if (number % 10 === 0 || count < 20)
      say(
        `${number} of ${count} upgrades, the last in ${Math.round(toMs - fromMs)} ms; ` +
          `the generation has ${Math.round(proxy.rssBytes() / 2 ** 20)} MiB`,
      );
  }
  return windows;
}

function memoryOf(proxy: TestProxy): Memory {
  return { generation: proxy.rssBytes(), supervisor: proxy.supervisorRssBytes() };
}

async function inTurns(clients: readonly Client[], atOnce: number, work: (client: Client) => Promise<void>) {
  const waiting = [...clients];
  const one = async (): Promise<void> => {
    for (let client = waiting.pop(); client !== undefined; client = waiting.pop()) await work(client);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

function p99(samples: readonly Sample[]): number | null {
  const sorted = samples.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? null;
}
