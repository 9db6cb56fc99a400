/** From what was recorded of a past to what is told to a `Blocklist`, for `replay`. */
import type { Blocklist } from './blocklist.ts';
import type { BlocklistTransition, FailureEvent, Instant, ServerStatus } from './types.ts';

/** A failure as it is kept: no monotonic time. */
export type RecordedFailure = Omit<FailureEvent, 'atMs'>;

/** What is needed of a kept transition. */
export type RecordedTransition = Pick<BlocklistTransition, 'address' | 'list' | 'change' | 'wallAtMs' | 'evidence'>;

interface RecordedStep {
  readonly atMs: number;
  readonly tell: (blocklist: Blocklist) => BlocklistTransition[];
}

/**
 * In order of time. What the views and the probes found, releases by hand and servers that left are told again as they
 * were; what followed from failures, successes and parameters is left out: that is what a replay finds out.
 */
export function recordedSteps(
  failures: readonly RecordedFailure[],
  transitions: readonly RecordedTransition[],
): RecordedStep[] {
  const servers = new RecordedServers([...failures, ...transitions].map(({ address }) => address));
  const steps = [
    ...transitions.map((transition) => transitionStep(transition, servers)),
    ...failures.map((failure) => failureStep(failure)),
  ].filter((step) => step !== null);
  steps.sort((a, b) => a.atMs - b.atMs);
  const begin = steps[0]?.atMs ?? 0;
  return [{ atMs: begin, tell: (blocklist) => blocklist.setServers(servers.statuses(), instant(begin)) }, ...steps];
}

/** The cluster as the views told it at the step that is being replayed. */
class RecordedServers {
  readonly #statuses: Map<string, ServerStatus>;

  constructor(addresses: readonly string[]) {
    this.#statuses = new Map(addresses.map((address) => [address, activeServer(address)]));
  }

  statuses(): ServerStatus[] {
    return [...this.#statuses.values()];
  }

  set(status: ServerStatus): ServerStatus[] {
    this.#statuses.set(status.address, status);
    return this.statuses();
  }
}

function failureStep(failure: RecordedFailure): RecordedStep {
  return {
    atMs: failure.wallAtMs,
    tell: (blocklist) => blocklist.failure({ ...failure, atMs: failure.wallAtMs }),
  };
}

function transitionStep(transition: RecordedTransition, servers: RecordedServers): RecordedStep | null {
  const { address, list, change, wallAtMs, evidence } = transition;
  const at = instant(wallAtMs);
  const step = (tell: RecordedStep['tell']): RecordedStep => ({ atMs: wallAtMs, tell });
  switch (evidence.kind) {
    case 'view':
      if (list !== 'status') return null;
      return step((blocklist) => {
        const { state, zoneState, reason } = evidence;
        return blocklist.setServers(servers.set({ ...activeServer(address), state, zoneState, reason }), at);
      });
    case 'probes': {
      const last = evidence.probes.at(-1);
      const probe = { tookMs: last?.tookMs ?? 0, detail: last?.detail ?? '', ok: change === 'released' };
      return step((blocklist) => blocklist.probe({ address, ...at, ...probe }));
    }
    case 'hand':
      return step((blocklist) => blocklist.release(address, list, evidence, at));
    case 'removed':
      return step((blocklist) => {
        const others = servers.statuses().filter((status) => status.address !== address);
        const removed = blocklist.setServers(others, at);
        return [...removed, ...blocklist.setServers(servers.set(activeServer(address)), at)];
      });
    case 'parameters': {
      // Only the end of probing is no matter of the five parameters; it took every server off the detection list.
      if (list !== 'detection' || !evidence.changed.includes('detectMode')) return null;
      return step((blocklist) => {
        const { parameters } = blocklist;
        const released = blocklist.setParameters({ ...parameters, detectMode: 0 }, at);
        return [...released, ...blocklist.setParameters(parameters, at)];
      });
    }
    default:
      return null;
  }
}

function activeServer(address: string): ServerStatus {
  return { address, zone: '', region: '', zoneState: 'ACTIVE', state: 'ACTIVE', reason: '' };
}

function instant(wallAtMs: number): Instant {
  return { atMs: wallAtMs, wallAtMs };
}
