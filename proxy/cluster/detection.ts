/**
 * When which server of one cluster is probed (B5–B7): the schedule only; the probe itself is passed in, and what its
 * results mean is the blocklist's matter. One per cluster, in the coordinator.
 */
import { errorText } from '../errors/odp-error.ts';
import { monotonicMs } from '../net/monotonic-clock.ts';
import { realTimers, type Timers } from '../net/timers.ts';

/** What one probe has found; null when nothing was sent, see `ServerProber.probe`. */
export interface ProbeAnswer {
  readonly ok: boolean;
  /** What went wrong or what is worth knowing, in words; may be empty. */
  readonly detail: string;
}

/** A probe's result with its time. */
export interface DetectionResult extends ProbeAnswer {
  readonly address: string;
  /** When the answer came or the probe was given up: monotonic milliseconds. */
  readonly atMs: number;
  /** The same on the wall clock, milliseconds since 1970. */
  readonly wallAtMs: number;
  readonly tookMs: number;
}

/** `server_detect_mode`: 0 nobody, 1 servers in use or failing, 2 all. */
export type DetectMode = 0 | 1 | 2;

/** What the schedule needs of its surroundings. */
export interface DetectionOptions {
  /** One probe; it must end by itself within its time-out. A rejection counts as a failed probe. */
  readonly probe: (address: string) => Promise<ProbeAnswer | null>;
  readonly onResult: (result: DetectionResult) => void;
  /** `server_detect_mode`; read before each probe. */
  readonly mode: () => DetectMode;
  /** `server_detect_refresh_interval`, milliseconds; read before each pause. */
  readonly intervalMs: () => number;
  /** For mode 1: the server has sessions or requests now, has failed lately, or is on the detection list. */
  readonly isInUse: (address: string) => boolean;
  readonly timers?: Timers;
  /** Monotonic milliseconds; by default those of `monotonicMs`. */
  readonly now?: () => number;
  /** Wall clock, milliseconds. */
  readonly wallNow?: () => number;
}

interface Target {
  readonly address: string;
  /** Place of its probes within the interval, 0 to 1. */
  readonly phase: number;
  timer: unknown;
  probing: boolean;
  /** Its last probe failed: it is probed on whatever the traffic, so that it can come back. */
  failing: boolean;
}

/** Multiples of this, taken modulo 1, lie evenly in the interval however many there are. */
const GOLDEN_RATIO = 0.618_033_988_749_895;

/** Probes the servers of one cluster in turn until `close`; at most one probe at a time for each. */
export class Detection {
  readonly #options: DetectionOptions;
  readonly #timers: Timers;
  readonly #now: () => number;
  readonly #wallNow: () => number;
  readonly #targets = new Map<string, Target>();
  #targetsEver = 0;
  #closed = false;

  constructor(options: DetectionOptions) {
    this.#options = options;
    this.#timers = options.timers ?? realTimers;
    this.#now = options.now ?? monotonicMs;
    this.#wallNow = options.wallNow ?? Date.now;
  }

  /** Probes these servers from now on and no other: what a probe under way finds about one that has left is not told. */
  setServers(addresses: Iterable<string>): void {
    const wanted = new Set(addresses);
    for (const target of [...this.#targets.values()]) {
      if (wanted.has(target.address)) continue;
      this.#targets.delete(target.address);
      this.#timers.clear(target.timer);
    }
    for (const address of wanted) {
      if (this.#targets.has(address) || this.#closed) continue;
      const phase = (this.#targetsEver * GOLDEN_RATIO) % 1;
      this.#targetsEver += 1;
      const target: Target = { address, phase, timer: null, probing: false, failing: false };
      this.#targets.set(address, target);
      this.#begin(target);
    }
  }

  /** Takes over another mode or interval at once: for when either has been altered. */
  reschedule(): void {
    for (const target of this.#targets.values()) if (!target.probing) this.#begin(target);
  }

  /** Nothing is probed or told after this. */
  close(): void {
    this.#closed = true;
    this.setServers([]);
  }

  /** The first probe comes at the server's own place in the interval, so that not all are probed at one moment. */
  #begin(target: Target): void {
    const intervalMs = this.#options.intervalMs();
    const offsetMs = this.#now() % intervalMs;
    const waitMs = target.phase * intervalMs - offsetMs;
    this.#schedule(target, waitMs < 0 ? waitMs + intervalMs : waitMs);
  }

  #schedule(target: Target, delayMs: number): void {
    this.#timers.clear(target.timer);
    // Without a timer in mode 0: `reschedule` sets it again.
    target.timer = this.#options.mode() === 0 ? null : this.#timers.set(() => void this.#due(target), delayMs);
  }

  async #due(target: Target): Promise<void> {
    const startedAtMs = this.#now();
    if (this.#isWanted(target)) await this.#probe(target, startedAtMs);
    if (!this.#isCurrent(target)) return;
    this.#schedule(target, Math.max(0, startedAtMs + this.#options.intervalMs() - this.#now()));
  }

  async #probe(target: Target, startedAtMs: number): Promise<void> {
    target.probing = true;
    const answer = await this.#options
      .probe(target.address)
      .catch((error: unknown): ProbeAnswer => ({ ok: false, detail: errorText(error) }));
    target.probing = false;
    // A result that comes after the switch-off would list a server that nothing could take off again.
    if (answer === null || !this.#isCurrent(target) || this.#options.mode() === 0) return;
    target.failing = !answer.ok;
    const atMs = this.#now();
    const { ok, detail } = answer;
    const wallAtMs = this.#wallNow();
    this.#options.onResult({ address: target.address, ok, detail, atMs, wallAtMs, tookMs: atMs - startedAtMs });
  }

  #isWanted(target: Target): boolean {
    switch (this.#options.mode()) {
      case 0:
        return false;
      case 1:
        return target.failing || this.#options.isInUse(target.address);
      case 2:
        return true;
    }
  }

  /** False once the server has left, also when it has come back meanwhile as a new one. */
  #isCurrent(target: Target): boolean {
    return this.#targets.get(target.address) === target;
  }
}
