/** A server that speaks just enough MySQL to be probed, with faults on request. */
import { createServer, type Socket } from 'node:net';
import { makeScramble } from '../wire/auth.ts';
import { CAP, COLUMN_TYPE, COM, STATUS } from '../wire/constants.ts';
import { buildErr } from '../wire/err-packet.ts';
import { buildGreeting } from '../wire/handshake.ts';
import { buildOk } from '../wire/ok-packet.ts';
import { buildResultSet } from '../wire/result-set.ts';
import { PacketSplitter } from '../wire/stream.ts';
import { framePackets } from '../wire/writer.ts';

/** What the server does in one phase: goes on, keeps silent, cuts the connection, or answers with an error. */
type Behaviour = 'answer' | 'silent' | 'cut' | { readonly errno: number; readonly message: string };

export interface AnsweringServer {
  readonly address: string;
  /** May be set at any time. */
  greeting: Behaviour;
  login: Behaviour;
  query: Behaviour;
  /** Called with each statement that arrives. */
  onQuery: (sql: string) => void;
  /** Connections accepted so far. */
  readonly accepted: number;
  /** Connections open now. */
  readonly open: number;
  /** Cuts all connections. */
  cutAll(): void;
  close(): Promise<void>;
}

const capabilities = CAP.PROTOCOL_41 | CAP.SECURE_CONNECTION | CAP.PLUGIN_AUTH;

/** Listens on a free port of 127.0.0.1. */
export async function startAnsweringServer(): Promise<AnsweringServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const listener = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(socket, server);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const bound = listener.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const server: AnsweringServer = {
    address: `127.0.0.1:${port}`,
    greeting: 'answer',
    login: 'answer',
    query: 'answer',
    onQuery: () => undefined,
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      server.cutAll();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
  return server;
}

function serve(socket: Socket, server: AnsweringServer): void {
  const greeting = buildGreeting({
    serverVersion: '5.7.25-answering',
    connectionId: 1,
    scramble: makeScramble(),
    capabilities,
    collation: 45,
    status: STATUS.AUTOCOMMIT,
    authPlugin: 'mysql_native_password',
  });
  const splitter = new PacketSplitter();
  let loggedIn = false;
  behave(socket, server.greeting, 0, framePackets(greeting, 0));
  socket.on('data', (chunk) => {
    for (const { payload, sequence } of splitter.push(chunk)) {
      if (!loggedIn) {
        loggedIn = true;
        behave(socket, server.login, sequence + 1, framePackets(buildOk(), sequence + 1));
      } else if (payload[0] === COM.QUERY) {
        server.onQuery(payload.toString('utf8', 1));
        behave(socket, server.query, 1, oneValue);
      } else socket.end();
    }
  });
}

const oneValue = buildResultSet({
  columns: [{ name: 'v', type: COLUMN_TYPE.VAR_STRING }],
  rows: [['1']],
  deprecateEof: false,
});

function behave(socket: Socket, behaviour: Behaviour, sequence: number, answer: Buffer): void {
  if (behaviour === 'answer') socket.write(answer);
  else if (behaviour === 'cut') socket.destroy();
  else if (behaviour !== 'silent') {
    const { errno, message } = behaviour;
    socket.write(framePackets(buildErr({ errno, sqlState: 'HY000', message }), sequence));
  }
}
