import { type KeptList, type ListChange, ListState } from './list-state.ts';
import { isOff } from './switched-off.ts';
import type { CongestionParameters, Evidence, Instant, ServerStatus } from './types.ts';

/** What became of a change of state. */
interface StatusEffect {
  readonly change: ListChange | null;
  /** B1: it has become ACTIVE: what else is held against it is to be washed off. */
  readonly isBack: boolean;
  /** It was on the list proper, for less than `min_keep_congestion_interval` (B20). */
  readonly isTooEarly: boolean;
}

/** All that a `StatusList` knows: goes to another process. */
export interface KeptStatus {
  readonly list: KeptList;
  readonly told: ServerStatus;
  readonly deadSince: Instant | null;
  readonly lastDeadWallAtMs: number | null;
  readonly isUpgrading: boolean;
}

/**
 * One server on the status list (B1–B4), by what the cluster's views say. Two things keep requests away: being on the list
 * proper (INACTIVE, REPLAY; column `dead_congested`), and an UPGRADE of the server or its zone, which has the same effect
 * without being on it. Only a change of state acts; the same state told again does not.
 */
export class StatusList {
  readonly #state = new ListState('status');
  #told: ServerStatus;
  #deadSince: Instant | null = null;
  #lastDeadWallAtMs: number | null = null;
  #isUpgrading = false;

  /** A server is taken to be ACTIVE until `observe` says what it is. */
  constructor(told: ServerStatus) {
    this.#told = { ...told, state: 'ACTIVE', zoneState: 'ACTIVE' };
  }

  get listing() {
    return this.#state.listing;
  }

  /** What the views said last. */
  get told(): ServerStatus {
    return this.#told;
  }

  /** On the list proper. */
  get isDead(): boolean {
    return this.#deadSince !== null && this.#state.listing !== null;
  }

  /** When it last came on the list proper, also after it has left; null: never. */
  get lastDeadWallAtMs(): number | null {
    return this.#lastDeadWallAtMs;
  }

  get kept(): KeptStatus {
    return {
      list: this.#state.kept,
      told: this.#told,
      deadSince: this.#deadSince,
      lastDeadWallAtMs: this.#lastDeadWallAtMs,
      isUpgrading: this.#isUpgrading,
    };
  }

  /** Goes on where another process was. */
  goOn({ list, told, deadSince, lastDeadWallAtMs, isUpgrading }: KeptStatus): void {
    this.#state.goOn(list);
    this.#told = told;
    this.#deadSince = deadSince;
    this.#lastDeadWallAtMs = lastDeadWallAtMs;
    this.#isUpgrading = isUpgrading;
  }

  observe(told: ServerStatus, at: Instant, parameters: CongestionParameters): StatusEffect {
    const before = this.#told;
    this.#told = told;
    const isNewState = told.state !== before.state;
    if (!isNewState && told.zoneState === before.zoneState) return { change: null, isBack: false, isTooEarly: false };
    const isBack = isNewState && told.state === 'ACTIVE';
    const deadForMs = this.isDead ? at.atMs - (this.#deadSince?.atMs ?? at.atMs) : Number.POSITIVE_INFINITY;
    if (isBack) this.#deadSince = null;
    if (isNewState && (told.state === 'INACTIVE' || told.state === 'REPLAY')) this.#setDead(at);
    this.#isUpgrading = told.state === 'UPGRADE' || told.zoneState === 'UPGRADE';
    return {
      change: this.#follow(viewEvidence(told), at, parameters),
      isBack,
      isTooEarly: isBack && deadForMs < parameters.minKeepMs,
    };
  }

  /** By hand: off until the state changes. */
  release(at: Instant, evidence: Evidence): ListChange | null {
    this.#deadSince = null;
    this.#isUpgrading = false;
    return this.#state.leave(at, evidence);
  }

  /** B17: the lists have been switched off, or on again; what the views said meanwhile is known. */
  setParameters(after: CongestionParameters, at: Instant, changed: Evidence): ListChange | null {
    return this.#follow(isOff(after) ? changed : viewEvidence(this.#told), at, after);
  }

  #setDead(at: Instant): void {
    if (this.#deadSince !== null) return;
    this.#deadSince = at;
    this.#lastDeadWallAtMs = at.wallAtMs;
  }

  #follow(evidence: Evidence, at: Instant, parameters: CongestionParameters): ListChange | null {
    const isBlocked = (this.#deadSince !== null || this.#isUpgrading) && !isOff(parameters);
    return isBlocked ? this.#state.enter(at, evidence) : this.#state.leave(at, evidence);
  }
}

/** The view's row as evidence. */
export function viewEvidence({ state, zoneState, reason }: ServerStatus): Evidence {
  return { kind: 'view', state, zoneState, reason };
}
