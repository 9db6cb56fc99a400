import type { ServerState } from '../cluster/states.ts';
import { AliveList, type KeptAlive } from './alive-list.ts';
import { DetectionList, type KeptDetection } from './detection-list.ts';
import type { ListChange, Listing } from './list-state.ts';
import { type KeptStatus, StatusList, viewEvidence } from './status-list.ts';
import type {
  BlocklistName,
  CongestionParameters,
  Evidence,
  FailureEvent,
  Instant,
  ProbeResult,
  ServerStatus,
  ServerVerdict,
} from './types.ts';

/** All that is known of one server: goes to another process. Its times are on the clock that all processes of a machine share. */
export interface KeptServer {
  readonly createdAtMs: number;
  readonly newsFrom: 'views' | 'probes';
  readonly status: KeptStatus;
  readonly detection: KeptDetection;
  readonly alive: KeptAlive;
}

/** One server of a cluster and its place on the three lists, which know nothing of each other (B14). */
export class ServerEntry {
  readonly status: StatusList;
  readonly detection = new DetectionList();
  readonly alive: AliveList;
  /** What is told of an earlier time is about an earlier server of this address (B88). */
  readonly #createdAtMs: number;
  /** Who changed the server's state last. */
  #newsFrom: 'views' | 'probes' = 'views';

  /** On no list until `observe` has been told the status. */
  constructor(told: ServerStatus, atMs: number, parameters: CongestionParameters) {
    this.#createdAtMs = atMs;
    this.status = new StatusList(told);
    this.alive = new AliveList(parameters, atMs);
  }

  /** As it was in another process. */
  static from({ createdAtMs, newsFrom, status, detection, alive }: KeptServer, parameters: CongestionParameters) {
    const entry = new ServerEntry(status.told, createdAtMs, parameters);
    entry.#newsFrom = newsFrom;
    entry.status.goOn(status);
    entry.detection.goOn(detection);
    entry.alive.goOn(alive);
    return entry;
  }

  kept(atMs: number): KeptServer {
    return {
      createdAtMs: this.#createdAtMs,
      newsFrom: this.#newsFrom,
      status: this.status.kept,
      detection: this.detection.kept,
      alive: this.alive.kept(atMs),
    };
  }

  /** What the views said last. */
  get told(): ServerStatus {
    return this.status.told;
  }

  /** Column `server_state`: what changed last, the state in the views or what the probes find (reference proxy). */
  get shownState(): ServerState {
    return (this.#newsFrom === 'probes' ? this.detection.finding : null) ?? this.told.state;
  }

  /** B1–B4. */
  observe(told: ServerStatus, at: Instant, parameters: CongestionParameters): ListChange[] {
    if (told.state !== this.told.state) this.#newsFrom = 'views';
    const { change, isBack, isTooEarly } = this.status.observe(told, at, parameters);
    return changesOf(change, isBack ? this.#wash(told, isTooEarly, at, parameters) : null);
  }

  /** B5–B9. */
  probed(result: ProbeResult, parameters: CongestionParameters): ListChange[] {
    if (result.atMs < this.#createdAtMs) return [];
    const before = this.detection.finding;
    const change = this.detection.observe(result, parameters);
    const after = this.detection.finding;
    // The first probe that works finds what was taken for granted: no news.
    if (after !== before && (before !== null || after === 'DETECT_DEAD')) this.#newsFrom = 'probes';
    return changesOf(change);
  }

  /** B10, B11, B21. */
  failed(event: FailureEvent, parameters: CongestionParameters): ListChange[] {
    return event.atMs < this.#createdAtMs ? [] : changesOf(this.alive.fail(event, parameters));
  }

  /** Off the named list, or off all (null): what led to the listing is forgotten, only what comes now counts. */
  release(list: BlocklistName | null, at: Instant, evidence: Evidence): ListChange[] {
    const machines = [this.status, this.detection, this.alive].filter(
      ({ listing }) => listing !== null && (list === null || listing.list === list),
    );
    return changesOf(...machines.map((machine) => machine.release(at, evidence)));
  }

  /** B16–B21. `changed` is the evidence for what comes off by it. */
  setParameters(before: CongestionParameters, after: CongestionParameters, at: Instant, changed: Evidence) {
    return changesOf(
      this.status.setParameters(after, at, changed),
      this.detection.setParameters(after, at, changed),
      this.alive.setParameters(before, after, at, changed),
    );
  }

  /** Where it is listed; empty: it may receive requests. */
  listings(): Listing[] {
    return [this.status.listing, this.detection.listing, this.alive.listing].filter((listing) => listing !== null);
  }

  verdict(parameters: CongestionParameters): ServerVerdict {
    const isOnAnother = this.status.listing !== null || this.detection.listing !== null;
    return {
      address: this.told.address,
      lists: this.listings().map(({ list }) => list),
      retryAtMs: isOnAnother ? null : this.alive.retryAtMs(parameters),
    };
  }

  /** B1, B20: off the alive list too; but a server that came back too early goes on it until a try works. */
  #wash(told: ServerStatus, isTooEarly: boolean, at: Instant, parameters: CongestionParameters): ListChange | null {
    const evidence = viewEvidence(told);
    return isTooEarly ? this.alive.takeOver(at, evidence) : this.alive.wash(at, evidence, parameters);
  }
}

function changesOf(...changes: readonly (ListChange | null)[]): ListChange[] {
  return changes.filter((change) => change !== null);
}
