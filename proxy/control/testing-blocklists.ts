/** Real blocklists behind the control API, on a clock that is passed in: for tests. */
import { Blocklist } from '../congestion/blocklist.ts';
import type {
  BlocklistTransition,
  CongestionParameters,
  FailureEvent,
  Instant,
  ServerStatus,
} from '../congestion/types.ts';
import type { BlocklistLog } from '../history/blocklist-log.ts';
import type { BlocklistService, ClusterBlocklist, ReleaseCall } from './blocklist-service.ts';

/** The defaults. */
export const defaultCongestion: CongestionParameters = {
  enabled: true,
  failureThreshold: 5,
  failWindowMs: 120_000,
  retryIntervalMs: 20_000,
  minKeepMs: 20_000,
  minConnectTimeoutMs: 100,
  detectFailThreshold: 3,
  detectMode: 1,
};

export class TestBlocklists implements BlocklistService {
  readonly #log: BlocklistLog;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  readonly #listeners = new Set<() => void>();
  readonly #clusters = new Map<string, Blocklist>();

  constructor(log: BlocklistLog, nowMs: () => number) {
    this.#log = log;
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  clusters(): readonly ClusterBlocklist[] {
    return [...this.#clusters].map(([name, blocklist]) => ({ name, blocklist }));
  }

  now(): Instant {
    return { atMs: this.#nowMs() - this.#startMs, wallAtMs: this.#nowMs() };
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  release({ cluster, address, list, actor, reason }: ReleaseCall): readonly BlocklistTransition[] {
    return this.tell(cluster, (blocklist) => blocklist.release(address, list, { actor, reason }, this.now()));
  }

  /** Serves a cluster with these servers, all of them in zone1 unless said otherwise. */
  setServers(cluster: string, servers: readonly (Partial<ServerStatus> & { readonly address: string })[]): void {
    const statuses = servers.map(
      (server): ServerStatus => ({
        zone: 'zone1',
        region: 'SHANGHAI',
        zoneState: 'ACTIVE',
        state: 'ACTIVE',
        reason: `status ${server.state ?? 'ACTIVE'}`,
        ...server,
      }),
    );
    if (!this.#clusters.has(cluster)) this.#clusters.set(cluster, new Blocklist(defaultCongestion));
    this.tell(cluster, (blocklist) => blocklist.setServers(statuses, this.now()));
  }

  fail(cluster: string, address: string, change: Partial<FailureEvent> = {}): void {
    const failure: FailureEvent = {
      address,
      kind: 'server-error',
      ...this.now(),
      tookMs: 1,
      errno: 4013,
      detail: 'no memory',
      sessionId: 7,
      digest: 'select ? from t',
      ...change,
    };
    this.#log.addFailure({ cluster, ...failure });
    this.tell(cluster, (blocklist) => blocklist.failure(failure));
  }

  probe(cluster: string, address: string, ok: boolean): void {
    const detail = ok ? '' : 'no result within 5000 ms';
    this.tell(cluster, (blocklist) => blocklist.probe({ address, ok, ...this.now(), tookMs: ok ? 2 : 5_000, detail }));
  }

  /** Tells a blocklist something, and does with what it answers what a coordinator does. */
  tell(cluster: string, change: (blocklist: Blocklist) => readonly BlocklistTransition[]) {
    const blocklist = this.#clusters.get(cluster);
    const transitions = blocklist === undefined ? [] : change(blocklist);
    for (const transition of transitions) this.#log.addTransition({ cluster, ...transition });
    for (const listener of this.#listeners) listener();
    return transitions;
  }
}
