import type { ConnectHandler } from '../transport.ts';

/** A transport's handler that keeps what it is told and lets tests wait for it. */
export class RecordingHandler implements ConnectHandler {
  readonly chunks: Buffer[] = [];
  readonly closeReasons: string[] = [];
  byteCount = 0;
  drains = 0;
  connects = 0;
  /** Called with the transport's own buffer, after it has been copied. */
  onChunk: (chunk: Buffer, length: number) => void = () => undefined;
  #waiting: { done: () => boolean; resolve: () => void }[] = [];

  onConnect(): void {
    this.connects++;
    this.#check();
  }

  onData(chunk: Buffer, length: number): void {
    this.chunks.push(Buffer.from(chunk.subarray(0, length)));
    this.byteCount += length;
    this.onChunk(chunk, length);
    this.#check();
  }

  onDrain(): void {
    this.drains++;
    this.#check();
  }

  onClose(reason: string): void {
    this.closeReasons.push(reason);
    this.#check();
  }

  get received(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** Resolves at the first event after which the condition holds. */
  until(done: () => boolean): Promise<void> {
    if (done()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ done, resolve }));
  }

  #check(): void {
    const ready = this.#waiting.filter(({ done }) => done());
    this.#waiting = this.#waiting.filter((waiting) => !ready.includes(waiting));
    for (const { resolve } of ready) resolve();
  }
}
