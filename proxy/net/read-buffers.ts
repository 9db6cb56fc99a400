/**
 * Memory that the connections of a thread read into. All share one buffer: what is read is looked at and passed on before
 * anybody reads again, so that an idle connection needs none. What has to last longer than the event is copied: by
 * sessions what they keep, here what is being written.
 */

/** Larger reads cost fewer system calls (perf: 64 KiB suits long results). */
const READ_BYTES = 64 * 1024;

/** Where the connections of this thread read to, unless one has a buffer of its own. */
export const sharedBuffer: Buffer = Buffer.allocUnsafeSlow(READ_BYTES);

/** Of so many buffers that are given back some are needed again at once: long results have short reads among full ones. */
const MAX_SPARE = 16;
const spare: Buffer[] = [];

/** A buffer for one connection: of what comes faster than it is taken copies would cost too much. */
export const takeReadBuffer = (): Buffer => spare.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES);

/** The connection reads into the shared one again, and nothing that it was given is still being written. */
export function giveReadBuffer(buffer: Buffer): void {
  if (spare.length < MAX_SPARE) spare.push(buffer);
}

/** Whether the bytes are gone as soon as the event is over. */
export const isShared = (bytes: Uint8Array): boolean => bytes.buffer === sharedBuffer.buffer;

/** Place for copies of shared bytes while they are written: used again and again as long as they leave at once. */
class CopySpace {
  readonly #size: number;
  #bytes: Buffer;
  /** By length: views cost more than the copies. */
  #views: (Buffer | undefined)[] = [];
  readonly #longestView: number;

  constructor(size: number, longestView: number) {
    this.#size = size;
    this.#longestView = longestView;
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** A copy of `sharedBuffer[start, end)`, good until the next one unless it is left to its reader. */
  copy(start: number, end: number): Buffer {
    const view = this.#viewOf(end - start);
    sharedBuffer.copy(view, 0, start, end);
    return view;
  }

  #viewOf(length: number): Buffer {
    if (length > this.#longestView) return this.#bytes.subarray(0, length);
    const known = this.#views[length];
    if (known !== undefined) return known;
    const view = this.#bytes.subarray(0, length);
    this.#views[length] = view;
    return view;
  }

  /** The copy made last is still being written: it keeps its place, others are made elsewhere. */
  leave(): void {
    this.#bytes = Buffer.allocUnsafeSlow(this.#size);
    this.#views = [];
  }
}

const SHORT_BYTES = 4 * 1024;
/** Two places, so that a short copy that has to wait for a slow reader does not hold much. */
const short = new CopySpace(SHORT_BYTES, 1024);
const long = new CopySpace(READ_BYTES, 0);

/** The place for a copy of so many bytes. */
export const copySpace = (length: number): CopySpace => (length <= SHORT_BYTES ? short : long);

/** The same pieces, of shared bytes copies: for lists, which are rare. */
export const lasting = (chunks: readonly Uint8Array[]): readonly Uint8Array[] =>
  chunks.some(isShared) ? chunks.map((chunk) => (isShared(chunk) ? Buffer.from(chunk) : chunk)) : chunks;
