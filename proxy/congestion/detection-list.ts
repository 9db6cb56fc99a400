import { type KeptList, type ListChange, ListState } from './list-state.ts';
import { isOff } from './switched-off.ts';
import type { CongestionParameters, Evidence, Instant, ProbeResult } from './types.ts';

/** As many probes are kept for people to see. */
const KEPT_PROBES = 20;

type Finding = 'DETECT_ALIVE' | 'DETECT_DEAD' | null;

/** All that a `DetectionList` knows: goes to another process. */
export interface KeptDetection {
  readonly list: KeptList;
  readonly probes: readonly ProbeResult[];
  readonly failuresInRow: number;
  readonly finding: Finding;
}

/**
 * One server on the detection list (B5–B9): what this proxy's own probes find, whatever the cluster says. More than
 * `server_detect_fail_threshold` failed probes in a row make it DETECT_DEAD, one that works makes it DETECT_ALIVE.
 */
export class DetectionList {
  readonly #state = new ListState('detection');
  readonly #probes: ProbeResult[] = [];
  #failuresInRow = 0;
  #finding: Finding = null;

  get listing() {
    return this.#state.listing;
  }

  get lastListedWallAtMs(): number | null {
    return this.#state.lastListedWallAtMs;
  }

  /** Null: not probed, or neither alive nor dead yet. */
  get finding() {
    return this.#finding;
  }

  get failuresInRow(): number {
    return this.#failuresInRow;
  }

  /** The last ones, oldest first. */
  get probes(): readonly ProbeResult[] {
    return this.#probes;
  }

  get kept(): KeptDetection {
    return {
      list: this.#state.kept,
      probes: this.#probes,
      failuresInRow: this.#failuresInRow,
      finding: this.#finding,
    };
  }

  /** Goes on where another process was. */
  goOn({ list, probes, failuresInRow, finding }: KeptDetection): void {
    this.#state.goOn(list);
    this.#probes.splice(0, this.#probes.length, ...probes);
    this.#failuresInRow = failuresInRow;
    this.#finding = finding;
  }

  observe(probe: ProbeResult, parameters: CongestionParameters): ListChange | null {
    if (parameters.detectMode === 0) return null;
    this.#probes.push(probe);
    if (this.#probes.length > KEPT_PROBES) this.#probes.shift();
    if (!probe.ok) {
      this.#failuresInRow += 1;
      return this.#judge(probe, parameters);
    }
    this.#failuresInRow = 0;
    this.#finding = 'DETECT_ALIVE';
    return this.#state.leave(probe, probesEvidence([probe]));
  }

  /** By hand, or because nobody is probed any more: found out anew, from the next probe on. */
  release(at: Instant, evidence: Evidence): ListChange | null {
    this.#failuresInRow = 0;
    this.#finding = null;
    return this.#state.leave(at, evidence);
  }

  /** A lower threshold acts at once on the probes that failed already; B17 takes off, or puts back what is known dead. */
  setParameters(after: CongestionParameters, at: Instant, changed: Evidence): ListChange | null {
    if (after.detectMode === 0) return this.release(at, changed);
    if (isOff(after)) return this.#state.leave(at, changed);
    return this.#judge(at, after);
  }

  #judge(at: Instant, parameters: CongestionParameters): ListChange | null {
    if (this.#failuresInRow > parameters.detectFailThreshold) this.#finding = 'DETECT_DEAD';
    if (this.#finding !== 'DETECT_DEAD' || isOff(parameters)) return null;
    return this.#state.enter(at, probesEvidence(this.#probes.slice(-this.#failuresInRow)));
  }
}

function probesEvidence(probes: readonly ProbeResult[]): Evidence {
  return { kind: 'probes', probes: probes.map(({ address: _address, atMs: _atMs, ...probe }) => probe) };
}
