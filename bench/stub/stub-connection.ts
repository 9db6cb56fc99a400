import type { TcpHandle } from '../../proxy/net/raw-handles.ts';
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

/** One connection of the stub. Requests come whole and one at a time: nothing is put together or cut. */
export class StubConnection implements TransportHandler {
  readonly #transport: Transport;
  readonly #onGone: (connection: StubConnection) => void;
  #isLoggedIn = false;

  constructor(handle: TcpHandle, onGone: (connection: StubConnection) => void) {
    this.#onGone = onGone;
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
    const command = chunk[HEADER_LENGTH];
    if (command === COM.QUIT) return this.drop();
    this.#transport.write(command === COM.QUERY ? answerTo(chunk.toString('latin1', HEADER_LENGTH + 1, length)) : ok);
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
}

function answerTo(sql: string): Buffer {
  if (QUESTION.test(sql)) return unknown;
  return sql.startsWith('SELECT') ? row : ok;
}
