import { renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { listenOnSocket } from './unix-socket.ts';

/** Of each process its own, since closing a socket removes the name that it was made with; no longer than `control.sock`. */
const nextName = `c${process.pid.toString(36)}.sock`;

/** Requests under way when the path goes to another process are given so long. */
const GRACE_MS = 2_000;

/**
 * An HTTP server on a Unix socket whose path passes from one process to the next without a moment in which nobody
 * answers: the new one listens elsewhere and moves its socket over the old one's.
 */
export class SocketDoor {
  readonly #path: string;
  readonly #listener: RequestListener;
  #server: Server | null = null;
  /** Of the socket that was moved to the path. */
  #inode = 0;

  constructor(path: string, listener: RequestListener) {
    this.#path = path;
    this.#listener = listener;
  }

  /** @throws OdpError INTERNAL when it cannot be listened on */
  async publish(): Promise<void> {
    if (this.#server !== null) return;
    const server = createServer(this.#listener);
    const next = join(dirname(this.#path), nextName);
    await listenOnSocket(server, next);
    this.#inode = statSync(next).ino;
    renameSync(next, this.#path);
    this.#server = server;
  }

  /** Answers no more; resolves when nothing is under way. The path is left to whoever has it. */
  async withdraw(graceMs = GRACE_MS): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
      if (graceMs === 0) server.closeAllConnections();
    });
    clearTimeout(cut);
  }

  /** Removes the socket if it is this one's. */
  remove(): void {
    if (statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode) rmSync(this.#path, { force: true });
  }
}
