import type { Generation, Moment, Run, UpgradeState } from './types.ts';

/** The state as people and programs are told it: times on the wall clock, ISO 8601. */
export type UpgradeView = ReturnType<typeof viewOf>;

export function viewOf(state: UpgradeState, at: Moment) {
  const wall = (nowMs: number): string => iso(at.wallMs + (nowMs - at.nowMs));
  return {
    at: iso(at.wallMs),
    phase: state.phase,
    parentStatus: state.parentStatus,
    childStatus: state.childStatus,
    failureRetries: state.settings.failureRetries,
    generations: state.generations.map(generationView),
    run: state.run === null ? null : runView(state, state.run, wall),
  };
}

function generationView({ id, role, directory, pid, startedAt, report }: Generation) {
  return {
    id,
    role,
    version: report?.version ?? '',
    directory,
    pid,
    startedAt: iso(startedAt.wallMs),
    workers: report?.workers ?? 0,
    clientSessions: report?.clientSessions ?? 0,
    requests: report?.requests ?? 0,
    errors: report?.errors ?? 0,
    rssBytes: report?.rssBytes ?? 0,
  };
}

function runView(state: UpgradeState, run: Run, wall: (nowMs: number) => string) {
  const { number, order, directory, startedAt, old, fresh, failures, failure, moved, refused, outcome } = run;
  const leaver = state.generations.find(({ id }) => id === (state.phase === 'rollback' ? fresh : old));
  const isMoving = outcome === null && state.phase !== 'prepare' && state.phase !== 'switch';
  const until = (nowMs: number | null): string | null => (nowMs === null || outcome !== null ? null : wall(nowMs));
  return {
    number,
    kind: order.kind,
    directory,
    startedAt: iso(startedAt.wallMs),
    by: order.by,
    reason: order.reason,
    hold: order.hold,
    oldGeneration: old,
    newGeneration: fresh,
    failures,
    // The count begins anew with the next order.
    retriesLeft:
      outcome === null ? Math.max(0, state.settings.failureRetries - failures) : state.settings.failureRetries,
    failure,
    commitAt: order.hold ? null : until(run.watchUntilMs),
    rollbackAt: wall(startedAt.nowMs + state.settings.rollbackTimeoutMs),
    closeRestAt: until(run.closeRestAtMs),
    moved,
    refused,
    waiting: isMoving ? (leaver?.report?.waiting ?? []) : [],
    waitingTotal: isMoving ? (leaver?.report?.waitingTotal ?? 0) : 0,
    steps: run.steps.map((step) => ({ ...step, at: iso(step.at.wallMs) })),
    outcome,
    endedAt: run.endedAt === null ? null : iso(run.endedAt.wallMs),
  };
}

const iso = (wallMs: number): string => new Date(wallMs).toISOString();
