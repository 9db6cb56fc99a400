/** A control server on a real Unix socket in a home of its own, and a client for it: for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { ConfigStore } from '../config/config-store.ts';
import { Proposals } from '../config/proposals.ts';
import { ScheduledReverts } from '../config/scheduled-reverts.ts';
import { type HistoryStore, openHistory } from '../history/history-store.ts';
import type { LiveEvent, Overview, Role, Traffic } from './contract.ts';
import { type ControlServer, makeControlServer } from './control-server.ts';
import type { DemoService } from './demo-service.ts';
import { TestBlocklists } from './testing-blocklists.ts';
import { TestClientSessions } from './testing-client-sessions.ts';
import { TestLocations } from './testing-locations.ts';
import { TestRouting } from './testing-routing.ts';
import { TestUpgrades } from './testing-upgrades.ts';
import type { TrafficQuery } from './traffic-service.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into many shapes; a wrong one fails the test.
  readonly json: any;
}

export interface CallOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An open event stream; `next` waits for the next event of a type, skipping others. */
export interface EventReader {
  readonly next: <Type extends LiveEvent['type']>(type: Type) => Promise<Extract<LiveEvent, { type: Type }>>;
  readonly closed: Promise<void>;
  readonly close: () => void;
}

interface Clock {
  nowMs: number;
}

interface LiveOverview {
  value: Overview;
  readonly listeners: Set<() => void>;
}

interface BenchParts {
  readonly home: string;
  readonly socketPath: string;
  readonly logged: readonly string[];
  readonly history: HistoryStore;
  readonly store: ConfigStore;
  readonly reverts: ScheduledReverts;
  readonly proposals: Proposals;
  readonly server: ControlServer;
  readonly clock: Clock;
  readonly overview: LiveOverview;
  readonly blocklists: TestBlocklists;
  readonly routing: TestRouting;
  readonly locations: TestLocations;
  readonly clientSessions: TestClientSessions;
  readonly upgrades: TestUpgrades;
}

/** A control server with everything behind it; the clock stands still unless moved. */
export class ControlBench {
  readonly socketPath: string;
  readonly home: string;
  readonly logged: readonly string[];
  readonly history: HistoryStore;
  readonly store: ConfigStore;
  readonly reverts: ScheduledReverts;
  readonly proposals: Proposals;
  readonly server: ControlServer;
  readonly blocklists: TestBlocklists;
  readonly routing: TestRouting;
  readonly locations: TestLocations;
  readonly clientSessions: TestClientSessions;
  readonly upgrades: TestUpgrades;
  readonly #clock: Clock;
  readonly #overview: LiveOverview;

  private constructor(parts: BenchParts) {
    this.home = parts.home;
    this.socketPath = parts.socketPath;
    this.logged = parts.logged;
    this.history = parts.history;
    this.store = parts.store;
    this.reverts = parts.reverts;
    this.proposals = parts.proposals;
    this.server = parts.server;
    this.blocklists = parts.blocklists;
    this.routing = parts.routing;
    this.locations = parts.locations;
    this.clientSessions = parts.clientSessions;
    this.upgrades = parts.upgrades;
    this.#clock = parts.clock;
    this.#overview = parts.overview;
  }

  /** @param demo null: the proxy runs without a demo */
  static async start(pingMs?: number, demo: DemoService | null = null): Promise<ControlBench> {
    const home = mkdtempSync(join(tmpdir(), 'odp-control-'));
    const logged: string[] = [];
    const clock = { nowMs: Date.parse('2026-03-01T10:00:00.000Z') };
    const overview: LiveOverview = { value: emptyOverview(), listeners: new Set() };
    const write = (fields: object, text: string) => logged.push(`${text} ${JSON.stringify(fields)}`);
    const log = { info: write, warn: write, error: write };
    const now = () => new Date(clock.nowMs);
    const history = await openHistory(home, { log, now });
    const store = await ConfigStore.open({ history, log, now });
    const reverts = await ScheduledReverts.open(history, store, now);
    const proposals = new Proposals({ history, store, reverts, now });
    const blocklists = new TestBlocklists(history.blocklist, () => clock.nowMs);
    const routing = new TestRouting();
    const locations = new TestLocations();
    const clientSessions = new TestClientSessions();
    const socketPath = join(home, 'control.sock');
    const upgrades = new TestUpgrades();
    const server = makeControlServer({
      socketPath,
      store,
      reverts,
      proposals,
      history,
      overview: () => overview.value,
      onOverviewChanged: (listener) => {
        overview.listeners.add(listener);
        return () => overview.listeners.delete(listener);
      },
      traffic: { window: (query) => emptyTraffic(query, clock.nowMs) },
      blocklists,
      routing,
      locations,
      clientSessions,
      upgrades,
      demo,
      log,
      now,
      ...(pingMs === undefined ? {} : { pingMs }),
    });
    await server.publish();
    const doors = { upgrades, blocklists, routing, locations, clientSessions };
    const parts = { home, logged, clock, overview, history, store, reverts, proposals, socketPath, server, ...doors };
    return new ControlBench(parts);
  }

