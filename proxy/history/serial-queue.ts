/** Runs tasks one after the other, in the order they came; a failed one does not stop the next. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** @returns what the task returns, or its error. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(task);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Settles when everything asked for so far is done. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
