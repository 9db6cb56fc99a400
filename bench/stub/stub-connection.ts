import type { ConnectionHandle } from '../../proxy/net/raw-handles.ts';
import { Transport, type TransportHandler } from '../../proxy/net/transport.ts';
import { makeScramble } from '../../proxy/wire/auth.ts';
import {
  CAP,
  COLLATION,
  COLUMN_TYPE,
  COM,
  HEADER_LENGTH,
  NATIVE_PASSWORD,
  STATUS,
} from '../../proxy/wire/constants.ts';
import { buildErr } from '../../proxy/wire/err-packet.ts';
import { buildGreeting } from '../../proxy/wire/handshake.ts';
import { buildOk } from '../../proxy/wire/ok-packet.ts';
import { buildResultSet } from '../../proxy/wire/result-set.ts';
import { framePackets } from '../../proxy/wire/writer.ts';
import type { Metadata } from './metadata.ts';

const capabilities =
  CAP.LONG_PASSWORD |
  CAP.CONNECT_WITH_DB |
  CAP.PROTOCOL_41 |
  CAP.TRANSACTIONS |
  CAP.SECURE_CONNECTION |
  CAP.MULTI_STATEMENTS |
  CAP.PLUGIN_AUTH |
  CAP.PLUGIN_AUTH_LENENC;
const scramble = makeScramble();
const loggedIn = framePackets(buildOk(), 2);
const ok = framePackets(buildOk(), 1);
/** To what the proxy asks of itself: the server is no OceanBase, and the configured list stays in force. */
const unknown = framePackets(buildErr({ errno: 1146, sqlState: '42S02', message: 'no such table' }), 1);
const row = buildResultSet({
  columns: [{ name: 'c', type: COLUMN_TYPE.VAR_STRING }],
  rows: [['x'.repeat(119)]],
  status: STATUS.AUTOCOMMIT,
  deprecateEof: false,
});
const QUESTION = /oceanbase\.|DBA_OB|__all/i;

let lastId = 0;

/** So much of a text tells what it asks. */
const HEAD_BYTES = 512;

/** One connection of the stub. Requests come one at a time; of a long one only the beginning is looked at. */
export class StubConnection implements TransportHandler {
  readonly #transport: Transport;
  readonly #onGone: (connection: StubConnection) => void;
  #isLoggedIn = false;
  /** Bytes of a request that are still to come, and the answer to it. */
  #missing = 0;
  #answer = ok;

  readonly #metadata: Metadata | null;

  /** @param metadata what it tells of the cluster; null: nothing */
  constructor(handle: ConnectionHandle, metadata: Metadata | null, onGone: (connection: StubConnection) => void) {
    this.#onGone = onGone;
    this.#metadata = metadata;
    this.#transport = Transport.accepted(handle, this);
    lastId += 1;
    const greeting = { serverVersion: '5.7.25-stub', connectionId: lastId, scramble, capabilities };
    const rest = { collation: COLLATION.UTF8MB4_GENERAL_CI, status: STATUS.AUTOCOMMIT, authPlugin: NATIVE_PASSWORD };
    this.#transport.write(framePackets(buildGreeting({ ...greeting, ...rest }), 0));
  }

  onData(chunk: Buffer, length: number): void {
    if (!this.#isLoggedIn) {
      this.#isLoggedIn = true;
      this.#transport.write(loggedIn);
      return;
    }
    if (this.#missing === 0) {
      const command = chunk[HEADER_LENGTH];
      if (command === COM.QUIT) return this.drop();
      this.#answer = command === COM.QUERY ? this.#answerTo(chunk, length) : ok;
      this.#missing = HEADER_LENGTH + chunk.readUIntLE(0, 3);
    }
    this.#missing -= length;
    if (this.#missing <= 0) {
      this.#missing = 0;
      this.#transport.write(this.#answer);
    }
  }

  onDrain(): void {
    // Nothing waits for it.
  }

  onClose(): void {
    this.#onGone(this);
  }

  drop(): void {
    this.#transport.destroy();
    this.#onGone(this);
  }

  #answerTo(chunk: Buffer, length: number): Buffer {
    const sql = chunk.toString('latin1', HEADER_LENGTH + 1, Math.min(length, HEADER_LENGTH + 1 + HEAD_BYTES));
    if (QUESTION.test(sql)) return this.#metadata?.answerTo(sql) ?? unknown;
    return sql.startsWith('SELECT') ? row : ok;
  }
}
