/** Pieces of a reply that go to the client in one system call. */
export interface ChunkReceiver {
  /** False: not all has left this process; wait. */
  writeClient(bytes: Uint8Array): boolean;
  writeClientAll(chunks: readonly Uint8Array[]): boolean;
}

export class OutgoingChunks {
  #first: Uint8Array | null = null;
  #more: Uint8Array[] = [];

  addRange(chunk: Buffer, start: number, end: number): void {
    this.add(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end));
  }

  add(bytes: Uint8Array): void {
    if (this.#first === null) this.#first = bytes;
    else this.#more.push(bytes);
  }

  /** What was collected is not sent. */
  clear(): void {
    this.#first = null;
    this.#more = [];
  }

  /** Sends what was collected. Same answer as a transport's write. */
  flush(receiver: ChunkReceiver): boolean {
    const first = this.#first;
    if (first === null) return true;
    this.#first = null;
    if (this.#more.length === 0) return receiver.writeClient(first);
    const chunks = [first, ...this.#more];
    this.#more = [];
    return receiver.writeClientAll(chunks);
  }
}
