import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { OdpError } from '../../errors/odp-error.ts';
import { makeScramble } from '../../wire/auth.ts';
import { CAP, COM, NATIVE_PASSWORD, OB_CAPABILITY, STATUS } from '../../wire/constants.ts';
import { buildErr } from '../../wire/err-packet.ts';
import {
  buildGreeting,
  type HandshakeResponse,
  isSslRequest,
  parseHandshakeResponse,
  readAttributes,
} from '../../wire/handshake.ts';
import { encodeVariableBlock } from '../../wire/ob-variables.ts';
import { buildOk } from '../../wire/ok-packet.ts';
import { PacketReader } from '../../wire/reader.ts';
import type { SplitPacket } from '../../wire/stream.ts';
import { framePackets, PacketWriter } from '../../wire/writer.ts';
import type { DemoServer } from '../cluster-state.ts';
import type { DemoEngine } from '../engine/engine.ts';
import { DemoSession } from '../engine/session.ts';
import { MysqlError } from '../mysql-error.ts';
import { Answer, type AnswerStyle } from './answer.ts';
import { type CommandPlace, isSilent, runCommand } from './commands.ts';
import { DemoFraming, type FramedRequest } from './framing.ts';
import { checkLogin, type LoginOutcome } from './login.ts';
import { PacketInput } from './packet-input.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { BARE_END, ConnectionGone, Reply } from './reply.ts';
import type { ServerFaults } from './server-faults.ts';

export interface ConnectionOptions {
  readonly engine: DemoEngine;
  readonly server: DemoServer;
  readonly faults: ServerFaults;
  readonly version: string;
  readonly advertiseDeprecateEof: boolean;
  /** TLS is offered with it; null: not at all. */
  readonly tls: SecureContext | null;
}

/** What a genuine kernel offers, and the multi-statement bits that it understands without offering them. */
const BASE_CAPABILITIES = 0x009cf7df | CAP.MULTI_STATEMENTS | CAP.MULTI_RESULTS;

/** A request may be as long as max_allowed_packet says (64 MiB) and a little more. */
const MAX_REQUEST_BYTES = 65 * 1024 * 1024;

/** A packet of the client, and the request in protocol 2.0 that it came in. */
interface Incoming extends SplitPacket {
  readonly framed: FramedRequest | null;
}

/** Level of the demo's own zlib, when the other side wants compressed frames. */
const ZLIB_LEVEL = 1;

