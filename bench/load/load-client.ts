import type { Transport, TransportHandler } from '../../proxy/net/transport.ts';
import { HEADER_LENGTH } from '../../proxy/wire/constants.ts';
import { parseErr } from '../../proxy/wire/err-packet.ts';
import type { IdleClient } from '../idle/idle-client.ts';

/** An EOF packet is the last one of a row's reply. */
const EOF_FRAME_BYTES = HEADER_LENGTH + 5;

/** Of all clients of a process. */
export interface LoadState {
  isRunning: boolean;
  replies: number;
  /** Requests that are under way. */
  open: number;
  onQuiet: () => void;
  onFailure: (reason: string) => void;
}

/** Asks as soon as it is answered; nothing is made for a request. */
export class LoadClient implements TransportHandler {
  readonly #transport: Transport;
  readonly #state: LoadState;
  #request: Buffer | null = null;

  constructor(client: IdleClient, state: LoadState) {
    this.#state = state;
    this.#transport = client.handTo(this);
  }

  begin(request: Buffer): void {
    this.#request = request;
    this.#state.open += 1;
    this.#transport.write(request);
  }

  onData(chunk: Buffer, length: number): void {
    if (chunk[HEADER_LENGTH] === 0xff) {
      return this.#state.onFailure(parseErr(chunk.subarray(HEADER_LENGTH, length)).message);
    }
    const end = length - EOF_FRAME_BYTES;
    if (end < 0 || chunk[end] !== 5 || chunk[end + HEADER_LENGTH] !== 0xfe) return;
    const state = this.#state;
    state.replies += 1;
    if (state.isRunning && this.#request !== null) {
      this.#transport.write(this.#request);
      return;
    }
    state.open -= 1;
    if (state.open === 0) state.onQuiet();
  }

  onDrain(): void {
    // A request of any length is in the buffer of its own that was given.
  }

  onClose(reason: string): void {
    this.#state.onFailure(reason);
  }

  close(): void {
    this.#transport.destroy();
  }
}
