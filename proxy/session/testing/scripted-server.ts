/** An OBServer whose every packet is written by a test. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { makeScramble } from '../../wire/auth.ts';
import { CAP, COLUMN_TYPE, COM, NATIVE_PASSWORD, STATUS } from '../../wire/constants.ts';
import { buildGreeting, type HandshakeResponse, parseHandshakeResponse } from '../../wire/handshake.ts';
import { encodeVariableBlock } from '../../wire/ob-variables.ts';
import { buildOk } from '../../wire/ok-packet.ts';
import { buildResultSet } from '../../wire/result-set.ts';
import { PacketSplitter } from '../../wire/stream.ts';
import { framePackets } from '../../wire/writer.ts';

export const USUAL_SERVER_CAPABILITIES =
  CAP.LONG_PASSWORD |
  CAP.LONG_FLAG |
  CAP.CONNECT_WITH_DB |
  CAP.PROTOCOL_41 |
  CAP.TRANSACTIONS |
  CAP.SECURE_CONNECTION |
  CAP.MULTI_STATEMENTS |
  CAP.MULTI_RESULTS |
  CAP.PS_MULTI_RESULTS |
  CAP.PLUGIN_AUTH |
  CAP.PLUGIN_AUTH_LENENC |
  CAP.CONNECT_ATTRS |
  CAP.SESSION_TRACK;

/** One connection of the proxy to the server. */
interface ScriptedConnection {
  readonly id: number;
  /** The proxy's log-in packet. */
  readonly login: HandshakeResponse;
  readonly socket: Socket;
  /** Sends payloads as packets with running ids. */
  send(payloads: readonly Buffer[], firstSequence?: number): void;
  ok(fields?: Parameters<typeof buildOk>[0]): void;
  /** A result of one column and one row. */
  value(text: string): void;
}

export interface ScriptedRequest {
  readonly connection: ScriptedConnection;
  readonly command: number;
  /** Behind the command byte. */
  readonly text: string;
  /** All of it, and the packet's number: of what is no command but the log-in going on. */
  readonly payload: Buffer;
  readonly sequence: number;
}

export interface ScriptedServer {
  readonly address: string;
  readonly port: number;
  /** Everything that was asked, in order; `COMMAND text`. */
  readonly log: string[];
  /** What answers a request; the usual one says OK to everything and `SELECT n` with n. */
  onRequest: (request: ScriptedRequest) => void;
  /** Called in place of the OK that ends a log-in. */
  onLogin: ((connection: ScriptedConnection) => void) | null;
  readonly connections: Set<ScriptedConnection>;
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  readonly capabilities?: number;
  /** Variables told at log-in: it makes the proxy expect OceanBase's extra OK packets. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Has a server answer statements that begin so in a way of their own; what was said of others before still counts. */
export function when(server: ScriptedServer, start: string, answer: (request: ScriptedRequest) => void): void {
  const others = server.onRequest;
  server.onRequest = (request) => (request.text.startsWith(start) ? answer(request) : others(request));
}

export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const capabilities = options.capabilities ?? USUAL_SERVER_CAPABILITIES;
  let lastId = 100;
  const scripted: { -readonly [Key in keyof ScriptedServer]: ScriptedServer[Key] } = {
    address: '',
    port: 0,
    log: [],
    onRequest: answerUsual,
    onLogin: null,
    connections: new Set(),
    close: async () => undefined,
  };
  const listener = createServer((socket) => {
    const scramble = makeScramble();
    const splitter = new PacketSplitter();
    const greeting = { serverVersion: '5.7.25-scripted', connectionId: ++lastId, scramble, capabilities };
    let connection: ScriptedConnection | null = null;
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => connection && scripted.connections.delete(connection));
    socket.write(
      framePackets(buildGreeting({ ...greeting, collation: 45, status: 2, authPlugin: NATIVE_PASSWORD }), 0),
    );
    socket.on('data', (chunk) => {
      for (const { payload, sequence } of splitter.push(chunk)) {
        if (connection === null) {
          connection = connectionOf(greeting.connectionId, socket, parseHandshakeResponse(payload));
          scripted.connections.add(connection);
          if (scripted.onLogin === null) connection.send([loginOk(options.variables)], 2);
          else scripted.onLogin(connection);
          continue;
        }
        const request = { connection, command: payload[0] ?? 0, text: payload.toString('utf8', 1), payload, sequence };
        scripted.log.push(`${nameOf(request.command)} ${request.text}`.trim());
        scripted.onRequest(request);
      }
    });
  });
  listener.listen({ host: '127.0.0.1', port: 0 });
  await once(listener, 'listening');
  scripted.port = (listener.address() as { port: number }).port;
  scripted.address = `127.0.0.1:${scripted.port}`;
  scripted.close = async () => {
    const closed = once(listener, 'close');
    listener.close();
    for (const { socket } of scripted.connections) socket.destroy();
    await closed;
  };
  return scripted;
}

/** OK to everything; `SELECT text` is answered with the text. */
function answerUsual({ connection, command, text }: ScriptedRequest): void {
  const selected = /^SELECT (\S+)/i.exec(text)?.[1];
  if (command === COM.QUERY && selected !== undefined) connection.value(selected);
  else if (command !== COM.STMT_CLOSE && command !== COM.STMT_SEND_LONG_DATA) connection.ok();
}

function connectionOf(id: number, socket: Socket, login: HandshakeResponse): ScriptedConnection {
  return {
    id,
    login,
    socket,
    send: (payloads, firstSequence = 1) => {
      const frames = payloads.map((payload, index) => framePackets(payload, (firstSequence + index) & 0xff));
      socket.write(Buffer.concat(frames));
    },
    ok: (fields = { status: STATUS.AUTOCOMMIT }) => {
      socket.write(framePackets(buildOk({ status: STATUS.AUTOCOMMIT, ...fields }), 1));
    },
    value: (text) => {
      const deprecateEof = (login.capabilities & CAP.DEPRECATE_EOF) !== 0;
      const columns = [{ name: 'v', type: COLUMN_TYPE.VAR_STRING }];
      socket.write(buildResultSet({ columns, rows: [[text]], status: STATUS.AUTOCOMMIT, deprecateEof }));
    },
  };
}

function loginOk(variables: Readonly<Record<string, string>> | undefined): Buffer {
  if (variables === undefined) return buildOk({ status: STATUS.AUTOCOMMIT });
  const system = Object.entries(variables).map(([name, value]): [string, Buffer] => [name, Buffer.from(value)]);
  return buildOk({
    status: STATUS.AUTOCOMMIT | STATUS.SESSION_STATE_CHANGED,
    tail: encodeVariableBlock({ system }),
  });
}

function nameOf(command: number): string {
  return Object.entries(COM).find(([, code]) => code === command)?.[0] ?? `0x${command.toString(16)}`;
}
