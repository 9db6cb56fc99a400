/** The lists as a worker sees them: which of a request's candidates to use. Pure; the time is passed in. */
import type { BlocklistName, ServerVerdict } from './types.ts';

/** Anything that names a server: a route's candidate. */
interface Addressed {
  readonly address: string;
}

/**
 * A due retry waits so long for a request that could be sent elsewhere should the server fail (a read, a log-in), so that
 * no client pays for it; then any request may try.
 */
const SAFE_TRY_MS = 1_000;

export interface BlocklistChoice<Candidate extends Addressed> {
  /** To be tried in this order; never empty when there were candidates. */
  readonly order: readonly Candidate[];
  /** Left out, with the lists they are on. When `forced`, they are in `order` all the same. */
  readonly skipped: readonly { readonly address: string; readonly lists: readonly BlocklistName[] }[];
  /** B15: every candidate is listed, so that listed ones are used. */
  readonly forced: boolean;
  /** B12: the listed server that this request is to try; it is first in `order`. */
  readonly retry: string | null;
}

export class BlocklistView {
  /** Only the listed ones: empty, the usual case, costs a request nothing. */
  #listed: ReadonlyMap<string, ServerVerdict> = new Map();
  /** The due times of the retries that went to a request of this worker, by address. */
  readonly #taken = new Map<string, number>();
  /** Where the next forced order begins. */
  #turn = 0;

  /** All verdicts anew; `isEnabled`: `enable_congestion`, without which nothing is left out (B16). */
  update(verdicts: readonly ServerVerdict[], isEnabled: boolean): void {
    const listed = isEnabled ? verdicts.filter(({ lists }) => lists.length > 0) : [];
    this.#listed = new Map(listed.map((verdict) => [verdict.address, verdict]));
    for (const address of this.#taken.keys()) if (!this.#listed.has(address)) this.#taken.delete(address);
  }

  /** Nothing is listed: the usual case, told at the price of a property read. */
  get isEmpty(): boolean {
    return this.#listed.size === 0;
  }

  /** The lists a server is on; empty: none, or the lists are not in force. */
  listsOf(address: string): readonly BlocklistName[] {
    return this.#listed.get(address)?.lists ?? [];
  }

  /**
   * Drops the listed from a request's candidates (B14), which are in order of preference. Null, without allocating
   * anything: none is listed, use them as they are. A due retry is given to one request, and only where the listed server
   * would have been its first choice but for listed ones. The caller tells the coordinator of it, and when a request that
   * was forced or a retry has worked. `isRepeatable`: nothing is lost when the server fails under the request.
   */
  choose<Candidate extends Addressed>(
    candidates: readonly Candidate[],
    nowMs: number,
    isRepeatable = true,
  ): BlocklistChoice<Candidate> | null {
    const choice = this.preview(candidates, nowMs, isRepeatable);
    if (choice === null) return null;
    const retryAtMs = choice.retry === null ? null : (this.#listed.get(choice.retry)?.retryAtMs ?? null);
    if (choice.retry !== null && retryAtMs !== null) this.#taken.set(choice.retry, retryAtMs);
    if (choice.forced) this.#turn += 1;
    return choice;
  }

  /** What `choose` would answer, for EXPLAIN: takes nobody's retry. */
  preview<Candidate extends Addressed>(
    candidates: readonly Candidate[],
    nowMs: number,
    isRepeatable = true,
  ): BlocklistChoice<Candidate> | null {
    const dueMs = isRepeatable ? nowMs : nowMs - SAFE_TRY_MS;
    if (this.#listed.size === 0 || !candidates.some(({ address }) => this.#listed.has(address))) return null;
    const free: Candidate[] = [];
    const listed: Candidate[] = [];
    let retry: Candidate | null = null;
    for (const candidate of candidates) {
      if (!this.#listed.has(candidate.address)) free.push(candidate);
      else if (retry === null && free.length === 0 && this.#isDue(candidate.address, dueMs)) retry = candidate;
      else listed.push(candidate);
    }
    const forced = free.length === 0;
    const rest = forced ? rotate(listed, this.#turn) : free;
    return {
      order: retry === null ? rest : [retry, ...rest],
      skipped: listed.map(({ address }) => ({ address, lists: this.listsOf(address) })),
      forced,
      retry: retry?.address ?? null,
    };
  }

  #isDue(address: string, nowMs: number): boolean {
    const retryAtMs = this.#listed.get(address)?.retryAtMs ?? null;
    return retryAtMs !== null && nowMs >= retryAtMs && this.#taken.get(address) !== retryAtMs;
  }
}

/** B15: each forced request begins with another server, so that one is not hammered. */
function rotate<Item>(items: readonly Item[], turn: number): Item[] {
  const start = items.length === 0 ? 0 : turn % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
