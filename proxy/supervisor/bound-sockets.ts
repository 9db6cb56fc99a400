import { type BoundSocket, bindSocket } from '../net/listener.ts';

interface Wanted {
  readonly host: string;
  readonly port: number;
  readonly ipv6Only: boolean;
}

/**
 * The ports that generations listen on. A port stays bound from one generation to the next, so that no connect is ever
 * refused; one that nobody asks for any more, because a parameter has changed, is given back.
 */
export class BoundSockets {
  readonly #sockets = new Map<string, BoundSocket>();
  /** What each generation has asked for. */
  readonly #wanted = new Map<number, string>();

  /** @throws Error with the address when it cannot be had */
  get(generation: number, { host, port, ipv6Only }: Wanted): BoundSocket {
    const key = `${host} ${port} ${ipv6Only}`;
    const socket = this.#sockets.get(key) ?? bindSocket(host, port, ipv6Only);
    this.#sockets.set(key, socket);
    this.#wanted.set(generation, key);
    return socket;
  }

  /** Gives back what only generations other than these have asked for. */
  keepFor(generations: readonly number[]): void {
    for (const generation of [...this.#wanted.keys()]) {
      if (!generations.includes(generation)) this.#wanted.delete(generation);
    }
    const wanted = new Set(this.#wanted.values());
    for (const [key, socket] of this.#sockets) {
      if (wanted.has(key)) continue;
      socket.close();
      this.#sockets.delete(key);
    }
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }
}
