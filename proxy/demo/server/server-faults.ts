/** What is wrong with one server right now. */
export class ServerFaults {
  /** Milliseconds to wait before each answer. */
  slowMs = 0;
  /** Error number that every statement is answered with; 0 for none. */
  errorCode = 0;
  errorMessage = '';
  /** So many answers more carry a wrong checksum, where the protocol has one. */
  wrongChecksums = 0;
  /** Answers every statement of a transaction that began elsewhere with error 6279. */
  refusesToTakePart = false;
  #frozen = false;
  #waiting: (() => void)[] = [];
  #holding = false;
  readonly #held = new Set<() => void>();

  /** Like a stopped process: connections are accepted by the system, nothing is read or answered. */
  get frozen(): boolean {
    return this.#frozen;
  }

  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  /** Requests are taken and not begun: every thread of the server is busy. */
  hold(): void {
    this.#holding = true;
  }

  letGo(): void {
    this.#holding = false;
    for (const begin of this.#held) begin();
  }

  /** Requests that have come and wait. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Resolves when requests are begun. @param interrupt rejects the wait with its reason */
  async whenBegun(interrupt: AbortSignal): Promise<void> {
    if (!this.#holding) return;
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.#held.delete(begin);
        interrupt.removeEventListener('abort', stop);
        settle();
      };
      const begin = (): void => end(resolve);
      const stop = (): void => end(() => reject(interrupt.reason));
      interrupt.addEventListener('abort', stop, { once: true });
      this.#held.add(begin);
    });
  }

  /** Resolves at once when the server is not frozen, else when it is thawed. */
  async whenRunning(): Promise<void> {
    while (this.#frozen) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }
}
