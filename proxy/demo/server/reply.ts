import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionBlock } from '../../wire/ob20/session-blocks.ts';
import { framePackets } from '../../wire/writer.ts';
import type { DemoFraming } from './framing.ts';

/** Holds answers back. */
interface Running {
  /** Resolves when answers may leave. */
  whenRunning(): Promise<void>;
}

/** Bytes gathered before they are written. */
const CHUNK_BYTES = 64 * 1024;

/** Bytes after which other connections get their turn. */
const TURN_BYTES = 1024 * 1024;

/** What goes along with the end of an answer in protocol 2.0. */
export interface AnswerEnd {
  readonly blocks: readonly SessionBlock[];
  readonly grantsRouting: boolean;
}

/** Of an answer that says nothing of session state. */
export const BARE_END: AnswerEnd = { blocks: [], grantsRouting: false };

/** Sends the packets of one answer with running sequence ids; waits while the reader is slow. */
export class Reply {
  readonly #socket: Socket;
  readonly #faults: Running;
  readonly #framing: DemoFraming | null;
  #sequence: number;
  #frames: Buffer[] = [];
  #bytes = 0;
  #written = 0;

  /**
   * @param sequence id of the first packet
   * @param framing protocol 2.0; null: packets go as they are
   */
  constructor(socket: Socket, faults: Running, sequence: number, framing: DemoFraming | null = null) {
    this.#framing = framing;
    this.#socket = socket;
    this.#faults = faults;
    this.#sequence = sequence & 0xff;
  }

  get nextSequence(): number {
    return this.#sequence;
  }

  set nextSequence(value: number) {
    this.#sequence = value & 0xff;
  }

  /** Adds a packet; true when enough is gathered that `flush` should follow. */
  add(payload: Uint8Array): boolean {
    const framed = framePackets(payload, this.#sequence);
    this.#sequence = (this.#sequence + Math.floor(payload.length / 0xffffff) + 1) & 0xff;
    this.#frames.push(framed);
    this.#bytes += framed.length;
    return this.#bytes >= CHUNK_BYTES;
  }

  /**
   * Writes what is gathered. Rejects when the connection is gone.
   * @param end told when the answer ends with it: what goes along in the last frame
   */
  async flush(end: AnswerEnd | null = null): Promise<void> {
    if (this.#frames.length === 0) return;
    await this.#faults.whenRunning();
    const packets =
      this.#frames.length === 1 && this.#frames[0] ? this.#frames[0] : Buffer.concat(this.#frames, this.#bytes);
    this.#frames = [];
    this.#bytes = 0;
    const data =
      this.#framing === null
        ? packets
        : this.#framing.frames(packets, end !== null, end?.blocks ?? [], end?.grantsRouting ?? false);
    if (this.#socket.destroyed || !this.#socket.writable) throw new ConnectionGone();
    if (this.#socket.write(data)) {
      // A reader that keeps up would otherwise keep every other session from its turn.
      this.#written += data.length;
      if (this.#written < TURN_BYTES) return;
      this.#written = 0;
      await nextTurn();
      return;
    }
    await drained(this.#socket);
    if (this.#socket.destroyed) throw new ConnectionGone();
  }
}

/** Resolves when the socket takes more, or is closed. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}

/** The other end has left: the connection's work ends without an answer. */
export class ConnectionGone extends Error {
  constructor() {
    super('the connection is closed');
    this.name = 'ConnectionGone';
  }
}
