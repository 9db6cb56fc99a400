/** Pieces of a reply that go to the client in one system call. */
export interface ChunkReceiver {
  /** False: not all has left this process; wait. */
  writeClientRange(chunk: Buffer, start: number, end: number): boolean;
  writeClientAll(chunks: readonly Uint8Array[]): boolean;
}

export class OutgoingChunks {
  /** Nearly always there is one piece: it is kept as it came, without a view made of it. */
  #chunk: Buffer | null = null;
  #start = 0;
  #end = 0;
  #more: Uint8Array[] | null = null;

  addRange(chunk: Buffer, start: number, end: number): void {
    if (this.#chunk === null) {
      this.#chunk = chunk;
      this.#start = start;
      this.#end = end;
      return;
    }
    this.#more ??= [this.#chunk.subarray(this.#start, this.#end)];
    this.#more.push(chunk.subarray(start, end));
  }

  add(bytes: Buffer): void {
    this.addRange(bytes, 0, bytes.length);
  }

  /** What was collected is not sent. */
  clear(): void {
    this.#chunk = null;
    this.#more = null;
  }

  /** Sends what was collected. Same answer as a transport's write. */
  flush(receiver: ChunkReceiver): boolean {
    const chunk = this.#chunk;
    if (chunk === null) return true;
    const more = this.#more;
    this.clear();
    return more === null ? receiver.writeClientRange(chunk, this.#start, this.#end) : receiver.writeClientAll(more);
  }
}
