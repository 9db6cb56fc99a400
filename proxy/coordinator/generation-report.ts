/** Tells the supervisor how this generation stands: it takes silence for a hang. */
import { errorText } from '../errors/odp-error.ts';
import type { Logger } from '../log/logger.ts';
import type { GenerationReport } from '../upgrade/types.ts';
import type { WorkerReport } from '../worker/calls.ts';

/** While nothing is going on, and during an upgrade. */
const CALM_MS = 1_000;
const BUSY_MS = 200;

export interface ReportingOptions {
  readonly make: () => Promise<GenerationReport>;
  readonly tell: (report: GenerationReport) => void;
  readonly isBusy: () => boolean;
  readonly log: Logger;
}

export class Reporting {
  readonly #options: ReportingOptions;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: ReportingOptions) {
    this.#options = options;
    void this.#report();
  }

  /** Something has begun or ended: the next report is due at once. */
  hurry(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    void this.#report();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer ?? undefined);
  }

  async #report(): Promise<void> {
    const { isBusy, log, make, tell } = this.#options;
    try {
      const report = await make();
      if (!this.#closed) tell(report);
    } catch (error) {
      // A worker has died under the question; the next report is made without it.
      log.debug({ reason: errorText(error) }, 'no report this time');
    }
    if (!this.#closed) this.#timer = setTimeout(() => void this.#report(), isBusy() ? BUSY_MS : CALM_MS).unref();
  }
}

/** Of all workers together. */
export function countersOf(reports: readonly WorkerReport[]) {
  return {
    workers: reports.length,
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    errors: reports.reduce((sum, { errors }) => sum + errors, 0),
  };
}
