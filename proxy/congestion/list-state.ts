import type { BlocklistName, BlocklistTransition, Evidence, Instant } from './types.ts';

/** What happened to one server on one list; the rest of a transition is the same for every list. */
export type ListChange = Pick<BlocklistTransition, 'list' | 'change' | 'evidence' | 'listedForMs'>;

/** That a server is on a list: since when, and what brought it there. */
export interface Listing extends Instant {
  readonly list: BlocklistName;
  readonly evidence: Evidence;
}

/** All that a `ListState` knows: goes to another process. */
export interface KeptList {
  readonly listing: Listing | null;
  readonly lastListedWallAtMs: number | null;
}

/** Whether one server is on one list. The lists' own rules say when; here it only becomes true or false, with a trace. */
export class ListState {
  readonly #list: BlocklistName;
  #listing: Listing | null = null;
  #lastListedWallAtMs: number | null = null;

  constructor(list: BlocklistName) {
    this.#list = list;
  }

  get listing(): Listing | null {
    return this.#listing;
  }

  /** When it last came on the list, also after it has left; null: never. */
  get lastListedWallAtMs(): number | null {
    return this.#lastListedWallAtMs;
  }

  get kept(): KeptList {
    return { listing: this.#listing, lastListedWallAtMs: this.#lastListedWallAtMs };
  }

  /** Goes on where another process was: nothing happens to the server by it. */
  goOn({ listing, lastListedWallAtMs }: KeptList): void {
    this.#listing = listing;
    this.#lastListedWallAtMs = lastListedWallAtMs;
  }

  /** Null when it is there already: the first evidence stands. */
  enter(at: Instant, evidence: Evidence): ListChange | null {
    if (this.#listing !== null) return null;
    this.#listing = { list: this.#list, atMs: at.atMs, wallAtMs: at.wallAtMs, evidence };
    this.#lastListedWallAtMs = at.wallAtMs;
    return { list: this.#list, change: 'listed', evidence, listedForMs: null };
  }

  /** Null when it is not there. */
  leave(at: Instant, evidence: Evidence): ListChange | null {
    if (this.#listing === null) return null;
    const listedForMs = Math.max(0, at.atMs - this.#listing.atMs);
    this.#listing = null;
    return { list: this.#list, change: 'released', evidence, listedForMs };
  }

  /** B20: it is there, and has been for at least `minKeepMs`. */
  hasKept(atMs: number, minKeepMs: number): boolean {
    return this.#listing !== null && atMs - this.#listing.atMs >= minKeepMs;
  }
}
