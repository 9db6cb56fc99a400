/** What the blocklists would have done under other parameters, and what they did (issue: same code as live). */
import { Worker } from 'node:worker_threads';
import { serverStates, zoneStates } from '../cluster/states.ts';
import type { RecordedFailure, RecordedTransition } from '../congestion/recorded-steps.ts';
import type { ReplayedListing, ReplayInput } from '../congestion/replay.ts';
import {
  type BlocklistName,
  type CongestionParameters,
  type Evidence,
  type FailureKind,
  failureKinds,
} from '../congestion/types.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { StoredEvidence } from '../history/blocklist-evidence.ts';
import type { BlocklistLog } from '../history/blocklist-log.ts';
import type { StoredFailure, StoredTransition } from '../history/blocklist-row.ts';
import { reasonText } from '../history/describe-transition.ts';
import { isoTime } from './blocklist-views.ts';
import { blocklistNameSchema, type ListingSpan, type WhatIfResponse } from './contract.ts';

/** A replay that takes longer is given up. */
const maxReplayMs = 20_000;
const hourMs = 3_600_000;

export interface WhatIfQuestion {
  readonly cluster: string;
  readonly hours: number;
  readonly parameters: CongestionParameters;
  /** In force now: its window tells how far before the span failures may still count. */
  readonly inForce: CongestionParameters;
  readonly toWallAtMs: number;
}

/**
 * @param replayTimeoutMs for tests
 * @throws OdpError TOO_MUCH_TO_REPLAY
 */
export async function whatIf(
  log: BlocklistLog,
  question: WhatIfQuestion,
  replayTimeoutMs = maxReplayMs,
): Promise<WhatIfResponse> {
  const { cluster, hours, parameters, inForce, toWallAtMs } = question;
  const fromWallAtMs = toWallAtMs - hours * hourMs;
  const reachMs = Math.max(parameters.failWindowMs, inForce.failWindowMs);
  const kept = await readAll(log.transitionsSince(cluster, new Date(fromWallAtMs)));
  const keptFailures = await readAll(log.failures(cluster, new Date(fromWallAtMs - reachMs)));
  const transitions = kept.map(recordedTransition).filter((one) => one !== null);
  const failures = keptFailures.map(recordedFailure).filter((one) => one !== null);
  const would = await replayInThread({ parameters, failures, transitions, fromWallAtMs, toWallAtMs }, replayTimeoutMs);
  return {
    from: isoTime(fromWallAtMs),
    to: isoTime(toWallAtMs),
    parameters: { ...parameters },
    would: would.map((listing) => spanOf(listing, parameters)),
    was: spansOf(kept).filter(({ releasedAt }) => releasedAt === null || releasedAt >= isoTime(fromWallAtMs)),
    failures: failures.length,
    unreadable: kept.length + keptFailures.length - transitions.length - failures.length,
  };
}

async function readAll<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all = [];
  for await (const row of rows) all.push(row);
  return all;
}

function replayInThread(input: ReplayInput, timeoutMs: number): Promise<readonly ReplayedListing[]> {
  const thread = new Worker(new URL('./what-if-thread.ts', import.meta.url), { workerData: input });
  return new Promise<readonly ReplayedListing[]>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new OdpError('TOO_MUCH_TO_REPLAY', { failures: input.failures.length, seconds: timeoutMs / 1_000 }));
    }, timeoutMs);
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => {
      clearTimeout(timer);
      reject(new OdpError('INTERNAL', { detail: `the replay ended with code ${code}` }));
    });
  }).finally(() => thread.terminate());
}

function recordedFailure({ address, kind, ...rest }: StoredFailure): RecordedFailure | null {
  return failureKinds.includes(kind as FailureKind) ? { ...rest, address, kind: kind as FailureKind } : null;
}

function recordedTransition({ address, list, change, at, evidence }: StoredTransition): RecordedTransition | null {
  const name = listName(list);
  const read = evidence === null ? null : recordedEvidence(evidence);
  if (read === null || name === null || (change !== 'listed' && change !== 'released')) return null;
  return { address, list: name, change, wallAtMs: at.getTime(), evidence: read };
}

/** Null: words that this version does not have. */
function recordedEvidence(evidence: StoredEvidence): Evidence | null {
  switch (evidence.kind) {
    case 'view': {
      const state = serverStates.find((one) => one === evidence.state);
      const zoneState = zoneStates.find((one) => one === evidence.zoneState);
      return state === undefined || zoneState === undefined ? null : { ...evidence, state, zoneState };
    }
    // The lists began empty, as they do for a server that has left and come back.
    case 'restart':
      return { kind: 'removed' };
    // A replay finds out by itself what followed from failures; only that the server was really listed counts.
    case 'failures':
      return { kind: 'failures', failures: [] };
    case 'parameters':
      return { kind: 'parameters', changed: evidence.changed as readonly (keyof CongestionParameters)[] };
    default:
      return evidence;
  }
}

function spanOf(listing: ReplayedListing, parameters: CongestionParameters): ListingSpan {
  const { address, list, listedWallAtMs, releasedWallAtMs, evidence, releaseEvidence } = listing;
  return {
    server: address,
    list,
    listedAt: isoTime(listedWallAtMs),
    releasedAt: releasedWallAtMs === null ? null : isoTime(releasedWallAtMs),
    reason: reasonText({ evidence, change: 'listed', parameters }),
    releaseReason:
      releaseEvidence === null ? null : reasonText({ evidence: releaseEvidence, change: 'released', parameters }),
  };
}

/** Pairs each listing with its release, in the order of ids. */
function spansOf(transitions: readonly StoredTransition[]): ListingSpan[] {
  const spans: ListingSpan[] = [];
  const open = new Map<string, number>();
  for (const transition of transitions) {
    const { address, at } = transition;
    const list = listName(transition.list);
    if (list === null) continue;
    const key = `${list} ${address}`;
    const index = open.get(key);
    const span = index === undefined ? undefined : spans[index];
    const reason = reasonText(transition);
    if (transition.change === 'listed' && span === undefined) {
      const listed = {
        server: address,
        list,
        listedAt: at.toISOString(),
        releasedAt: null,
        reason,
        releaseReason: null,
      };
      open.set(key, spans.push(listed) - 1);
    } else if (transition.change === 'released' && index !== undefined && span !== undefined) {
      spans[index] = { ...span, releasedAt: at.toISOString(), releaseReason: reason };
      open.delete(key);
    }
  }
  return spans;
}

function listName(text: string): BlocklistName | null {
  return blocklistNameSchema.safeParse(text).data ?? null;
}
