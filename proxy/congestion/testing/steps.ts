/** A small language for the tests of the blocklists: what happens to one server, in seconds. */
import type { ServerState, ZoneState } from '../../cluster/states.ts';
import { Blocklist } from '../blocklist.ts';
import type {
  BlocklistName,
  BlocklistTransition,
  CongestionParameters,
  FailureEvent,
  FailureKind,
  Instant,
  ProbeResult,
  ServerStatus,
} from '../types.ts';

export const SERVER = '10.0.0.1:2881';
/** Some moment of the wall clock at which the tests' monotonic clock shows 0. */
export const WALL_AT_0 = 1_760_000_000_000;

/** The parameters' defaults (B16–B21), with all servers probed. */
export const defaults: CongestionParameters = {
  enabled: true,
  failureThreshold: 5,
  failWindowMs: 120_000,
  retryIntervalMs: 20_000,
  minKeepMs: 20_000,
  minConnectTimeoutMs: 100,
  detectFailThreshold: 3,
  detectMode: 2,
};

export function at(seconds: number): Instant {
  const atMs = Math.round(seconds * 1000);
  return { atMs, wallAtMs: WALL_AT_0 + atMs };
}

export function statusOf(state: ServerState = 'ACTIVE', over: Partial<ServerStatus> = {}): ServerStatus {
  return { address: SERVER, zone: 'z1', region: 'r1', zoneState: 'ACTIVE', state, reason: `is ${state}`, ...over };
}

export function failureOf(seconds: number, over: Partial<FailureEvent> = {}): FailureEvent {
  const words = { errno: 0, detail: 'no answer', sessionId: 7, digest: 'select ?' };
  return { address: SERVER, kind: 'query-timeout', tookMs: 1000, ...words, ...at(seconds), ...over };
}

export function probeOf(seconds: number, ok: boolean, over: Partial<ProbeResult> = {}): ProbeResult {
  return { address: SERVER, ok, tookMs: ok ? 2 : 5000, detail: ok ? '' : 'timed out', ...at(seconds), ...over };
}

/** Something that happens. */
export type Step = (blocklist: Blocklist) => BlocklistTransition[];

/** A failure of business SQL at each of these seconds. */
export function fails(...seconds: number[]): Step {
  return (blocklist) => seconds.flatMap((second) => blocklist.failure(failureOf(second)));
}

export function failsBy(kind: FailureKind, second: number, over: Partial<FailureEvent> = {}): Step {
  return (blocklist) => blocklist.failure(failureOf(second, { kind, ...over }));
}

/** The views tell this state. */
export function says(state: ServerState, second: number, zoneState: ZoneState = 'ACTIVE'): Step {
  return (blocklist) => blocklist.setServers([statusOf(state, { zoneState })], at(second));
}

/** The views do not name the server any more. */
export function leaves(second: number): Step {
  return (blocklist) => blocklist.setServers([], at(second));
}

export function probesFail(...seconds: number[]): Step {
  return (blocklist) => seconds.flatMap((second) => blocklist.probe(probeOf(second, false)));
}

export function probeWorks(second: number): Step {
  return (blocklist) => blocklist.probe(probeOf(second, true));
}

/** A request tries the server; what becomes of it is another step. */
export function isTried(second: number): Step {
  return (blocklist) => {
    blocklist.retryStarted(SERVER, at(second));
    return [];
  };
}

export function succeeds(second: number): Step {
  return (blocklist) => blocklist.success(SERVER, at(second), 9);
}

export function sets(changes: Partial<CongestionParameters>, second: number): Step {
  return (blocklist) => blocklist.setParameters({ ...blocklist.parameters, ...changes }, at(second));
}

export function isReleased(list: BlocklistName | null, second: number): Step {
  return (blocklist) => blocklist.release(SERVER, list, { actor: 'ann', reason: 'is mended' }, at(second));
}

/** A cluster of the one server, ACTIVE since second 0. */
export function startedBlocklist(parameters: Partial<CongestionParameters> = {}): Blocklist {
  const blocklist = new Blocklist({ ...defaults, ...parameters });
  blocklist.setServers([statusOf()], at(0));
  return blocklist;
}

/** What the steps bring about, as `second +list` for a listing and `second -list evidence` for a release. */
export function run(steps: readonly Step[], blocklist = startedBlocklist()): string[] {
  return steps.flatMap((step) => step(blocklist)).map(inShort);
}

function inShort({ atMs, change, list, evidence }: BlocklistTransition): string {
  return change === 'listed' ? `${atMs / 1000} +${list}` : `${atMs / 1000} -${list} ${evidence.kind}`;
}
