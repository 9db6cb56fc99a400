import { FailureWindow, type KeptWindow } from './failure-window.ts';
import { type KeptList, type ListChange, ListState } from './list-state.ts';
import { isOff } from './switched-off.ts';
import type { CongestionParameters, Evidence, FailureEvent, Instant } from './types.ts';

/** As many of the failures that make up the count are kept whole, as evidence. */
const KEPT_FAILURES = 50;

/** All that an `AliveList` knows: goes to another process. */
export interface KeptAlive {
  readonly list: KeptList;
  readonly failures: KeptWindow;
  readonly connectFailures: KeptWindow;
  readonly counted: readonly FailureEvent[];
  readonly failureTotal: number;
  readonly connectFailureTotal: number;
  readonly lastFailureWallAtMs: number | null;
  readonly lastConnectFailureWallAtMs: number | null;
  /** Null: never. */
  readonly lastTryAtMs: number | null;
}

/**
 * One server on the list of those that are alive but unavailable (B10–B13), by what business SQL met there. Deliberately
 * slow to judge: `congestion_failure_threshold` failures within `congestion_fail_window` list it, a tried request that
 * works releases it. Whenever it is released counting begins anew, so that no single failure lists it again.
 */
export class AliveList {
  readonly #state = new ListState('alive');
  readonly #failures: FailureWindow;
  readonly #connectFailures: FailureWindow;
  /** The last ones that count, oldest first. */
  readonly #counted: FailureEvent[] = [];
  #failureTotal = 0;
  #connectFailureTotal = 0;
  #lastFailureWallAtMs: number | null = null;
  #lastConnectFailureWallAtMs: number | null = null;
  #lastTryAtMs = Number.NEGATIVE_INFINITY;

  constructor(parameters: CongestionParameters, atMs: number) {
    this.#failures = new FailureWindow(parameters.failWindowMs, atMs);
    this.#connectFailures = new FailureWindow(parameters.failWindowMs, atMs);
  }

  get listing() {
    return this.#state.listing;
  }

  get lastListedWallAtMs(): number | null {
    return this.#state.lastListedWallAtMs;
  }

