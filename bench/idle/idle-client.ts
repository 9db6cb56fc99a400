import { type ConnectHandler, Transport, type TransportHandler } from '../../proxy/net/transport.ts';
import { CAP, COLLATION, COM, HEADER_LENGTH, NATIVE_PASSWORD } from '../../proxy/wire/constants.ts';
import { parseErr } from '../../proxy/wire/err-packet.ts';
import { buildHandshakeResponse } from '../../proxy/wire/handshake.ts';
import { framePackets } from '../../proxy/wire/writer.ts';

const capabilities =
  CAP.LONG_PASSWORD |
  CAP.PROTOCOL_41 |
  CAP.TRANSACTIONS |
  CAP.SECURE_CONNECTION |
  CAP.PLUGIN_AUTH |
  CAP.PLUGIN_AUTH_LENENC |
  CAP.CONNECT_WITH_DB;
const query = framePackets(Buffer.concat([Buffer.of(COM.QUERY), Buffer.from('SELECT c FROM sbtest1 WHERE id=1')]), 0);
const ping = framePackets(Buffer.of(COM.PING), 0);

/** A client that logs in without a password, may ask something, and then does nothing. */
export class IdleClient implements ConnectHandler {
  readonly #transport: Transport;
  readonly #user: string;
  #hasGreeting = false;
  #answer = Promise.withResolvers<void>();

  private constructor(port: number, user: string) {
    this.#user = user;
    this.#transport = Transport.connect('127.0.0.1', port, this);
  }

  /** @throws Error with the proxy's words when it does not let the client in */
  static async connect(port: number, user: string): Promise<IdleClient> {
    const client = new IdleClient(port, user);
    await client.#answer.promise;
    return client;
  }

  /** One query and its reply, which has to come in one piece. */
  ask(): Promise<void> {
    return this.#request(query);
  }

  /** A request that the proxy answers itself. */
  ping(): Promise<void> {
    return this.#request(ping);
  }

  #request(frame: Buffer): Promise<void> {
    this.#answer = Promise.withResolvers<void>();
    this.#transport.write(frame);
    return this.#answer.promise;
  }

  /** From now on another one has the connection. */
  handTo(handler: TransportHandler): Transport {
    this.#transport.handler = handler;
    return this.#transport;
  }

  close(): void {
    this.#transport.destroy();
  }

  onConnect(): void {
    // The proxy has the first word.
  }

  onData(chunk: Buffer, length: number): void {
    const first = chunk[HEADER_LENGTH];
    if (first === 0xff) this.onClose(parseErr(chunk.subarray(HEADER_LENGTH, length)).message);
    else if (this.#hasGreeting) this.#answer.resolve();
    else {
      this.#hasGreeting = true;
      const login = { capabilities, maxPacketBytes: 1 << 24, collation: COLLATION.UTF8MB4_GENERAL_CI, attributes: [] };
      const who = { user: this.#user, authAnswer: Buffer.alloc(0), database: 'sbtest', authPlugin: NATIVE_PASSWORD };
      this.#transport.write(framePackets(buildHandshakeResponse({ ...login, ...who }), 1));
    }
  }

  onDrain(): void {
    // What it sends is short.
  }

  onClose(reason: string): void {
    this.#answer.reject(new Error(`a client was not served: ${reason}`));
  }
}
