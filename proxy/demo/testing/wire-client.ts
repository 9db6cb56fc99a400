/** A client of single packets for the demo's own tests, which logs in as a proxy does or as a plain client. */
import { connect, type Socket } from 'node:net';
import { makeScramble, nativePasswordAnswer, xorBytes } from '../../wire/auth.ts';
import { CAP, COM, NATIVE_PASSWORD, STATUS } from '../../wire/constants.ts';
import { type ErrPacket, parseErr } from '../../wire/err-packet.ts';
import { buildHandshakeResponse, type ConnectAttribute, type Greeting, parseGreeting } from '../../wire/handshake.ts';
import { decodeVariableBlock, type VariableBlock } from '../../wire/ob-variables.ts';
import { type OkPacket, parseOk } from '../../wire/ok-packet.ts';
import { PacketReader } from '../../wire/reader.ts';
import { PacketSplitter, type SplitPacket } from '../../wire/stream.ts';
import { framePackets } from '../../wire/writer.ts';

export interface WireLogin {
  readonly user: string;
  readonly password?: string;
  readonly database?: string;
  /** Log in as a proxy does, on behalf of a client that got another scramble. */
  readonly proxied?: boolean;
  /** Leave out `__proxy_scramble`. */
  readonly withoutProxyScramble?: boolean;
  readonly capabilities?: number;
  readonly authPlugin?: string;
}

const USUAL_CAPABILITIES =
  CAP.LONG_PASSWORD |
  CAP.LONG_FLAG |
  CAP.PROTOCOL_41 |
  CAP.TRANSACTIONS |
  CAP.SECURE_CONNECTION |
  CAP.PLUGIN_AUTH |
  CAP.MULTI_STATEMENTS |
  CAP.MULTI_RESULTS |
  CAP.PS_MULTI_RESULTS |
  CAP.CONNECT_ATTRS |
  CAP.LOCAL_FILES;

/** One result of a reply. */
export interface WireResult {
  readonly ok: OkPacket | null;
  readonly error: ErrPacket | null;
  /** Column definition packets and row packets. */
  readonly columns: readonly Buffer[];
  readonly rows: readonly Buffer[];
  /** Status behind the columns and behind the rows. */
  readonly columnStatus: number;
  readonly endStatus: number;
}

export interface WireReply {
  readonly results: readonly WireResult[];
  /** The extra OK that a proxy gets. */
  readonly extra: OkPacket | null;
  /** Sequence ids of all packets in their order. */
  readonly sequences: readonly number[];
}

