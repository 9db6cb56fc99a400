/** The server sessions of one client session (C1, C3), and what ties the client to one of them. */
import { STATUS } from '../wire/constants.ts';
import { LazyMap } from './lazy-map.ts';
import type { ServerSession } from './server-session.ts';
import { SharedBlocks } from './shared-blocks.ts';

export class HeldServers {
  readonly #byAddress = new LazyMap<string, ServerSession>();
  readonly #count: (address: string, change: 1 | -1) => void;
  /** State that servers have handed over for the others. */
  readonly blocks = new SharedBlocks();
  /** Server session of the statement before. */
  last: ServerSession | null = null;
  /** The one that has generated the id that LAST_INSERT_ID() tells; null: none, or it is gone. */
  lastInsertIdAt: ServerSession | null = null;
  #bound: ServerSession | null = null;
  /** Statements of the open transaction may go to other servers (C9): `bound` coordinates it. */
  routesInside = false;
  /** The request under way leaves the coordinator. */
  isRoaming = false;
  /** Server session that holds something only it can have. */
  pinned: ServerSession | null = null;
  /** What it holds, besides locks: `temporary table DATABASE.NAME`, `statement NAME` of text prepared statements. */
  readonly #pins = new LazyMap<string, true>();
  /** GET_LOCK and LOCK TABLES that were not followed by a release: names are not looked at, so a count has to do. */
  #lockCount = 0;
  /** What ties the session to `pinned`, for another generation. */
  get pins(): { readonly names: readonly string[]; readonly lockCount: number } {
    return { names: [...this.#pins.keys()], lockCount: this.#lockCount };
  }

  restorePins(server: ServerSession, names: readonly string[], lockCount: number): void {
    for (const name of names) this.#pins.set(name, true);
    this.#lockCount = lockCount;
    this.pinned = server;
  }

  /** The next request has to meet the server session of the statement before (SET TRANSACTION). */
  stayOnLast = false;
  /** `SET @obproxy_route_addr`: `ip:port` of the server that the next request is to go to; null: any. */
  routeAddress: string | null = null;

  /** @param count told of every server session that is added or removed */
  constructor(count: (address: string, change: 1 | -1) => void) {
    this.#count = count;
  }

  /** Server session of the open transaction (C5). */
  get bound(): ServerSession | null {
    return this.#bound;
  }

  /** A transaction is open there. @param routesInside its statements may go to other servers */
  bind(server: ServerSession, routesInside: boolean): void {
    this.#bound = server;
    this.routesInside = routesInside;
  }

  /** No transaction is open. */
  unbind(): void {
    this.#bound = null;
    this.routesInside = false;
  }

  get size(): number {
    return this.#byAddress.size;
  }

  /** A copy: server sessions may be dropped while it is walked. */
  all(): ServerSession[] {
    return [...this.#byAddress.values()];
  }

  find(address: string): ServerSession | undefined {
    return this.#byAddress.get(address);
  }

  add(server: ServerSession): void {
    if (server.framing) server.framing.shared = this.blocks;
    this.#byAddress.set(server.address, server);
    this.#count(server.address, 1);
  }

  /** A server has answered the request: it is that of the statement before for the next one. */
  answered(server: ServerSession): void {
    this.last = server;
    this.routeAddress = null;
  }

  /** What the next request was to meet doesn't count any more. */
  release(): void {
    this.stayOnLast = false;
    this.routeAddress = null;
  }

  /** Forgets one, with all that it held. */
  remove(server: ServerSession): void {
    if (this.#byAddress.get(server.address) === server) {
      this.#byAddress.delete(server.address);
      this.#count(server.address, -1);
    }
    if (this.last === server) this.last = null;
    if (this.lastInsertIdAt === server) this.lastInsertIdAt = null;
    if (this.#bound === server) this.unbind();
    if (this.pinned === server) this.unpin();
  }

  /** Notes that this server session has got something that no other one can have. */
  pin(server: ServerSession, what: string): void {
    this.#pins.set(what, true);
    this.pinned = server;
  }

  unpinOne(what: string): void {
    this.#pins.delete(what);
    this.#unpinIfFree();
  }

  /** Which of the pins that begin so may be let go by name is not known any more: the session stays for all of them. */
  pinForGood(start: string): void {
    const pins = [...this.#pins.keys()].filter((pin) => pin.startsWith(start));
    for (const pin of pins) this.#pins.delete(pin);
    if (pins.length > 0) this.#pins.set(start, true);
  }

  takeLock(server: ServerSession): void {
    this.#lockCount++;
    this.pinned = server;
  }

  releaseLock(): void {
    if (this.#lockCount > 0) this.#lockCount--;
    this.#unpinIfFree();
  }

  unpin(): void {
    this.#pins.clear();
    this.#lockCount = 0;
    this.pinned = null;
  }

  /** C9: the coordinator, for a request that has left it and may be taken back; null: there is nothing to take back. */
  get roamedFrom(): ServerSession | null {
    return this.isRoaming && this.#bound?.ready === true ? this.#bound : null;
  }

  /** The one that the request must use whatever the router says, or null. */
  get tied(): ServerSession | null {
    if (this.isRoaming) return null;
    return this.#bound ?? this.pinned ?? (this.stayOnLast && this.last?.ready ? this.last : null);
  }

  /** What of the client's is lost with a server session, in words; null: nothing. */
  lossOf(server: ServerSession): string | null {
    if (this.#bound === server) return 'the transaction has ended';
    const held = this.holdings(server);
    return held === null ? null : `what the session held there is lost: ${held}`;
  }

  /** What only this server session can have, in words; null: nothing. */
  holdings(server: ServerSession): string | null {
    if (this.pinned !== server) return null;
    return [...this.#pins.keys(), ...(this.#lockCount > 0 ? ['lock'] : [])].join(', ');
  }

  /** A failure's text, with what is lost by it. */
  withLoss(server: ServerSession, text: string): string {
    const loss = this.lossOf(server);
    return loss === null ? text : `${text}; ${loss}`;
  }

  #unpinIfFree(): void {
    if (this.#pins.size === 0 && this.#lockCount === 0) this.pinned = null;
  }
}

/** Whether status flags say that a transaction is open. */
export const isInTransaction = (status: number): boolean => (status & STATUS.IN_TRANS) !== 0;
