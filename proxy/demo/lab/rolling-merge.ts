/** How far a rolling merge is. */
export interface RollingState {
  readonly zone: string;
  /** From 1 on. */
  readonly step: number;
  readonly steps: number;
  readonly perZoneMs: number;
  /** When the first zone began to merge; milliseconds since 1970. */
  readonly sinceMs: number;
}

/** A major merge as a cluster runs it: one zone after the other, so that the others serve meanwhile. */
export class RollingMerge {
  readonly #zones: readonly string[];
  readonly #setMerging: (zone: string, merging: boolean) => void;
  #state: RollingState | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(zones: readonly string[], setMerging: (zone: string, merging: boolean) => void) {
    this.#zones = zones;
    this.#setMerging = setMerging;
  }

  /** Null: none is under way. */
  get state(): RollingState | null {
    return this.#state;
  }

  /** Begins with the first zone, whether or not one is under way. @param perZoneMs 0 ends it */
  start(perZoneMs: number): void {
    clearTimeout(this.#timer);
    if (this.#state !== null) this.#setMerging(this.#state.zone, false);
    this.#state = null;
    if (perZoneMs > 0) this.#merge(1, perZoneMs, Date.now());
  }

  #merge(step: number, perZoneMs: number, sinceMs: number): void {
    const zone = this.#zones[step - 1];
    if (zone === undefined) {
      this.#state = null;
      return;
    }
    this.#setMerging(zone, true);
    this.#state = { zone, step, steps: this.#zones.length, perZoneMs, sinceMs };
    this.#timer = setTimeout(() => {
      this.#setMerging(zone, false);
      this.#merge(step + 1, perZoneMs, sinceMs);
    }, perZoneMs).unref();
  }
}
