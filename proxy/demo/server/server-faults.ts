/** What is wrong with one server right now. */
export class ServerFaults {
  /** Milliseconds to wait before each answer. */
  slowMs = 0;
  /** Error number that every statement is answered with; 0 for none. */
  errorCode = 0;
  errorMessage = '';
  #frozen = false;
  #waiting: (() => void)[] = [];

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

  /** Resolves at once when the server is not frozen, else when it is thawed. */
  async whenRunning(): Promise<void> {
    while (this.#frozen) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }
}
