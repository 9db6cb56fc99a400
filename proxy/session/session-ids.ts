/**
 * Connection ids (`cs_id`): unique among the workers of a process, and among proxies that have each a `proxy_id` of
 * its own. Layouts by `client_session_id_version`, as the reference has them, from the top bit down:
 *
 *     1:  0 (1 bit)  proxy_id (8)   upgrade (1)  worker (as many as needed)  sequence (what is left)
 *     2:  0 (1 bit)  proxy_id (13)  upgrade (1)  worker (as many as needed)  sequence (what is left)
 *
 * The upgrade bit tells two generations apart that serve at the same time (C17): each new one has the other value of the
 * one before. Ids move along with their sessions; those that earlier generations gave out under the same bit, and whose
 * sessions are still there, a generation is told when it starts (SessionRegistry.reserve).
 */

/** Where ids are given out. */
export interface IdPlace {
  /** `client_session_id_version`. */
  readonly version: number;
  /** `proxy_id`. */
  readonly proxyId: number;
  readonly worker: number;
  readonly workerCount: number;
  /** Of the generation. */
  readonly upgradeBit: 0 | 1;
}

interface IdRange {
  /** What all ids of the place have in common. */
  readonly base: number;
  /** The largest sequence number; all bits below it are the sequence's. */
  readonly sequenceMask: number;
}

const PROXY_BITS: Readonly<Record<number, number>> = { 1: 8, 2: 13 };
const UPGRADE_BITS = 1;

const proxyBits = (version: number): number => PROXY_BITS[version] ?? 8;

export function idRange({ version, proxyId, worker, workerCount, upgradeBit }: IdPlace): IdRange {
  const bits = proxyBits(version);
  const restBits = 31 - bits - UPGRADE_BITS;
  const sequenceBits = restBits - (32 - Math.clz32(workerCount - 1));
  const base = ((proxyId << (31 - bits)) | (upgradeBit << restBits) | (worker << sequenceBits)) >>> 0;
  return { base, sequenceMask: (1 << sequenceBits) - 1 };
}

/** Number of the proxy that has given an id out; null: it is no id of that layout, but a server's. */
export function proxyIdOf(id: number, version: number): number | null {
  return id > 0x7fff_ffff ? null : id >>> (31 - proxyBits(version));
}
