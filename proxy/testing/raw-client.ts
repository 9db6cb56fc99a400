/** A MySQL client that sends and shows every packet as it is: for what drivers hide. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, TLSSocket } from 'node:tls';
import { nativePasswordAnswer } from '../wire/auth.ts';
import { CAP, HEADER_LENGTH, NATIVE_PASSWORD, STATUS } from '../wire/constants.ts';
import { parseErr } from '../wire/err-packet.ts';
import {
  buildHandshakeResponse,
  buildSslRequest,
  type Greeting,
  type HandshakeResponse,
  parseGreeting,
} from '../wire/handshake.ts';
import { parseOk } from '../wire/ok-packet.ts';
import { framePackets } from '../wire/writer.ts';

/** One packet as it came: long payloads are not joined. */
export interface RawPacket {
  readonly sequence: number;
  readonly payload: Buffer;
}

export interface RawLogin extends Partial<HandshakeResponse> {
  readonly user: string;
  readonly password?: string;
  /** Go over to TLS first; the certificate is not looked at. */
  readonly tls?: boolean;
}

/** What a client asks for that is not told otherwise; without a database. */
export const USUAL_CAPABILITIES =
  CAP.LONG_PASSWORD |
  CAP.LONG_FLAG |
  CAP.PROTOCOL_41 |
  CAP.TRANSACTIONS |
  CAP.SECURE_CONNECTION |
  CAP.MULTI_RESULTS |
  CAP.PLUGIN_AUTH |
  CAP.LOCAL_FILES;

export class RawClient {
  readonly #tcp: Socket;
  /** The same, or TLS above it. */
  #socket: Socket;
  /** Joined only when enough has come: a long packet is not copied again with every piece. */
  #pieces: Buffer[] = [];
  #byteCount = 0;
  #waiting: (() => void) | null = null;
  #ended = false;
  capabilities = 0;
  greeting: Greeting | null = null;
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;