  kept(atMs: number): KeptAlive {
    return {
      list: this.#state.kept,
      failures: this.#failures.kept(atMs),
      connectFailures: this.#connectFailures.kept(atMs),
      counted: this.#counted,
      failureTotal: this.#failureTotal,
      connectFailureTotal: this.#connectFailureTotal,
      lastFailureWallAtMs: this.#lastFailureWallAtMs,
      lastConnectFailureWallAtMs: this.#lastConnectFailureWallAtMs,
      lastTryAtMs: Number.isFinite(this.#lastTryAtMs) ? this.#lastTryAtMs : null,
    };
  }

  /** Goes on where another process was. */
  goOn(kept: KeptAlive): void {
    this.#state.goOn(kept.list);
    this.#failures.goOn(kept.failures);
    this.#connectFailures.goOn(kept.connectFailures);
    this.#counted.splice(0, this.#counted.length, ...kept.counted);
    this.#failureTotal = kept.failureTotal;
    this.#connectFailureTotal = kept.connectFailureTotal;
    this.#lastFailureWallAtMs = kept.lastFailureWallAtMs;
    this.#lastConnectFailureWallAtMs = kept.lastConnectFailureWallAtMs;
    this.#lastTryAtMs = kept.lastTryAtMs ?? Number.NEGATIVE_INFINITY;
  }

  /** B12: from when on one request may try the server; null: not listed. */
  retryAtMs({ retryIntervalMs }: CongestionParameters): number | null {
    const listedAtMs = this.#state.listing?.atMs;
    return listedAtMs === undefined ? null : Math.max(listedAtMs, this.#lastTryAtMs) + retryIntervalMs;
  }

  /** B10, B11, B21. */
  fail(event: FailureEvent, parameters: CongestionParameters): ListChange | null {
    const isTimeout = event.kind === 'connect-timeout';
    if (isTimeout && event.tookMs < parameters.minConnectTimeoutMs) return null;
    if (!this.#record(event) || isOff(parameters)) return null;
    const isEnough = isTimeout || this.#failures.count(event.atMs) >= parameters.failureThreshold;
    return isEnough ? this.#state.enter(event, this.#evidence(event.atMs, parameters)) : null;
  }

  /** B12: a request is on its way to try the server; the next one may do so an interval later. */
  startRetry(atMs: number): void {
    this.#lastTryAtMs = Math.max(this.#lastTryAtMs, atMs);
  }

  /** B13. */
  succeed(at: Instant, sessionId: number, parameters: CongestionParameters): ListChange | null {
    return this.wash(at, { kind: 'success', sessionId }, parameters);
  }

  /** Releases, but not before `min_keep_congestion_interval` (B13, B20). */
  wash(at: Instant, evidence: Evidence, { minKeepMs }: CongestionParameters): ListChange | null {
    return this.#state.hasKept(at.atMs, minKeepMs) ? this.release(at, evidence) : null;
  }

  /** Releases at once, and begins counting anew. */
  release(at: Instant, evidence: Evidence): ListChange | null {
    const change = this.#state.leave(at, evidence);
    if (change !== null) this.#restart(at.atMs);
    return change;
  }

  /** It left the status list too early (B20): kept away from, until a try works. */
  takeOver(at: Instant, evidence: Evidence): ListChange | null {
    return this.#state.enter(at, evidence);
  }

  /** B17, B18: a new window counts anew; a raised threshold releases, a lowered one may list, both at once. */
  setParameters(before: CongestionParameters, after: CongestionParameters, at: Instant, changed: Evidence) {
    if (after.failWindowMs !== before.failWindowMs) {
      this.#restart(at.atMs, after.failWindowMs);
      return this.#state.leave(at, changed);
    }
    if (isOff(after) || after.failureThreshold > before.failureThreshold) return this.#state.leave(at, changed);
    const isEnough = this.#failures.count(at.atMs) >= after.failureThreshold;
    const isLowered = after.failureThreshold < before.failureThreshold;
    return isLowered && isEnough ? this.#state.enter(at, this.#evidence(at.atMs, after)) : null;
  }

  /** Numbers of the columns, as they are at `atMs`. */
  counts(atMs: number) {
    return {
      failureTotal: this.#failureTotal,
      failuresInWindow: this.#failures.count(atMs),
      lastFailureWallAtMs: this.#lastFailureWallAtMs,
      connectFailureTotal: this.#connectFailureTotal,
      connectFailuresInWindow: this.#connectFailures.count(atMs),
      lastConnectFailureWallAtMs: this.#lastConnectFailureWallAtMs,
    };
  }

  histogram(atMs: number, parts: number): number[] {
    return this.#failures.histogram(atMs, parts);
  }

  /** The failures that count now, at most the last 50, oldest first. */
  countedFailures(atMs: number, { failWindowMs }: CongestionParameters): readonly FailureEvent[] {
    return this.#counted.filter((failure) => failure.atMs >= atMs - failWindowMs);
  }

  /** False: told too late to count. */
  #record(event: FailureEvent): boolean {
    this.#failureTotal += 1;
    this.#lastFailureWallAtMs = event.wallAtMs;
    if (event.kind === 'connect-failure' || event.kind === 'connect-timeout') {
      this.#connectFailureTotal += 1;
      this.#lastConnectFailureWallAtMs = event.wallAtMs;
      this.#connectFailures.add(event.atMs);
    }
    if (!this.#failures.add(event.atMs)) return false;
    this.#counted.push(event);
    if (this.#counted.length > KEPT_FAILURES) this.#counted.shift();
    return true;
  }

  #restart(atMs: number, windowMs?: number): void {
    this.#failures.restart(atMs, windowMs);
    this.#connectFailures.restart(atMs, windowMs);
    this.#counted.length = 0;
  }

  #evidence(atMs: number, parameters: CongestionParameters): Evidence {
    const failures = this.countedFailures(atMs, parameters);
    return { kind: 'failures', failures: failures.map(({ address: _address, atMs: _atMs, ...failure }) => failure) };
  }
}
