import type { ServerResponse } from 'node:http';
import type { ConfigStore } from '../config/config-store.ts';
import { findParameter } from '../config/parameter-table.ts';
import type { ParameterStatus } from '../config/plan-changes.ts';
import type { Proposals } from '../config/proposals.ts';
import type { ScheduledReverts } from '../config/scheduled-reverts.ts';
import { errorText } from '../errors/odp-error.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { BlocklistFeed } from './blocklist-feed.ts';
import type { BlocklistService } from './blocklist-service.ts';
import { type Caller, type Callers, rightsOf } from './callers.ts';
import type { LiveEvent, Overview, Permission } from './contract.ts';
import { type ControlLog, checkRights } from './route.ts';
import type { UpgradeService } from './upgrade-service.ts';
import { historyRowView, parameterView } from './views.ts';

/** A stream with more than this waiting to be read is dropped: its browser reconnects and reads everything anew. */
const maxWaitingBytes = 1 << 20;

/** Overviews are sent at most this often: requests change them all the time. */
const overviewEveryMs = 250;

/** What changes within so long is told together. */
const upgradeEveryMs = 200;

const defaultPingMs = 5_000;

export interface EventHubOptions {
  readonly store: ConfigStore;
  readonly reverts: ScheduledReverts;
  readonly proposals: Proposals;
  readonly history: HistoryStore;
  readonly callers: Callers;
  readonly overview: () => Overview;
  /** Registers a listener for changes of the overview. @returns the function that ends it. */
  readonly onOverviewChanged: (listener: () => void) => () => void;
  readonly blocklists: BlocklistService;
  readonly upgrades: UpgradeService;
  readonly log: ControlLog;
  readonly now: () => Date;
  /** Silence after which a `ping` is sent, and time between two looks at the log-ins behind the streams. */
  readonly pingMs?: number | undefined;
}

interface Stream {
  readonly response: ServerResponse;
  readonly session: Caller;
  readonly pings: NodeJS.Timeout;
}

/** Sends what happens to every open console page (GET /v1/events, server-sent events). */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #pingMs: number;
  readonly #streams = new Set<Stream>();
  readonly #subscriptions: (() => void)[];
  readonly #blocklistFeed: BlocklistFeed;
  readonly #sessionChecks: NodeJS.Timeout;
  #overviewTimer: NodeJS.Timeout | undefined;
  #overviewSentAtMs = 0;
  #upgradeTimer: NodeJS.Timeout | undefined;

  constructor(options: EventHubOptions) {
    this.#options = options;
    this.#pingMs = options.pingMs ?? defaultPingMs;
    this.#sessionChecks = setInterval(() => void this.#checkSessions(), this.#pingMs).unref();
    this.#subscriptions = [
      options.store.onChanged((status) => this.#parameterChanged(status)),
      options.reverts.onChanged((name) => {
        const spec = findParameter(name);
        if (spec !== undefined) this.#parameterChanged(options.store.parameter(spec.name));
      }),
      options.proposals.onChanged((id) => this.#broadcast('parameters.read', { type: 'proposal', id })),
      options.history.log.onAdded((row) =>
        this.#broadcast('history.read', { type: 'history', row: historyRowView(row) }),
      ),
      options.callers.onChanged(() => void this.#checkSessions()),
      options.onOverviewChanged(() => this.#overviewChanged()),
      options.upgrades.onChanged(() => this.#upgradeChanged()),
    ];
    this.#blocklistFeed = new BlocklistFeed({
      service: options.blocklists,
      onTransition: (listener) => options.history.blocklist.onAdded(listener),
      send: (event) => this.#broadcast('blocklist.read', event),
      isWatched: () => this.#streams.size > 0,
    });
  }

  /** Takes a response over: it gets a `hello`, an `overview`, and then everything that its owner may see. */
  add(response: ServerResponse, session: Caller): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
    const pings = setInterval(() => this.#send(stream, { type: 'ping', at: this.#at() }), this.#pingMs).unref();
    const stream: Stream = { response, session, pings };
    this.#streams.add(stream);
    response.once('close', () => this.#remove(stream));
    const overview = this.#options.overview();
    this.#send(stream, { type: 'hello', at: this.#at(), version: overview.proxy.version });
    this.#send(stream, { type: 'overview', overview });
  }

  /** Open streams. */
  get size(): number {
    return this.#streams.size;
  }

  /** Ends the streams there are; others may come. */
  endStreams(): void {
    for (const stream of [...this.#streams]) this.#end(stream);
  }

  /** Ends all streams. */
  close(): void {
    for (const end of this.#subscriptions) end();
    this.#blocklistFeed.close();
    clearInterval(this.#sessionChecks);
    clearTimeout(this.#overviewTimer);
    clearTimeout(this.#upgradeTimer);
    this.endStreams();
  }

  #parameterChanged(status: ParameterStatus): void {
    const { store, reverts } = this.#options;
    this.#broadcast('parameters.read', { type: 'parameter', parameter: parameterView(store, reverts, status) });
  }

  #at(): string {
    return this.#options.now().toISOString();
  }

  #broadcast(permission: Permission, event: LiveEvent): void {
    for (const stream of this.#streams) {
      if (rightsOf(stream.session).includes(permission)) this.#send(stream, event);
    }
  }

  #send(stream: Stream, event: LiveEvent): void {
    if (stream.response.writableLength > maxWaitingBytes) {
      this.#options.log.warn({ user: stream.session.account.name }, 'event stream dropped: its reader is too slow');
      this.#remove(stream);
      stream.response.destroy();
      return;
    }
    stream.response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    stream.pings.refresh();
  }

  #overviewChanged(): void {
    if (this.#overviewTimer !== undefined || this.#streams.size === 0) return;
    const waitMs = Math.max(0, this.#overviewSentAtMs + overviewEveryMs - performance.now());
    this.#overviewTimer = setTimeout(() => {
      this.#overviewTimer = undefined;
      this.#overviewSentAtMs = performance.now();
      if (this.#streams.size > 0) {
        this.#broadcast('topology.read', { type: 'overview', overview: this.#options.overview() });
      }
    }, waitMs).unref();
  }

  #upgradeChanged(): void {
    if (this.#upgradeTimer !== undefined || this.#streams.size === 0) return;
    this.#upgradeTimer = setTimeout(() => {
      this.#upgradeTimer = undefined;
      if (this.#streams.size > 0) {
        this.#broadcast('topology.read', { type: 'upgrade', state: this.#options.upgrades.state() });
      }
    }, upgradeEveryMs).unref();
  }

  /** Ends the streams of log-ins that are over or have another role than when they were opened. */
  async #checkSessions(): Promise<void> {
    for (const stream of [...this.#streams]) {
      try {
        const session = await this.#options.callers.check(stream.session);
        if (session === null) {
          this.#end(stream);
          continue;
        }
        checkRights(session, 'events');
        // The page opens another one and reads everything anew, as the role it has now may see it.
        if (session.account.role !== stream.session.account.role) this.#end(stream);
      } catch (error) {
        this.#options.log.warn({ reason: errorText(error) }, 'event stream ended: its log-in could not be confirmed');
        this.#end(stream);
      }
    }
  }

  #end(stream: Stream): void {
    this.#remove(stream);
    stream.response.end();
  }

  #remove(stream: Stream): void {
    clearInterval(stream.pings);
    this.#streams.delete(stream);
  }
}
