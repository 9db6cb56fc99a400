/** What a benchmark has started: ended in the opposite order, also when somebody interrupts it. */
export class Started {
  readonly #parts: { close(): Promise<void> }[] = [];

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void this.close().finally(() => process.exit(1)));
    }
  }

  add<Part extends { close(): Promise<void> }>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  async close(): Promise<void> {
    for (const part of this.#parts.splice(0).reverse()) await part.close();
  }
}
