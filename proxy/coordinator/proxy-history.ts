/** What happens to the proxy and its clusters without anybody's doing, as rows of the history. */
import type { ClusterTopology } from '../cluster/topology.ts';
import { topologyChanges } from '../cluster/topology-changes.ts';
import type { Attempts } from '../history/attempts.ts';
import type { Actor } from '../history/history-row.ts';

/** Nobody waits for the rows; one that cannot be written is in the log. */
export class ProxyHistory {
  readonly #attempts: Pick<Attempts, 'note'>;
  readonly #version: string;
  #isInCharge: boolean;
  #rows = 0;

  /** @param isInCharge false: another generation serves, and writes what both see */
  constructor(attempts: Pick<Attempts, 'note'>, version: string, isInCharge: boolean) {
    this.#attempts = attempts;
    this.#version = version;
    this.#isInCharge = isInCharge;
  }

  setInCharge(isInCharge: boolean): void {
    this.#isInCharge = isInCharge;
  }

  /** The proxy has begun to serve, other than by an upgrade, whose steps tell of it. */
  started(): Promise<void> {
    return this.#attempts.note(this.#actor('start'), { action: 'proxy.start', newValue: this.#version });
  }

  /** The clients of a worker that dies are lost. */
  workerDied(worker: number, reason: string): Promise<void> {
    const entry = { action: 'worker.die', oldValue: `worker ${worker}`, outcome: 'failed', failure: reason } as const;
    return this.#attempts.note(this.#actor('system'), entry);
  }

  async clusterChanged(before: ClusterTopology, after: ClusterTopology): Promise<void> {
    if (!this.#isInCharge) return;
    const actor = this.#actor('system');
    const scope = `cluster=${after.clusterName}`;
    const rows = topologyChanges(before, after).map(({ before: oldValue, after: newValue, summary: reason }) =>
      this.#attempts.note(actor, { action: 'cluster.change', scope, oldValue, newValue, reason }),
    );
    await Promise.all(rows);
  }

  #actor(source: 'start' | 'system'): Actor {
    this.#rows += 1;
    return { actor: 'proxy', source, origin: '', requestId: `proxy-${process.pid}-${this.#rows}` };
  }
}