  /** The server's clock, milliseconds since 1970. */
  get nowMs(): number {
    return this.#clock.nowMs;
  }

  /** Lets time pass on the server's clock. */
  pass(ms: number): void {
    this.#clock.nowMs += ms;
  }

  /** Changes the proxy's part of the overview and tells the server. */
  setProxy(part: Partial<Overview['proxy']>): void {
    this.setOverview({ proxy: { ...this.#overview.value.proxy, ...part } });
  }

  /** Changes parts of the overview and tells the server. */
  setOverview(parts: Partial<Overview>): void {
    const { value, listeners } = this.#overview;
    this.#overview.value = { ...value, ...parts };
    for (const listener of listeners) listener();
  }

  async stop(): Promise<void> {
    await this.server.close();
    await this.history.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Makes a user whose password is `<name>-password`. */
  async addUser(name: string, role: Role): Promise<void> {
    const passwordHash = await hash(`${name}-password`, { memoryCost: 64, timeCost: 1 });
    const data = { name, role, passwordHash, mustChangePassword: false, createdAt: new Date(this.#clock.nowMs) };
    await this.history.database.user.create({ data });
  }

  /** Makes a user and logs in. @returns the token. */
  async userToken(name: string, role: Role): Promise<string> {
    await this.addUser(name, role);
    const answer = await this.call('POST', '/v1/login', { body: { name, password: `${name}-password` } });
    return answer.json.token;
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
      const outgoing = request({
        socketPath: this.socketPath,
        method,
        path,
        agent: false,
        headers: {
          'x-odp-origin': options.origin ?? '192.0.2.7',
          ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
      });
      outgoing.once('error', reject);
      outgoing.once('response', async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = response.headers['content-type']?.includes('json') ?? false;
        const json = isJson && text !== '' ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
      outgoing.end(body);
    });
  }

  /** Opens GET /v1/events. */
  events(token: string): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const outgoing = request({ socketPath: this.socketPath, path: '/v1/events', agent: false, headers });
      outgoing.once('error', reject);
      outgoing.once('response', (response) => {
        if (response.statusCode !== 200) {
          reject(new Error(`status ${response.statusCode}`));
          return;
        }
        resolve(eventReader(response, () => outgoing.destroy()));
      });
      outgoing.end();
    });
  }
}

function eventReader(response: NodeJS.ReadableStream, close: () => void): EventReader {
  const events: LiveEvent[] = [];
  let wake: () => void = () => undefined;
  let text = '';
  let isOver = false;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) events.push(JSON.parse(block.replace(/^event: \w+\ndata: /, '')));
    wake();
  });
  response.on('error', () => wake());
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  return {
    close,
    closed,
    next: async (type) => {
      for (;;) {
        const event = events.shift();
        if (event?.type === type) return event as never;
        if (event !== undefined) continue;
        if (isOver) throw new Error(`stream ended before ${type}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** One point over all that is asked for, and no zone. */
function emptyTraffic({ minutes, to }: TrafficQuery, nowMs: number): Traffic {
  const at = new Date(nowMs).toISOString();
  const from = new Date(Date.parse(to ?? at) - minutes * 60_000).toISOString();
  return { at, from, stepMs: minutes * 60_000, since: at, zones: [] };
}

function emptyOverview(): Overview {
  return {
    proxy: {
      version: '0.0.0-test',
      startedAt: '2026-03-01T09:00:00.000Z',
      listen: '127.0.0.1:2883',
      idc: '',
      enableCongestion: true,
      workers: [],
      rssBytes: 1,
      hasLab: false,
    },
    clusters: [],
    configServer: null,
  };
}
