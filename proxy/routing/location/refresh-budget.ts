/** How many locations may be fetched anew in one second (`normal_pl_update_threshold`, `limited_pl_update_threshold`). */
export class RefreshBudget {
  readonly #perSecond: () => number;
  #secondBeganAtMs = Number.NEGATIVE_INFINITY;
  #taken = 0;

  /** @param perSecond what holds now; 0: none */
  constructor(perSecond: () => number) {
    this.#perSecond = perSecond;
  }

  /** False: not in this second. */
  take(nowMs: number): boolean {
    if (nowMs - this.#secondBeganAtMs >= 1000) {
      this.#secondBeganAtMs = nowMs;
      this.#taken = 0;
    }
    if (this.#taken >= this.#perSecond()) return false;
    this.#taken += 1;
    return true;
  }
}