export class WireClient {
  readonly socket: Socket;
  readonly #splitter = new PacketSplitter(256 * 1024 * 1024);
  readonly #packets: SplitPacket[] = [];
  #wake: (() => void) | null = null;
  #ended = false;
  #greeting: Greeting | null = null;
  proxied = false;
  deprecateEof = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#packets.push(...this.#splitter.push(chunk));
      this.#wake?.();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#ended = true;
      this.#wake?.();
    });
  }

  static async open(host: string, port: number): Promise<WireClient> {
    const socket = connect(port, host);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    const client = new WireClient(socket);
    client.#greeting = parseGreeting((await client.next()).payload);
    return client;
  }

  get greeting(): Greeting {
    if (!this.#greeting) throw new Error('no greeting yet');
    return this.#greeting;
  }

  /** The next packet. @throws Error when the connection is over */
  async next(): Promise<SplitPacket> {
    for (;;) {
      const packet = this.#packets.shift();
      if (packet) return packet;
      if (this.#ended) throw new Error('the connection is closed');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Logs in and returns the answer's packet. */
  async login(login: WireLogin): Promise<Buffer> {
    const { scramble } = this.greeting;
    this.proxied = login.proxied ?? false;
    const clientScramble = this.proxied ? makeScramble() : scramble;
    const attributes: ConnectAttribute[] = this.proxied ? [['__mysql_client_type', Buffer.from('__ob_proxy')]] : [];
    if (this.proxied && !login.withoutProxyScramble) {
      attributes.push(['__proxy_scramble', xorBytes(clientScramble, scramble)]);
    }
    let capabilities = login.capabilities ?? USUAL_CAPABILITIES;
    if (this.proxied) capabilities |= CAP.SESSION_TRACK;
    if (login.database) capabilities |= CAP.CONNECT_WITH_DB;
    this.deprecateEof = (capabilities & this.greeting.capabilities & CAP.DEPRECATE_EOF) !== 0;
    this.write(
      buildHandshakeResponse({
        capabilities,
        maxPacketBytes: 1 << 30,
        collation: 45,
        user: login.user,
        authAnswer: login.password ? nativePasswordAnswer(login.password, clientScramble) : Buffer.alloc(0),
        database: login.database ?? '',
        authPlugin: login.authPlugin ?? NATIVE_PASSWORD,
        attributes,
      }),
      1,
    );
    return (await this.next()).payload;
  }

  write(payload: Uint8Array, sequence = 0): void {
    this.socket.write(framePackets(payload, sequence));
  }

  /** Sends a request and reads its whole answer: results to the last, then a proxy's extra OK. */
  async request(command: number, body: string | Uint8Array = ''): Promise<WireReply> {
    this.write(Buffer.concat([Buffer.from([command]), Buffer.from(body as Uint8Array)]));
    const sequences: number[] = [];
    const read = async (): Promise<Buffer> => {
      const packet = await this.next();
      sequences.push(packet.sequence);
      return packet.payload;
    };
    const results: WireResult[] = [];
    for (;;) {
      const result = await this.#result(await read(), read);
      results.push(result);
      const status = result.ok?.status ?? result.endStatus;
      if (!result.error && status & STATUS.MORE_RESULTS) continue;
      const extra = this.proxied && !result.ok ? this.parse(await read()) : null;
      return { results, extra, sequences };
    }
  }

  query(sql: string): Promise<WireReply> {
    return this.request(COM.QUERY, Buffer.from(sql));
  }

  async #result(first: Buffer, read: () => Promise<Buffer>): Promise<WireResult> {
    const none = { ok: null, error: null, columns: [], rows: [], columnStatus: 0, endStatus: 0 };
    if (first[0] === 0xff) return { ...none, error: parseErr(first) };
    if (first[0] === 0x00) return { ...none, ok: this.parse(first) };
    const columns: Buffer[] = [];
    for (let left = first[0] ?? 0; left > 0; left--) columns.push(await read());
    const columnStatus = this.deprecateEof ? 0 : (await read()).readUInt16LE(3);
    const rows: Buffer[] = [];
    // A cursor's answer has no rows, and in the classic style nothing behind the columns' EOF.
    if (columnStatus & STATUS.CURSOR_EXISTS) return { ...none, columns, columnStatus, endStatus: columnStatus };
    for (;;) {
      const packet = await read();
      if (packet[0] === 0xff) return { ...none, columns, rows, columnStatus, error: parseErr(packet) };
      if (packet[0] === 0xfe && packet.length < 9) {
        const endStatus = this.deprecateEof ? parseOk(packet, false).status : packet.readUInt16LE(3);
        return { ...none, columns, rows, columnStatus, endStatus };
      }
      rows.push(packet);
    }
  }

  /** An OK packet as this connection's style writes it. */
  parse(payload: Buffer): OkPacket {
    return parseOk(payload, this.proxied);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Changed variables in an OK packet, as text. */
export function changesOf(ok: OkPacket | null): {
  system: Map<string, string>;
  user: Map<string, string>;
  schema: string | null;
} {
  const block: VariableBlock = ok?.state ? decodeVariableBlock(ok.state) : { system: [], user: [], schema: null };
  const texts = (pairs: VariableBlock['system']): Map<string, string> =>
    new Map(pairs.map(([name, value]) => [name, value.toString()]));
  return { system: texts(block.system), user: texts(block.user), schema: block.schema };
}

/** A text-protocol row. */
export function textRow(row: Buffer | undefined): (string | null)[] {
  const reader = new PacketReader(row ?? Buffer.alloc(0));
  const values: (string | null)[] = [];
  while (reader.remaining > 0) {
    const length = reader.lenenc();
    values.push(length === null ? null : reader.bytes(length).toString('utf8'));
  }
  return values;
}

/** The fields of a column definition that tell its type. */
export function columnType(definition: Buffer | undefined): string {
  const reader = new PacketReader(definition ?? Buffer.alloc(0));
  const texts = Array.from({ length: 6 }, () => reader.lenencString());
  reader.skip(1);
  const collation = reader.u16();
  const length = reader.u32();
  const type = reader.u8();
  const flags = reader.u16();
  return `${texts[4]} ${type.toString(16)} ${collation} ${length} ${flags.toString(16)} ${reader.u8()}`;
}
