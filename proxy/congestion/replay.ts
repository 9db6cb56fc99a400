/**
 * What if: the recorded past run again under other parameter values, through the very class that decides live. Pure.
 *
 * The axis is the wall clock, since records outlive the process whose monotonic clock timed them. What the record cannot
 * know is assumed, and on the careful side: a retry works unless the server was then really on the alive list, with no
 * success within a second, or a recorded failure followed within a second. Requests that a list really kept away left no
 * failures to count.
 */
import { Blocklist } from './blocklist.ts';
import { type RecordedFailure, type RecordedTransition, recordedSteps } from './recorded-steps.ts';
import { firstFrom } from './sorted-times.ts';
import type { BlocklistName, BlocklistTransition, CongestionParameters, Evidence } from './types.ts';

/** What was recorded, and the parameters to try. */
export interface ReplayInput {
  /** B17–B21 as they would have been, all the time. What concerns probes is kept as it was. */
  readonly parameters: CongestionParameters;
  /** In any order; from one window before the span on, so that its first counts are right. */
  readonly failures: readonly RecordedFailure[];
  /** Of all lists, in any order; with the last one before the span of each server and list. */
  readonly transitions: readonly RecordedTransition[];
  readonly fromWallAtMs: number;
  readonly toWallAtMs: number;
}

/** That a server would have been on a list. */
export interface ReplayedListing {
  readonly address: string;
  readonly list: BlocklistName;
  /** May lie before the span. */
  readonly listedWallAtMs: number;
  /** Null: still listed at the end of the span. */
  readonly releasedWallAtMs: number | null;
  readonly evidence: Evidence;
  readonly releaseEvidence: Evidence | null;
}

/** What is recorded this long after a retry is taken for its outcome. */
const OUTCOME_WITHIN_MS = 1_000;
/** The parameter's own lower bound: nothing less can be set, and time must pass between two tries. */
const MIN_RETRY_INTERVAL_MS = 1_000;

/** Which servers would have been listed within the span, in order of their listing. */
export function replay(input: ReplayInput): ReplayedListing[] {
  const parameters: CongestionParameters = {
    ...input.parameters,
    retryIntervalMs: Math.max(MIN_RETRY_INTERVAL_MS, input.parameters.retryIntervalMs),
    // Recorded verdicts of the probes are told as one probe each.
    detectMode: 2,
    detectFailThreshold: 0,
  };
  const blocklist = new Blocklist(parameters);
  const works = retryOutcomes(input);
  const transitions: BlocklistTransition[] = [];
  let nowMs = Number.NEGATIVE_INFINITY;
  for (const step of recordedSteps(input.failures, input.transitions)) {
    if (step.atMs > input.toWallAtMs) break;
    transitions.push(...retriesBetween(nowMs, step.atMs, blocklist, works), ...step.tell(blocklist));
    nowMs = step.atMs;
  }
  transitions.push(...retriesBetween(nowMs, input.toWallAtMs, blocklist, works));
  return listingsOf(transitions).filter(
    ({ releasedWallAtMs }) => releasedWallAtMs === null || releasedWallAtMs >= input.fromWallAtMs,
  );
}

type RetryOutcome = (address: string, atMs: number) => boolean;

/** B12, B13: every retry that is or becomes due in this time, in order; nothing else happens in it. */
function retriesBetween(
  fromMs: number,
  untilMs: number,
  blocklist: Blocklist,
  works: RetryOutcome,
): BlocklistTransition[] {
  const transitions: BlocklistTransition[] = [];
  for (;;) {
    const due = nextRetry(blocklist);
    // One may have become due while another list kept the server away.
    const atMs = Math.max(due?.retryAtMs ?? untilMs, fromMs);
    if (due === null || atMs >= untilMs) return transitions;
    const at = { atMs, wallAtMs: atMs };
    blocklist.retryStarted(due.address, at);
    if (works(due.address, atMs)) transitions.push(...blocklist.success(due.address, at, 0));
  }
}

function nextRetry(blocklist: Blocklist): { readonly address: string; readonly retryAtMs: number } | null {
  let next: { address: string; retryAtMs: number } | null = null;
  for (const { address, retryAtMs } of blocklist.verdicts()) {
    if (retryAtMs !== null && (next === null || retryAtMs < next.retryAtMs)) next = { address, retryAtMs };
  }
  return next;
}

function retryOutcomes({ failures, transitions }: ReplayInput): RetryOutcome {
  const failedAt = timesByServer(failures.map(({ address, wallAtMs }) => [address, wallAtMs]));
  const alive = listingsOf(transitions.filter(({ list }) => list === 'alive'));
  const listedAt = timesByServer(alive.map(({ address, listedWallAtMs }) => [address, listedWallAtMs]));
  const listings = Map.groupBy(alive, ({ address }) => address);
  return (address, atMs) => {
    const failures = failedAt.get(address) ?? [];
    const nextFailureAtMs = failures[firstFrom(failures, atMs)] ?? Number.POSITIVE_INFINITY;
    // A server's listings do not overlap: only the last that had begun can have been in force.
    const lastListing = listings.get(address)?.[firstFrom(listedAt.get(address) ?? [], atMs + 1) - 1];
    const wasListed = lastListing !== undefined && atMs < knownWellAtMs(lastListing);
    return !wasListed && nextFailureAtMs - atMs > OUTCOME_WITHIN_MS;
  };
}

/** Ascending. */
function timesByServer(moments: readonly (readonly [address: string, atMs: number])[]): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const [address, atMs] of moments.toSorted((a, b) => a[1] - b[1])) {
    const known = times.get(address);
    if (known === undefined) times.set(address, [atMs]);
    else known.push(atMs);
  }
  return times;
}

/** A real success proves the server well from when its request began. */
function knownWellAtMs({ releasedWallAtMs, releaseEvidence }: ReplayedListing): number {
  if (releasedWallAtMs === null) return Number.POSITIVE_INFINITY;
  return releaseEvidence?.kind === 'success' ? releasedWallAtMs - OUTCOME_WITHIN_MS : releasedWallAtMs;
}

/** Pairs each listing with its release. */
function listingsOf(transitions: readonly RecordedTransition[]): ReplayedListing[] {
  const done: ReplayedListing[] = [];
  const open = new Map<string, number>();
  for (const { address, list, change, wallAtMs, evidence } of transitions.toSorted(byTime)) {
    const key = `${list} ${address}`;
    const index = open.get(key);
    const listing = index === undefined ? undefined : done[index];
    if (change === 'listed' && listing === undefined) {
      const listed = {
        address,
        list,
        listedWallAtMs: wallAtMs,
        releasedWallAtMs: null,
        evidence,
        releaseEvidence: null,
      };
      open.set(key, done.push(listed) - 1);
    } else if (change === 'released' && index !== undefined && listing !== undefined) {
      done[index] = { ...listing, releasedWallAtMs: wallAtMs, releaseEvidence: evidence };
      open.delete(key);
    }
  }
  return done;
}

function byTime(a: RecordedTransition, b: RecordedTransition): number {
  return a.wallAtMs - b.wallAtMs;
}
