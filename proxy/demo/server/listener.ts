import { createServer, type Server, type Socket } from 'node:net';
import { type ConnectionOptions, DemoConnection } from './connection.ts';

/** The listening side of one demo OBServer. */
export class DemoListener {
  readonly #options: ConnectionOptions;
  readonly #connections = new Map<Socket, DemoConnection>();
  #server: Server | null = null;
  #port: number;

  /** @param port 0 for any free one; the port stays the same when the server is started again */
  constructor(options: ConnectionOptions, port: number) {
    this.#options = options;
    this.#port = port;
  }

  get listening(): boolean {
    return this.#server !== null;
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Starts to accept; resolves with the port. Rejects when the address is taken. */
  async listen(): Promise<number> {
    if (this.#server) return this.#port;
    const server = createServer({ pauseOnConnect: false }, (socket) => this.#accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: this.#options.server.ip, port: this.#port, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#server = server;
    const address = server.address();
    if (address !== null && typeof address === 'object') this.#port = address.port;
    return this.#port;
  }

  /** Stops to accept: new connections are refused, those that are there stay. */
  async refuse(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = null;
    // `close` calls back only when the last connection has ended; the port is free at once.
    server.close();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Resets every connection. */
  cut(): void {
    for (const connection of this.#connections.values()) connection.cut();
  }

  stall(): void {
    for (const connection of this.#connections.values()) connection.stall();
  }

  hangUp(): void {
    for (const connection of this.#connections.values()) connection.hangUp();
  }

  expire(): void {
    for (const connection of this.#connections.values()) connection.expire();
  }

  freeze(): void {
    this.#options.faults.freeze();
    for (const connection of this.#connections.values()) connection.freeze();
  }

  thaw(): void {
    this.#options.faults.thaw();
    for (const connection of this.#connections.values()) connection.thaw();
  }

  #accept(socket: Socket): void {
    const connection = new DemoConnection(socket, this.#options);
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
  }
}
