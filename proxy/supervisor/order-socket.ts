/** The door for orders of the command line: JSON lines over a Unix socket that only the proxy's own account can open. */
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { z } from 'zod';
import { listenOnSocket } from '../control/unix-socket.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { upgradeKinds } from '../upgrade/status-names.ts';
import type { Generations } from './generations.ts';
import { orderSocketPath } from './order-path.ts';

/** A longer one is none. */
const MAX_ORDER_LENGTH = 64 * 1024;

const by = z.string().min(1).max(200);
const reason = z.string().max(500);
const source = z.literal('start');

/** What one line may ask for. `state`: only to be told it. */
const orderSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    kind: z.enum(upgradeKinds),
    directory: z.string().nullable(),
    hold: z.boolean(),
    watchMs: z.number().int().min(0),
    md5: z.string().nullable(),
    by,
    source,
    reason,
  }),
  z.object({ type: z.literal('commit'), by, source, reason }),
  z.object({ type: z.literal('rollback'), by, source, reason }),
  z.object({ type: z.literal('state') }),
]);

/** Each answer is one line: first `{ error }` or the state, then the state whenever it changes, until the caller hangs up. */
export class OrderSocket {
  readonly #generations: Generations;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #path = '';

  constructor(generations: Generations) {
    this.#generations = generations;
  }

  /** @throws OdpError INTERNAL when it cannot be listened on */
  async listen(home: string): Promise<void> {
    this.#path = orderSocketPath(home);
    this.#server = createServer((socket) => this.#serve(socket));
    await listenOnSocket(this.#server, this.#path);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const server = this.#server;
    if (server === null) return;
    await new Promise((resolve) => server.close(resolve));
    rmSync(this.#path, { force: true });
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let end: () => void = () => undefined;
    // Whoever hangs up in the middle of a line wants no more.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      end();
      this.#sockets.delete(socket);
    });
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      if (text.includes('\n')) return;
      text += chunk;
      if (text.length > MAX_ORDER_LENGTH) socket.destroy();
      else if (text.includes('\n')) end = this.#answer(text, socket);
    });
  }

  /** @returns what ends the telling */
  #answer(line: string, socket: Socket): () => void {
    const say = (what: unknown): void => {
      socket.write(`${JSON.stringify(what)}\n`);
    };
    try {
      const order = orderSchema.parse(JSON.parse(line));
      const refusal = order.type === 'state' ? null : this.#generations.order(order);
      if (refusal !== null) throw new OdpError(refusal.code, refusal.details);
      say(this.#generations.view());
      return this.#generations.watch(say);
    } catch (error) {
      say({ error: errorText(error) });
      socket.end();
      return () => undefined;
    }
  }
}
