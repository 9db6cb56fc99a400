/** Reads one very long result as fast as it comes, and keeps nothing of it. */
import { type ConnectHandler, Transport } from '../../proxy/net/transport.ts';
import { CAP, COLLATION, COM, HEADER_LENGTH, NATIVE_PASSWORD } from '../../proxy/wire/constants.ts';
import { buildHandshakeResponse } from '../../proxy/wire/handshake.ts';
import { ResponseScanner } from '../../proxy/wire/response-scanner.ts';
import type { ScannerSink } from '../../proxy/wire/scanner-types.ts';
import { framePackets } from '../../proxy/wire/writer.ts';
import type { Login } from './sysbench.ts';

const MIB = 1024 * 1024;
const capabilities =
  CAP.PROTOCOL_41 | CAP.SECURE_CONNECTION | CAP.PLUGIN_AUTH | CAP.PLUGIN_AUTH_LENENC | CAP.CONNECT_WITH_DB;
const mode = { clientCapabilities: capabilities, serverCapabilities: capabilities, extraOk: false };

/** Rows of a kibibyte, made by MariaDB as they are sent. */
const resultSql = (mebibytes: number): string => `SELECT REPEAT('x', 1020) FROM seq_1_to_${mebibytes * 1024}`;

class ResultReader implements ConnectHandler, ScannerSink {
  bytes = 0;
  readonly finished = Promise.withResolvers<void>();
  readonly #login: Login;
  readonly #request: Buffer;
  readonly #transport: Transport;
  readonly #scanner = new ResponseScanner(this, mode);
  #step: 'greeting' | 'login' | 'result' = 'greeting';

  constructor(login: Login, mebibytes: number) {
    this.#login = login;
    this.#request = framePackets(Buffer.concat([Buffer.of(COM.QUERY), Buffer.from(resultSql(mebibytes))]), 0);
    this.#transport = Transport.connect('127.0.0.1', login.port, this);
  }

  onConnect(): void {
    // The server has the first word.
  }

  onData(chunk: Buffer, length: number): void {
    if (this.#step === 'result') {
      this.#scanner.feed(chunk, 0, length);
      if (this.#scanner.done) this.#end(this.#scanner.errno === 0 ? null : `error ${this.#scanner.errno}`);
      return;
    }
    if (chunk[HEADER_LENGTH] === 0xff) return this.#end(chunk.toString('utf8', HEADER_LENGTH + 9, length));
    if (this.#step === 'greeting') {
      this.#step = 'login';
      const who = { user: this.#login.user, authAnswer: Buffer.alloc(0), authPlugin: NATIVE_PASSWORD, attributes: [] };
      const how = { capabilities, maxPacketBytes: 1 << 24, collation: COLLATION.UTF8MB4_GENERAL_CI };
      const login = buildHandshakeResponse({ ...who, ...how, database: this.#login.database });
      this.#transport.write(framePackets(login, 1));
      return;
    }
    this.#step = 'result';
    this.#scanner.begin('result', mode);
    this.#transport.write(this.#request);
  }

  onDrain(): void {
    // What it sends is short.
  }

  onClose(reason: string): void {
    this.#end(reason);
  }

  #end(reason: string | null): void {
    this.#transport.destroy();
    if (reason === null) this.finished.resolve();
    else this.finished.reject(new Error(`a long result did not come to its end: ${reason}`));
  }

  pass(_chunk: Buffer, start: number, end: number): void {
    this.bytes += end - start;
  }

  emit(frame: Buffer): void {
    this.bytes += frame.length;
  }

  onState(): void {
    // None is asked for.
  }

  onPrepared(id: number): number {
    return id;
  }

  onError(): void {
    // Told by the scanner.
  }

  onInfileRequest(): void {
    // None is asked for.
  }
}

/** @throws Error when it breaks off, or is not of the size it should have */
export async function readResult(
  login: Login,
  mebibytes: number,
): Promise<{ readonly mebibytes: number; readonly ms: number }> {
  const began = performance.now();
  const reader = new ResultReader(login, mebibytes);
  await reader.finished.promise;
  const read = reader.bytes / MIB;
  if (read < mebibytes) throw new Error(`a result of ${mebibytes} MiB came with ${read.toFixed(1)} MiB`);
  return { mebibytes: read, ms: performance.now() - began };
}