  private constructor(socket: Socket) {
    this.#tcp = socket;
    this.#socket = socket;
    socket.setNoDelay(true);
    this.#read(socket);
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#ended = true;
        this.#wake();
        resolve();
      });
    });
    // A reset is an end like any other here; who reads is told by `closed`.
    socket.on('error', () => socket.destroy());
  }

  /** Connects and reads the greeting. */
  static async connect(port: number): Promise<RawClient> {
    const client = await RawClient.open(port);
    client.greeting = parseGreeting((await client.packet()).payload);
    return client;
  }

  /** Connects and leaves everything that comes unread. */
  static open(port: number): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawClient(socket));
      });
    });
  }

  /** Asks for TLS and makes the handshake; what the log-in packet says first is said here as well. */
  async startTls(capabilities: number = USUAL_CAPABILITIES): Promise<void> {
    const plain = this.#tcp;
    const request = { capabilities: capabilities | CAP.SSL, maxPacketBytes: 0x40000000, collation: 45 };
    this.write(framePackets(buildSslRequest(request), 1));
    plain.removeAllListeners('data');
    const secured = connectTls({ socket: plain, rejectUnauthorized: false });
    secured.on('error', () => secured.destroy());
    this.#socket = secured;
    this.#read(secured);
    await new Promise<void>((resolve, reject) => {
      secured.once('secureConnect', resolve);
      secured.once('close', () => reject(new Error('the connection ended in the TLS handshake')));
    });
  }

  /** What the other side has shown in the TLS handshake. */
  peerCertificate(): PeerCertificate | null {
    return this.#socket instanceof TLSSocket ? this.#socket.getPeerCertificate() : null;
  }

  /** The log-in packet, framed. */
  loginFrame({ user, password, tls, ...fields }: RawLogin, sequence = 1): Buffer {
    const scramble = this.greeting?.scramble ?? Buffer.alloc(20);
    const database = fields.database ?? '';
    this.capabilities = fields.capabilities ?? USUAL_CAPABILITIES | (database === '' ? 0 : CAP.CONNECT_WITH_DB);
    const response: HandshakeResponse = {
      maxPacketBytes: 0x40000000,
      collation: 45,
      authAnswer: password ? nativePasswordAnswer(password, scramble) : Buffer.alloc(0),
      authPlugin: NATIVE_PASSWORD,
      attributes: [],
      ...fields,
      capabilities: tls ? this.capabilities | CAP.SSL : this.capabilities,
      database,
      user,
    };
    return framePackets(buildHandshakeResponse(response), sequence);
  }

  /** Logs in. @throws Error with number and text when it is refused */
  async login(login: RawLogin): Promise<void> {
    if (login.tls) await this.startTls(login.capabilities);
    this.write(this.loginFrame(login, login.tls ? 2 : 1));
    const { payload } = await this.packet();
    if (payload[0] === 0xff) throw new Error(errorLine(payload));
    if (payload[0] !== 0) throw new Error(`the log-in was answered by ${payload.toString('hex')}`);
  }

  /** Sends bytes as they are. */
  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Sends bytes and waits until they have left. */
  flush(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Sends one request: command byte and body. */
  command(code: number, body: string | Uint8Array = ''): void {
    this.write(commandFrame(code, body));
  }

  /** The next packet. @throws Error when the connection ends before */
  async packet(): Promise<RawPacket> {
    const header = await this.#take(HEADER_LENGTH);
    const payload = await this.#take(header.readUIntLE(0, 3));
    return { sequence: header[3] ?? 0, payload };
  }

  /**
   * Everything that answers a statement, up to its last packet: OK, ERR, or result sets (end marks of the style that
   * was agreed on).
   */
  async reply(): Promise<RawPacket[]> {
    const packets: RawPacket[] = [];
    for (;;) {
      const status = await this.#oneResult(packets);
      if (!(status & STATUS.MORE_RESULTS)) return packets;
    }
  }

  /** A text statement and its whole answer. */
  async query(text: string): Promise<RawPacket[]> {
    this.command(0x03, text);
    return await this.reply();
  }

  /**
   * Takes what comes without keeping it. @param isEnd told how many bytes have come so far, and the last piece
   * @returns the number of bytes
   */
  async discard(isEnd: (byteCount: number, piece: Buffer) => boolean): Promise<number> {
    let byteCount = 0;
    for (;;) {
      if (this.#byteCount === 0 && !this.#ended) {
        await new Promise<void>((resolve) => {
          this.#waiting = resolve;
        });
      }
      const piece = this.#joined();
      this.#keep(Buffer.alloc(0));
      byteCount += piece.length;
      if (isEnd(byteCount, piece)) return byteCount;
      if (this.#ended) throw new Error(`the connection ended after ${byteCount} bytes`);
    }
  }

  pauseReading(): void {
    this.#socket.pause();
  }

  resumeReading(): void {
    this.#socket.resume();
  }

  /** Ends with a FIN. */
  end(): void {
    this.#socket.end();
  }

  /** Ends with an RST. */
  reset(): void {
    this.#tcp.resetAndDestroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(socket: Socket): void {
    socket.on('data', (chunk) => {
      this.#pieces.push(chunk);
      this.#byteCount += chunk.length;
      this.#wake();
    });
  }

  async #oneResult(packets: RawPacket[]): Promise<number> {
    const first = await this.packet();
    packets.push(first);
    if (first.payload[0] === 0xff) return 0;
    if (first.payload[0] === 0x00) return parseOk(first.payload, false).status;
    if (first.payload[0] === 0xfb) return 0;
    const deprecateEof = (this.capabilities & CAP.DEPRECATE_EOF) !== 0;
    let marksLeft = deprecateEof ? 1 : 2;
    let columnsLeft = first.payload[0] ?? 0;
    for (;;) {
      const packet = await this.packet();
      packets.push(packet);
      const { payload } = packet;
      if (payload[0] === 0xff) return 0;
      if (columnsLeft > 0) {
        columnsLeft--;
        continue;
      }
      if (payload[0] !== 0xfe || (!deprecateEof && payload.length > 5)) continue;
      const status = deprecateEof ? parseOk(payload, false).status : payload.readUInt16LE(3);
      if (--marksLeft === 0 || status & STATUS.CURSOR_EXISTS) return status;
    }
  }

  async #take(count: number): Promise<Buffer> {
    while (this.#byteCount < count) {
      if (this.#ended) throw new Error(`the connection ended before ${count} more bytes came`);
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    const bytes = this.#joined();
    this.#keep(bytes.subarray(count));
    return bytes.subarray(0, count);
  }

  #joined(): Buffer {
    const only = this.#pieces.length === 1 ? this.#pieces[0] : undefined;
    return only ?? Buffer.concat(this.#pieces);
  }

  #keep(bytes: Buffer): void {
    this.#pieces = bytes.length === 0 ? [] : [bytes];
    this.#byteCount = bytes.length;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.();
  }
}

export function commandFrame(code: number, body: string | Uint8Array = '', sequence = 0): Buffer {
  return framePackets(Buffer.concat([Buffer.from([code]), Buffer.from(body)]), sequence);
}

/** `1045 Access denied …` of an ERR packet's payload. */
export function errorLine(payload: Buffer | undefined): string {
  if (payload?.[0] !== 0xff) throw new Error(`no ERR packet: ${payload?.toString('hex', 0, 40) ?? 'nothing'}`);
  const { errno, message } = parseErr(payload);
  return `${errno} ${message}`;
}

/** Values of the text rows of a reply with one result set, all as text; NULL is null. */
export function textRows(packets: readonly RawPacket[], deprecateEof = false): (string | null)[][] {
  const columns = packets[0]?.payload[0] ?? 0;
  const rows = packets.slice(1 + columns + (deprecateEof ? 0 : 1), -1);
  return rows.map(({ payload }) => readRow(payload));
}

function readRow(payload: Buffer): (string | null)[] {
  const values: (string | null)[] = [];
  let at = 0;
  while (at < payload.length) {
    const first = payload[at] ?? 0;
    if (first === 0xfb) {
      values.push(null);
      at += 1;
      continue;
    }
    const size = first < 0xfb ? 1 : first === 0xfc ? 3 : first === 0xfd ? 4 : 9;
    const length =
      size === 1 ? first : size === 9 ? Number(payload.readBigUInt64LE(at + 1)) : payload.readUIntLE(at + 1, size - 1);
    values.push(payload.toString('utf8', at + size, at + size + length));
    at += size + length;
  }
  return values;
}
