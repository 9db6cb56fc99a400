import { OdpError } from '../errors/odp-error.ts';

/** One worker that a change has to reach, and what became of it there. */
export interface PartOutcome {
  /** Number of the worker. */
  readonly worker: number;
  /** Why the change is not in force there; null: it is. */
  readonly failure: string | null;
}

/** The parts of two steps of one change: what failed in either has failed. In the order of the workers. */
export function mergeOutcomes(outcomes: readonly PartOutcome[]): PartOutcome[] {
  const merged = new Map<number, PartOutcome>();
  for (const outcome of outcomes) {
    if (merged.get(outcome.worker)?.failure == null) merged.set(outcome.worker, outcome);
  }
  return [...merged.values()].sort((a, b) => a.worker - b.worker);
}

/** For doors that can only say yes or no. @throws OdpError INTERNAL when a part does not have the change */
export function requireEverywhere(outcomes: readonly PartOutcome[]): void {
  const failed = outcomes.filter(({ failure }) => failure !== null);
  if (failed.length === 0) return;
  const where = failed.map(({ worker, failure }) => `worker ${worker} (${failure})`).join('; ');
  throw new OdpError('INTERNAL', { detail: `the change is stored, but not in force everywhere: ${where}` });
}
