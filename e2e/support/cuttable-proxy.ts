import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP relay in front of the console that can be cut like a network cable, or go silent. */
export class CuttableProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #open = true;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Relay to `127.0.0.1:<port>`; listens on a free port. */
  static async start(port: number): Promise<CuttableProxy> {
    const server = createServer();
    const proxy = new CuttableProxy(server);
    server.on('connection', (client) => proxy.#relay(client, port));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  /** Address to open in the browser. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the relay does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Break all connections and refuse new ones. */
  cut(): void {
    this.#open = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keep the connections, but let nothing through any more. */
  silence(): void {
    for (const socket of this.#sockets) {
      socket.unpipe();
      socket.pause();
    }
  }

  /** Let new connections through again. */
  mend(): void {
    this.#open = true;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((done) => this.#server.close(done));
  }

  #relay(client: Socket, port: number): void {
    if (!this.#open) {
      client.destroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      // A cut connection fails on both sides; `close` follows and does what is to do.
      socket.on('error', () => other.destroy());
      socket.pipe(other);
    }
  }
}
