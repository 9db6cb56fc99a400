/**
 * The three blocklists of one cluster: the one object that decides, in the coordinator (B1–B21). A pure state machine:
 * what happened is told with its time, and what is told back is the transitions it made. No clock, no timer, no socket.
 */
import { isMember } from '../cluster/topology.ts';
import type { ListChange } from './list-state.ts';
import { type BlocklistRow, describeRow, describeServer, type ServerDetails } from './server-details.ts';
import { type KeptServer, ServerEntry } from './server-entry.ts';
import type {
  BlocklistName,
  BlocklistTransition,
  CongestionParameters,
  FailureEvent,
  Instant,
  ProbeResult,
  ServerStatus,
  ServerVerdict,
} from './types.ts';

/** The three lists of one cluster: facts in, transitions out. */
export class Blocklist {
  /** By address: the servers that the views name now, and no other. */
  readonly #entries = new Map<string, ServerEntry>();
  #parameters: CongestionParameters;

  constructor(parameters: CongestionParameters) {
    this.#parameters = parameters;
  }

  get parameters(): CongestionParameters {
    return this.#parameters;
  }

  /** Takes effect at once (B16–B21). Verdicts may change without a transition: B19 moves the next retry. */
  setParameters(parameters: CongestionParameters, at: Instant): BlocklistTransition[] {
    const before = this.#parameters;
    const names = Object.keys(parameters) as (keyof CongestionParameters)[];
    const changed = names.filter((name) => parameters[name] !== before[name]);
    this.#parameters = parameters;
    return [...this.#entries.values()].flatMap((entry) =>
      this.#transitions(entry, at, entry.setParameters(before, parameters, at, { kind: 'parameters', changed })),
    );
  }

  /**
   * All servers as the views tell them (B1–B4). A server that is DELETING, DELETED or not named any more leaves with all
   * that is known of it; one that comes (again) starts clean.
   */
  setServers(statuses: readonly ServerStatus[], at: Instant): BlocklistTransition[] {
    const staying = new Map(statuses.filter(isMember).map((status) => [status.address, status]));
    const transitions: BlocklistTransition[] = [];
    for (const [address, entry] of this.#entries) {
      if (staying.has(address)) continue;
      transitions.push(...this.#transitions(entry, at, entry.release(null, at, { kind: 'removed' })));
      this.#entries.delete(address);
    }
    for (const status of staying.values()) {
      const entry = this.#entries.get(status.address) ?? new ServerEntry(status, at.atMs, this.#parameters);
      this.#entries.set(status.address, entry);
      transitions.push(...this.#transitions(entry, at, entry.observe(status, at, this.#parameters)));
    }
    return transitions;
  }

  /** What a probe has found (B5–B9). Ignored for an unknown server, and in detect mode 0. */
  probe(result: ProbeResult): BlocklistTransition[] {
    const entry = this.#entries.get(result.address);
    return entry === undefined ? [] : this.#transitions(entry, result, entry.probed(result, this.#parameters));
  }

  /** A failure of business SQL (B10, B11, B21). One request is told at most once for each server: the caller's duty. */
  failure(event: FailureEvent): BlocklistTransition[] {
    const entry = this.#entries.get(event.address);
    return entry === undefined ? [] : this.#transitions(entry, event, entry.failed(event, this.#parameters));
  }

  /** B12: a request tries a listed server; the next retry is an interval later. Makes no transition, but another verdict. */
  retryStarted(address: string, at: Instant): void {
    this.#entries.get(address)?.alive.startRetry(at.atMs);
  }

  /** B13: a request that was sent to a listed server (a retry, or by force) worked there. */
  success(address: string, at: Instant, sessionId: number): BlocklistTransition[] {
    const entry = this.#entries.get(address);
    const change = entry?.alive.succeed(at, sessionId, this.#parameters) ?? null;
    return entry === undefined || change === null ? [] : this.#transitions(entry, at, [change]);
  }

  /**
   * By hand: off one list, or off all (null), until something new speaks against the server. Empty when it was not listed.
   */
  release(
    address: string,
    list: BlocklistName | null,
    by: { readonly actor: string; readonly reason: string },
    at: Instant,
  ): BlocklistTransition[] {
    const entry = this.#entries.get(address);
    if (entry === undefined) return [];
    const { actor, reason } = by;
    return this.#transitions(entry, at, entry.release(list, at, { kind: 'hand', actor, reason }));
  }

  /** All that is known of each server, for another process that goes on from here. */
  kept(at: Instant): KeptServer[] {
    return [...this.#entries.values()].map((entry) => entry.kept(at.atMs));
  }

  /** Goes on from where another process was: of these servers nothing holds that was known here. Makes no transition. */
  goOn(servers: readonly KeptServer[]): void {
    for (const server of servers) {
      this.#entries.set(server.status.told.address, ServerEntry.from(server, this.#parameters));
    }
  }

  /** What is listed now, as the transitions that made it so; in force since the times in them. */
  listed(): BlocklistTransition[] {
    return [...this.#entries.values()].flatMap((entry) =>
      entry
        .listings()
        .flatMap((listing) =>
          this.#transitions(entry, listing, [
            { list: listing.list, change: 'listed', evidence: listing.evidence, listedForMs: null },
          ]),
        ),
    );
  }

  /** For the workers: each server, listed or not. */
  verdicts(): ServerVerdict[] {
    return [...this.#entries.values()].map((entry) => entry.verdict(this.#parameters));
  }

  /** For SHOW PROXYCONGESTION (B24): each server, with its numbers as they are at `at`. */
  rows(at: Instant): BlocklistRow[] {
    return [...this.#entries.values()].map((entry) => describeRow(entry, at));
  }

  /** For the console; null: no such server. */
  details(address: string, at: Instant): ServerDetails | null {
    const entry = this.#entries.get(address);
    return entry === undefined ? null : describeServer(entry, at, this.#parameters);
  }

  #transitions(entry: ServerEntry, at: Instant, changes: readonly ListChange[]): BlocklistTransition[] {
    const { address, zone } = entry.told;
    const { atMs, wallAtMs } = at;
    return changes.map((change) => ({ address, zone, atMs, wallAtMs, ...change, parameters: this.#parameters }));
  }
}
