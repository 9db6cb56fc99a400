import { LRUCache } from 'lru-cache';
import { type ClassifyLimits, classifyStatement, type SqlDialect } from './classify.ts';
import type { StatementInfo } from './statement-info.ts';

interface CachedStatement {
  /** Bytes in disguise (latin1): a string keeps them beside its head, a buffer far from it, at five times the memory. */
  readonly text: string;
  readonly dialect: SqlDialect;
  readonly info: StatementInfo;
  readonly rememberedAtMs: number;
}

/** An estimate of what one text costs besides its bytes: what is known of it, also by the router, and its place here. */
const entryBytes = 1000;

/** Slots of the memory of texts seen once; a power of two. */
const doorSlots = 65_536;

/**
 * Remembers what recent short statements are, by their bytes. Bounded in estimated memory; the least recently used goes
 * first. Two texts with the same hash just displace one another. A text is let in when it comes a second time:
 * statements with literals in them, each seen once, cost no copy and displace nothing.
 */
export class StatementCache {
  #entries: LRUCache<number, CachedStatement>;
  readonly #seenOnce = new Int32Array(doorSlots);
  readonly #maxTextBytes: number;
  readonly #nowMs: () => number;

  /**
   * @param maxBytes estimated memory
   * @param maxTextBytes longer texts are classified anew each time
   * @param nowMs monotonic clock, milliseconds
   */
  constructor(maxBytes = 4 * 1024 * 1024, maxTextBytes = 1024, nowMs = () => performance.now()) {
    this.#entries = cacheOf(maxBytes);
    this.#maxTextBytes = maxTextBytes;
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Another limit: what was used last is kept. */
  limit(maxBytes: number): void {
    const entries = cacheOf(maxBytes);
    for (const hash of this.#entries.rkeys()) entries.set(hash, this.#entries.peek(hash));
    this.#entries = entries;
  }

  /** Forgets what was remembered until then. */
  forgetBefore(atMs: number): void {
    for (const [hash, { rememberedAtMs }] of [...this.#entries.entries()]) {
      if (rememberedAtMs <= atMs) this.#entries.delete(hash);
    }
  }

  /** As {@link classifyStatement}. `text` may be a view of a buffer that is reused: it is copied when remembered. */
  classify(text: Buffer, dialect: SqlDialect, limits: ClassifyLimits): StatementInfo {
    const { length } = text;
    if (length > this.#maxTextBytes || length > limits.maxBytes || limits.incomplete) {
      return classifyStatement(text, dialect, limits);
    }
    const hash = hashBytes(text);
    const known = this.#entries.get(hash);
    if (known !== undefined && isSameText(known.text, text) && isSameDialect(known.dialect, dialect)) return known.info;
    const info = classifyStatement(text, dialect, limits);
    const slot = hash & (doorSlots - 1);
    if (this.#seenOnce[slot] === hash) {
      this.#entries.set(hash, { text: text.toString('latin1'), dialect, info, rememberedAtMs: this.#nowMs() });
    } else this.#seenOnce[slot] = hash;
    return info;
  }
}

function cacheOf(maxBytes: number): LRUCache<number, CachedStatement> {
  return new LRUCache({
    maxSize: Math.max(1, Math.floor(maxBytes)),
    sizeCalculation: ({ text }) => entryBytes + text.length,
  });
}

/** FNV-1a, cut to 30 bits: a number that V8 keeps without an object, which makes the map's look-up cheap. */
function hashBytes(text: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ (text[at] as number), 0x01000193);
  return (hash ^ (hash >>> 30)) & 0x3fffffff;
}

function isSameText(known: string, text: Buffer): boolean {
  if (known.length !== text.length) return false;
  for (let at = 0; at < text.length; at += 1) if (known.charCodeAt(at) !== text[at]) return false;
  return true;
}

function isSameDialect(left: SqlDialect, right: SqlDialect): boolean {
  return (
    left === right ||
    (left.charset === right.charset &&
      left.ansiQuotes === right.ansiQuotes &&
      left.noBackslashEscapes === right.noBackslashEscapes)
  );
}
