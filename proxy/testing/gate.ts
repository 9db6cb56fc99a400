/** A TCP relay before a server that can behave like a network or a machine that fails. */
import { once } from 'node:events';
import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';

export interface Gate {
  readonly port: number;
  /** Connections are passed on (the state it starts in); bytes held back go on their way. */
  open(): Promise<void>;
  /** Nobody listens, and all connections are reset: the process behind has died. */
  refuse(): Promise<void>;
  /** Connections are accepted and nothing passes any more: the machine behind has stopped. */
  freeze(): void;
  /** What comes from the proxy is taken and kept: the server has not got it yet. Answers pass. */
  hold(): void;
  /** Bytes kept by `hold`. */
  readonly heldBytes: number;
  /** Passes on what `hold` has kept. */
  letGo(): void;
  /** Resets all connections; new ones are passed on. */
  cut(): void;
  /** Sees, and may change, every chunk that comes from the server; null: nothing does. */
  onReply: ((chunk: Buffer) => void) | null;
  /** Connections that are open now. */
  readonly connectionCount: number;
  close(): Promise<void>;
}

const missing = (): never => {
  throw new Error('this backend has no gates');
};

/** Of servers that cannot stand behind one. */
export const noGate: Gate = {
  port: 0,
  open: missing,
  refuse: missing,
  freeze: missing,
  hold: missing,
  heldBytes: 0,
  letGo: missing,
  cut: missing,
  onReply: null,
  connectionCount: 0,
  close: missing,
};

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Opens one on a free port of 127.0.0.1. */
export async function startGate(targetPort: number): Promise<Gate> {
  const pairs = new Set<Pair>();
  let isFrozen = false;
  let isHolding = false;
  const held: { readonly to: Socket; readonly chunk: Buffer }[] = [];
  const accept = (client: Socket): void => {
    const server = tcpConnect({ host: '127.0.0.1', port: targetPort });
    const pair = { client, server };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', end);
    }
    client.on('data', (chunk) => {
      if (isHolding) held.push({ to: server, chunk });
      else relay(chunk, client, server);
    });
    server.on('data', (chunk) => {
      gate.onReply?.(chunk);
      relay(chunk, server, client);
    });
    if (isFrozen) hold(pair);
  };
  let listener = await listen(0, accept);
  const { port } = listener.address() as { port: number };
  const cut = (): void => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  };
  const letGo = (): void => {
    isHolding = false;
    for (const { to, chunk } of held.splice(0)) if (!to.destroyed) to.write(chunk);
  };
  const closeListener = async (): Promise<void> => {
    if (!listener.listening) return;
    const closed = once(listener, 'close');
    listener.close();
    cut();
    await closed;
  };
  const gate: Gate = {
    port,
    onReply: null,
    get connectionCount() {
      return pairs.size;
    },
    open: async () => {
      isFrozen = false;
      letGo();
      if (!listener.listening) listener = await listen(port, accept);
      for (const { client, server } of pairs) {
        client.resume();
        server.resume();
      }
    },
    refuse: closeListener,
    hold: () => {
      isHolding = true;
    },
    get heldBytes() {
      return held.reduce((sum, { chunk }) => sum + chunk.length, 0);
    },
    letGo,
    freeze: () => {
      isFrozen = true;
      for (const pair of pairs) hold(pair);
    },
    cut,
    close: closeListener,
  };
  return gate;
}

function hold({ client, server }: Pair): void {
  client.pause();
  server.pause();
}

function relay(chunk: Buffer, from: Socket, to: Socket): void {
  if (to.write(chunk)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

async function listen(port: number, accept: (client: Socket) => void): Promise<Server> {
  const server = createServer(accept);
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  return server;
}
