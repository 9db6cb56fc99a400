import { LRUCache } from 'lru-cache';
import { type ClassifyLimits, classifyStatement, type SqlDialect } from './classify.ts';
import type { StatementInfo } from './statement-info.ts';

interface CachedStatement {
  readonly text: Buffer;
  readonly dialect: SqlDialect;
  readonly info: StatementInfo;
}

/** Slots of the memory of texts seen once; a power of two. */
const doorSlots = 4096;

/** Up to this length a loop compares faster than the call into Buffer.equals. */
const loopCompareBytes = 64;

/**
 * Remembers what recent short statements are, by their bytes. Bounded both in entries and in bytes; the least
 * recently used goes first. Two texts with the same hash just displace one another. A text is let in when it comes a
 * second time: statements with literals in them, each seen once, cost no copy and displace nothing.
 */
export class StatementCache {
  readonly #entries: LRUCache<number, CachedStatement>;
  readonly #seenOnce = new Int32Array(doorSlots);
  readonly #maxTextBytes: number;

  /**
   * @param maxEntries statements to remember
   * @param maxTextBytes longer texts are classified anew each time
   */
  constructor(maxEntries = 2048, maxTextBytes = 1024) {
    this.#entries = new LRUCache({ max: maxEntries });
    this.#maxTextBytes = maxTextBytes;
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
    if (this.#seenOnce[slot] === hash) this.#entries.set(hash, { text: Buffer.from(text), dialect, info });
    else this.#seenOnce[slot] = hash;
    return info;
  }
}

/** FNV-1a, cut to 30 bits: a number that V8 keeps without an object, which makes the map's look-up cheap. */
function hashBytes(text: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ (text[at] as number), 0x01000193);
  return (hash ^ (hash >>> 30)) & 0x3fffffff;
}

function isSameText(left: Buffer, right: Buffer): boolean {
  if (left.length !== right.length) return false;
  if (left.length > loopCompareBytes) return left.equals(right);
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false;
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
