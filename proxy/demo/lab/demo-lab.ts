import { applyFault, type FaultRequest } from '../fault-requests.ts';
import type { DemoFaults } from '../faults.ts';
import { type ActiveFault, ActiveFaults } from './active-faults.ts';
import { openLoadConnection } from './load-connection.ts';
import { RollingMerge } from './rolling-merge.ts';
import { SampleLoad } from './sample-load.ts';

/** All that can be asked of the demo cluster from outside: faults, what is in force of them, and the sample load. */
export class DemoLab {
  readonly load: SampleLoad;
  readonly #faults: DemoFaults;
  readonly #active: ActiveFaults;
  readonly #rolling: RollingMerge;

  constructor(faults: DemoFaults) {
    this.#faults = faults;
    this.#active = new ActiveFaults((name) => faults.addressOf(name));
    this.#rolling = new RollingMerge(
      faults.zones().map(({ name }) => name),
      (zone, merging) => faults.setMerging(zone, merging),
    );
    this.load = new SampleLoad(
      openLoadConnection,
      (hostName) => faults.report().find((server) => server.hostName === hostName)?.zone ?? null,
    );
  }

  /** Does what a request asks; see `applyFault`. */
  async apply(request: FaultRequest): Promise<void> {
    await applyFault(this.#faults, this.#rolling, request);
    this.#active.note(request, Date.now());
  }

  report() {
    return {
      servers: this.#faults.report(),
      zones: this.#faults.zones(),
      faults: this.#activeFaults().map(({ sinceMs, ...fault }) => ({
        ...fault,
        since: new Date(sinceMs).toISOString(),
      })),
      load: this.load.report(),
    };
  }

  close(): void {
    this.load.stop();
    this.#rolling.start(0);
  }

  #activeFaults(): ActiveFault[] {
    const active = this.#active.list();
    const rolling = this.#rolling.state;
    if (rolling === null) return active;
    const { zone, step, steps, perZoneMs, sinceMs } = rolling;
    const detail = `zone ${step} of ${steps}, ${perZoneMs / 1000} s each`;
    return [...active, { fault: 'rollingMerge', target: zone, detail, sinceMs }];
  }
}