/** One client's (or proxy's) connection to a demo OBServer: login, then one request after the other. */
export class DemoConnection {
  /** As accepted; under TLS once the client has asked for it. */
  readonly #tcp: Socket;
  #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #input = new PacketInput(MAX_REQUEST_BYTES);
  readonly #scramble = makeScramble();
  readonly #statements: PreparedStatements;
  readonly #queue: Incoming[] = [];
  /** Protocol 2.0, from the log-in on. */
  #framing: DemoFraming | null = null;
  #agreed = 0n;
  readonly #connectionId: number;
  readonly #host: string;
  #wake: (() => void) | null = null;
  #stalled = false;
  #session: DemoSession | null = null;
  #style: AnswerStyle = { deprecateEof: false, sessionTrack: false, proxied: false };
  #capabilities = 0;
  /** Scramble that the client's password answers are made with. */
  #clientScramble: Buffer = this.#scramble;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#tcp = socket;
    this.#socket = socket;
    this.#options = options;
    this.#connectionId = options.engine.newConnectionId();
    // Ids differ from connection to connection, as they do on a genuine server: nobody should rely on 1.
    this.#statements = new PreparedStatements(this.#connectionId % 97);
    this.#host = socket.remoteAddress ?? '127.0.0.1';
    socket.setNoDelay(true);
    this.#listen(socket);
    if (options.faults.frozen) socket.pause();
    void this.#serve();
  }

  /** Stops reading, as a stopped process does. */
  freeze(): void {
    this.#socket.pause();
  }

  thaw(): void {
    // A stalled one never comes back: the server finds out some time and resets it.
    if (this.#stalled) this.cut();
    this.#socket.resume();
  }

  /** Nothing passes on this connection any more, and neither end is told: what a firewall that forgot it does. */
  stall(): void {
    this.#stalled = true;
    this.#socket.pause();
  }

  /** Ends the connection in an orderly way, whatever is running on it. */
  hangUp(): void {
    this.#session?.interrupt();
    this.#socket.destroySoon();
  }

  /** What runs has reached the server's limit of time. */
  expire(): void {
    this.#session?.interrupt(new MysqlError('QUERY_TIMEOUT'));
  }

  /** Ends the connection with a TCP reset. */
  cut(): void {
    this.#tcp.resetAndDestroy();
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk) => this.#receive(chunk));
    // The cause shows as 'close', which ends the session.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#closed());
  }

  #receive(chunk: Buffer): void {
    try {
      if (this.#framing === null) this.#keep(chunk, null);
      else for (const request of this.#framing.push(chunk)) this.#keep(request.packets, request);
    } catch (error) {
      // A genuine kernel hangs up on frames that are wrong, without a word.
      if (error instanceof OdpError) return void this.#socket.destroy();
      // Longer than max_allowed_packet: MySQL, too, answers 1153 and hangs up.
      this.#socket.end(framePackets(buildErr(new MysqlError('PACKET_TOO_LARGE')), 1));
    }
    this.#wake?.();
  }

  #keep(bytes: Buffer, framed: FramedRequest | null): void {
    for (const packet of this.#input.push(bytes)) this.#queue.push({ ...packet, framed });
  }

  #closed(): void {
    this.#session?.interrupt();
    this.#wake?.();
  }

  /** The next packet of the client. */
  async #next(): Promise<Incoming> {
    for (;;) {
      const packet = this.#queue.shift();
      if (packet?.framed) this.#framing?.answerTo(packet.framed);
      if (packet) return packet;
      if (this.#socket.destroyed || this.#socket.readableEnded) throw new ConnectionGone();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }

  async #serve(): Promise<void> {
    try {
      await this.#options.faults.whenRunning();
      if (!(await this.#login())) return;
      for (;;) {
        const packet = await this.#next();
        if (packet.payload[0] === COM.QUIT) break;
        await this.#request(packet);
      }
    } catch (error) {
      if (!(error instanceof ConnectionGone))
        process.emitWarning(`demo server ${this.#options.server.hostName}: ${String(error)}`);
    } finally {
      this.#session?.close();
      this.#socket.end();
      this.#socket.destroySoon();
    }
  }

  #reply(sequence: number): Reply {
    const { faults } = this.#options;
    const whenRunning = (): Promise<void> => (this.#stalled ? new Promise(() => undefined) : faults.whenRunning());
    return new Reply(this.#socket, { whenRunning }, sequence, this.#framing);
  }

  async #login(): Promise<boolean> {
    const { version, advertiseDeprecateEof, faults, tls } = this.#options;
    const optional = (advertiseDeprecateEof ? CAP.DEPRECATE_EOF : 0) | (tls === null ? 0 : CAP.SSL);
    const capabilities = (BASE_CAPABILITIES | optional) >>> 0;
    const greeting = this.#reply(0);
    greeting.add(
      buildGreeting({
        serverVersion: version,
        connectionId: this.#connectionId,
        scramble: this.#scramble,
        capabilities,
        collation: 46,
        status: STATUS.AUTOCOMMIT,
        authPlugin: NATIVE_PASSWORD,
      }),
    );
    await greeting.flush();
    let packet = await this.#next();
    if (tls !== null && isSslRequest(packet.payload)) {
      await this.#startTls(tls);
      packet = await this.#next();
    }
    await faults.whenRunning();
    const reply = this.#reply(packet.sequence + 1);
    try {
      let response = parseHandshakeResponse(packet.payload);
      this.#capabilities = response.capabilities & capabilities;
      if (response.authPlugin !== '' && response.authPlugin !== NATIVE_PASSWORD)
        response = await this.#switchPlugin(response, reply);
      const outcome = checkLogin(this.#options.engine, response, this.#scramble, this.#host);
      this.#openSession(outcome, response.database);
      this.#welcome(reply);
      // The log-in itself is plain, and what comes behind it is not: the proxy has to see the answer first.
      const { connectionId, level } = { connectionId: this.#connectionId, level: this.#zlibLevel };
      if (this.#agreed & OB_CAPABILITY.OB_PROTOCOL_V2) this.#framing = new DemoFraming(connectionId, level, faults);
      await reply.flush();
      return true;
    } catch (error) {
      if (error instanceof ConnectionGone) throw error;
      reply.add(buildErr(loginError(error)));
      await reply.flush();
      return false;
    }
  }

  /** What the client has sent behind its request begins the handshake. */
  #startTls(secureContext: SecureContext): Promise<void> {
    const tcp = this.#tcp;
    tcp.pause();
    tcp.removeAllListeners('data');
    const early = this.#input.takePending();
    if (early.length > 0) tcp.unshift(early);
    const secured = new TLSSocket(tcp, { isServer: true, secureContext });
    this.#socket = secured;
    return new Promise((resolve, reject) => {
      secured.once('secure', resolve);
      secured.once('close', () => reject(new ConnectionGone()));
      this.#listen(secured);
    });
  }

  async #switchPlugin(response: HandshakeResponse, reply: Reply): Promise<HandshakeResponse> {
    reply.add(new PacketWriter(48).u8(0xfe).nullString(NATIVE_PASSWORD).bytes(this.#scramble).u8(0).finish());
    await reply.flush();
    const packet = await this.#next();
    reply.nextSequence = packet.sequence + 1;
    return { ...response, authAnswer: packet.payload };
  }

  get #zlibLevel(): number {
    return this.#agreed & OB_CAPABILITY.OB_PROTOCOL_V2_COMPRESS ? ZLIB_LEVEL : 0;
  }

  #openSession(outcome: LoginOutcome, database: string): void {
    const { engine, server, version } = this.#options;
    this.#session?.close();
    this.#statements.clear();
    this.#clientScramble = outcome.scramble;
    if (this.#framing === null) this.#agreed = outcome.agreed;
    this.#style = {
      deprecateEof: (this.#capabilities & CAP.DEPRECATE_EOF) !== 0,
      sessionTrack: (this.#capabilities & CAP.SESSION_TRACK) !== 0 || outcome.proxied,
      proxied: outcome.proxied,
    };
    const session = new DemoSession(engine, {
      tenant: outcome.tenant,
      user: outcome.user,
      host: this.#host,
      server,
      connectionId: this.#connectionId,
      foundRows: (this.#capabilities & CAP.FOUND_ROWS) !== 0,
      tls: tlsOf(this.#socket),
      version,
    });
    session.disconnect = () => this.#socket.destroy();
    this.#session = session;
    if (database !== '') session.use(database);
  }

  /** The OK of a login: for a proxy it lists every system variable. */
  #welcome(reply: Reply): void {
    const session = this.#session;
    if (!session) throw new ConnectionGone();
    if (!this.#style.proxied) {
      reply.add(buildOk({ status: STATUS.AUTOCOMMIT }));
      return;
    }
    session.variables.takeChanges();
    session.databaseChosen = false;
    const special = new Map([
      ['ob_capability_flag', String(this.#agreed)],
      ['ob_proxy_global_variables_version', String(session.store.globals.version)],
      ['ob_proxy_user_privilege', session.identity.user === 'root' ? '549157675145953278' : '0'],
      ['ob_last_schema_version', String(session.store.schemaVersion)],
    ]);
    const system = session.variables
      .everything()
      .map(([name, value]): [string, Buffer] => [name, Buffer.from(special.get(name) ?? value, 'utf8')]);
    const tail = encodeVariableBlock({ system, ...(session.database === '' ? {} : { schema: session.database }) });
    reply.add(buildOk({ status: STATUS.AUTOCOMMIT | STATUS.SESSION_STATE_CHANGED, tail }));
  }

  async #request(packet: Incoming): Promise<void> {
    const session = this.#session;
    if (!session) throw new ConnectionGone();
    const { faults } = this.#options;
    await faults.whenRunning();
    if (faults.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.slowMs));
    session.startRequest('');
    if (packet.framed !== null) {
      session.sharing.refusesToTakePart = faults.refusesToTakePart;
      session.sharing.requestBegins(packet.framed.blocks, packet.framed.offersInternalRouting);
    }
    const command = packet.payload[0];
    const reply = this.#reply(packet.sequence + 1);
    const answer = new Answer(reply, session, this.#style);
    const place: CommandPlace = {
      session,
      statements: this.#statements,
      deprecateEof: this.#style.deprecateEof,
      receiveFile: (name) => this.#receiveFile(name, reply),
    };
    try {
      if (command === COM.CHANGE_USER) this.#changeUser(packet.payload, reply);
      else if (command === COM.RESET_CONNECTION) {
        session.reset();
        this.#statements.clear();
        answer.plainOk();
      } else {
        refuseByFault(faults, command);
        await faults.whenBegun(session.interruptSignal);
        await runCommand(place, packet.payload, reply, answer);
      }
    } catch (error) {
      if (error instanceof ConnectionGone) throw error;
      if (!isSilent(command)) answer.error(loginError(error));
      if (command === COM.CHANGE_USER) {
        await reply.flush(BARE_END);
        throw new ConnectionGone();
      }
    }
    session.endRequest();
    // COM_CHANGE_USER has made another session of it.
    const isFramed = packet.framed !== null && session === this.#session && !isSilent(command);
    await reply.flush(isFramed ? session.sharing.requestEnds() : BARE_END);
  }

  #changeUser(payload: Buffer, reply: Reply): void {
    const reader = new PacketReader(payload, 1);
    const user = reader.nullString();
    const authAnswer = Buffer.from(reader.bytes(reader.u8()));
    const database = reader.nullString();
    if (reader.remaining >= 2) reader.skip(2);
    if (this.#capabilities & CAP.PLUGIN_AUTH && reader.remaining > 0) reader.nullString();
    const attributes = this.#capabilities & CAP.CONNECT_ATTRS && reader.remaining > 0 ? readAttributes(reader) : [];
    const outcome = checkLogin(
      this.#options.engine,
      { user, authAnswer, attributes },
      attributes.some(([name]) => name === '__proxy_scramble') ? this.#scramble : this.#clientScramble,
      this.#host,
    );
    const proxied = outcome.proxied || this.#style.proxied;
    this.#openSession({ ...outcome, proxied }, database);
    this.#welcome(reply);
  }

  async #receiveFile(name: string, reply: Reply): Promise<Buffer> {
    if (!(this.#capabilities & CAP.LOCAL_FILES)) throw new MysqlError('LOCAL_FILES_OFF');
    reply.add(new PacketWriter(name.length + 8).u8(0xfb).string(name).finish());
    await reply.flush(BARE_END);
    const parts: Buffer[] = [];
    for (;;) {
      const packet = await this.#next();
      reply.nextSequence = packet.sequence + 1;
      if (packet.payload.length === 0) break;
      parts.push(packet.payload);
    }
    // The client sends the whole file before it listens.
    this.#session?.interruptSignal.throwIfAborted();
    return Buffer.concat(parts);
  }
}

function tlsOf(socket: Socket): { version: string; cipher: string } {
  if (!(socket instanceof TLSSocket)) return { version: '', cipher: '' };
  return { version: socket.getProtocol() ?? '', cipher: socket.getCipher().name };
}

/** Errors of the table of the product (malformed packets) and anything unforeseen become an error of the server. */
function loginError(error: unknown): MysqlError {
  if (error instanceof MysqlError) return error;
  return new MysqlError('INTERNAL', { detail: error instanceof Error ? error.message : String(error) });
}

const STATEMENT_COMMANDS: readonly (number | undefined)[] = [
  COM.QUERY,
  COM.STMT_PREPARE,
  COM.STMT_EXECUTE,
  COM.STMT_FETCH,
  COM.INIT_DB,
];

function refuseByFault(faults: ServerFaults, command: number | undefined): void {
  if (faults.errorCode === 0 || !STATEMENT_COMMANDS.includes(command)) return;
  throw new MysqlError('FAULT', { errno: faults.errorCode }, faults.errorCode);
}
