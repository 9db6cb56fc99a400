/** What can be told from the state of upgrades: how far a run is, what may be ordered, what there is to wait for. */
import type { UpgradeGeneration, UpgradeState } from '../../proxy/control/contract.ts';

export type UpgradePhase = UpgradeState['phase'];
export type UpgradeRun = NonNullable<UpgradeState['run']>;

/** The phases of a run that goes well, in their order. */
const forwardPhases: readonly UpgradePhase[] = ['prepare', 'switch', 'move', 'watch', 'commit'];

export interface RunPhase {
  readonly phase: UpgradePhase;
  readonly state: 'done' | 'now' | 'to come';
}

/** The run that is under way; null: none is. */
export function runningRun({ run }: UpgradeState): UpgradeRun | null {
  return run !== null && run.outcome === null ? run : null;
}

/** The phases that a run has been in, is in, and has before it when nothing happens. */
export function phasesOf(run: UpgradeRun, now: UpgradePhase): RunPhase[] {
  const seen = [...new Set(run.steps.map(({ phase }) => phase))].filter((phase) => phase !== 'idle');
  if (run.outcome !== null) return seen.map((phase) => ({ phase, state: 'done' }));
  const before = seen.filter((phase) => phase !== now);
  const ahead = now === 'rollback' ? [] : forwardPhases.slice(forwardPhases.indexOf(now) + 1);
  return [
    ...before.map((phase): RunPhase => ({ phase, state: 'done' })),
    { phase: now, state: 'now' },
    ...ahead.map((phase): RunPhase => ({ phase, state: 'to come' })),
  ];
}

/** What the proxy would not refuse just now. */
export function possibleOrders(state: UpgradeState): { start: boolean; commit: boolean; rollback: boolean } {
  const { phase, generations } = state;
  const isRunning = runningRun(state) !== null;
  const commit = isRunning && (phase === 'move' || phase === 'watch');
  return {
    start: !isRunning && generations.some(({ role }) => role === 'active'),
    commit,
    rollback: commit || (isRunning && (phase === 'prepare' || phase === 'switch')),
  };
}

/** Why no run can be begun just now; null: one can, as far as is known. */
export function startBlocked(state: UpgradeState | undefined): 'noneServes' | 'isRunning' | null {
  if (state === undefined || possibleOrders(state).start) return null;
  return runningRun(state) === null ? 'noneServes' : 'isRunning';
}

/** The generation that sessions go away from, in a run that has come so far; null: none. */
export function leavingGeneration(state: UpgradeState): UpgradeGeneration | null {
  const run = runningRun(state);
  if (run === null || state.phase === 'prepare' || state.phase === 'switch') return null;
  const leaver = state.phase === 'rollback' ? run.newGeneration : run.oldGeneration;
  return state.generations.find(({ id }) => id === leaver) ?? null;
}

/** Sessions that have gone over and those that have not; null: none go over just now. */
export function sessionProgress(state: UpgradeState): { moved: number; left: number } | null {
  const run = runningRun(state);
  const leaver = leavingGeneration(state);
  return run === null || leaver === null ? null : { moved: run.moved, left: leaver.clientSessions };
}

/** The next thing that happens by itself; null: nothing has a time. */
export function nextDeadline(state: UpgradeState): { what: 'commit' | 'rollback' | 'close'; at: string } | null {
  const run = runningRun(state);
  if (run === null) return null;
  if (run.closeRestAt !== null) return { what: 'close', at: run.closeRestAt };
  if (state.phase === 'commit' || state.phase === 'rollback') return null;
  if (run.commitAt !== null) return { what: 'commit', at: run.commitAt };
  return { what: 'rollback', at: run.rollbackAt };
}
