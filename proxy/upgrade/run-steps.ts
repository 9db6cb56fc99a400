/** What happens within a run: how it goes on, back, and to its end. */
import type { ParentStatus } from './status-names.ts';
import type { Turn } from './turn.ts';
import type { Generation, Order, Run } from './types.ts';

/** Between an attempt that failed and the next. */
const RETRY_PAUSE_MS = 1_000;
/** When none has gone over for so long, those that are left have a reason to stay. */
export const MOVE_PATIENCE_MS = 1_000;

export const COMMITTED_REASON = 'the proxy was upgraded, and the session could not go over in hot_upgrade_exit_timeout';
export const ROLLED_BACK_REASON =
  'an upgrade of the proxy was undone, and the session could not go back in hot_upgrade_exit_timeout';

/** The next attempt at a new generation. */
export function attempt(turn: Turn, run: Run): void {
  run.retryAtMs = null;
  run.fresh = turn.start(run.directory, true, run.order.md5);
}

/** The new generation did not come up; its process is gone. */
export function attemptFailed(turn: Turn, run: Run, text: string): void {
  const { state } = turn;
  run.fresh = null;
  run.failures += 1;
  run.failure = text;
  state.parentStatus = 'CREATE_NEW_PROXY_FAIL';
  state.childStatus = 'EXITED';
  const left = state.settings.failureRetries - run.failures;
  turn.step(run, `attempt ${run.failures} failed: ${text}; ${left > 0 ? `${left} left` : 'none is left'}`);
  if (turn.find(run.old) === undefined) {
    giveUp(turn, run, 'CREATE_NEW_PROXY_FAIL', 'the old generation has ended as well');
    return;
  }
  if (left > 0) run.retryAtMs = turn.at.nowMs + RETRY_PAUSE_MS;
  else giveUp(turn, run, 'FAILURE_RETRIES_TOO_MANY', `no new generation after ${run.failures} attempts: ${text}`);
}

export function giveUp(turn: Turn, run: Run, status: ParentStatus, text: string): void {
  turn.state.parentStatus = status;
  turn.finish(run, 'given up', text);
}

/** The new generation has tested itself. */
export function switchTo(turn: Turn, run: Run, fresh: Generation): void {
  turn.enter(run, 'switch');
  turn.state.triedDirectory = run.directory;
  turn.do({ type: 'accept', generation: fresh.id });
  turn.step(run, `generation ${fresh.id} has tested itself and takes new clients`);
}

/** It accepts: the old one stops, and its sessions go over. */
export function moveTo(turn: Turn, run: Run, fresh: Generation): void {
  const { state } = turn;
  turn.activate(fresh);
  state.childStatus = 'NEW_PROXY_CREATED_SUCC';
  const old = turn.find(run.old);
  if (old === undefined) {
    committed(turn, run, 'the old generation has ended meanwhile');
    return;
  }
  state.parentStatus = 'CREATE_NEW_PROXY_SUCC';
  old.role = 'standby';
  turn.do({ type: 'stop-accepting', generation: old.id });
  turn.do({ type: 'hand-over', from: old.id, to: fresh.id });
  turn.enter(run, 'move');
  turn.step(run, `sessions go over from generation ${old.id}`);
}

export function watch(turn: Turn, run: Run): void {
  turn.enter(run, 'watch');
  run.watchUntilMs = turn.at.nowMs + run.order.watchMs;
  const { watchMs, hold } = run.order;
  const left = turn.find(run.old)?.report?.clientSessions ?? 0;
  const stay =
    left === 0
      ? 'every session has gone over'
      : `${left} ${left === 1 ? 'session stays until it' : 'sessions stay until they'} can go over`;
  turn.step(run, `${stay}; ${hold ? 'commit or rollback is awaited' : `watched for ${watchMs} ms`}`);
}

export function commit(turn: Turn, run: Run, order: Order): void {
  limitRest(turn, run, turn.state.phase === 'move');
  turn.enter(run, 'commit');
  turn.state.parentStatus = 'RECV_COMMIT_AND_EXIT';
  run.watchUntilMs = null;
  const old = turn.find(run.old);
  if (old !== undefined) old.role = 'leaving';
  turn.step(run, 'commit', order);
}

export function rollback(turn: Turn, run: Run, order: Order, isTimeout = false): void {
  const { state } = turn;
  run.isTimeout = isTimeout;
  run.watchUntilMs = null;
  run.retryAtMs = null;
  state.childStatus = isTimeout ? 'RECV_TIMEOUT_ROLLBACK_AND_EXIT' : 'RECV_ROLLBACK_AND_EXIT';
  const wasSwitched = state.active === run.fresh || state.phase === 'switch';
  turn.enter(run, 'rollback');
  turn.step(run, `rollback: ${order.reason}`, order);
  const fresh = turn.find(run.fresh);
  if (fresh === undefined) {
    rolledBack(turn, run);
    return;
  }
  if (!wasSwitched) {
    // Nobody has been served by it: there is nothing that could come back.
    turn.kill(fresh);
    return;
  }
  turn.do({ type: 'stop-hand-over', from: run.old });
  turn.do({ type: 'accept', generation: run.old });
}

/** The old generation accepts again: the new one stops, and its sessions come back. */
export function moveBack(turn: Turn, run: Run, old: Generation): void {
  turn.activate(old);
  const fresh = turn.find(run.fresh);
  if (fresh === undefined) return;
  fresh.role = 'leaving';
  run.hasStopped = false;
  limitRest(turn, run, true);
  turn.do({ type: 'stop-accepting', generation: fresh.id });
  turn.do({ type: 'hand-over', from: fresh.id, to: old.id });
  turn.step(run, `generation ${old.id} takes new clients again; sessions come back`);
}

function rolledBack(turn: Turn, run: Run): void {
  turn.state.parentStatus = run.isTimeout ? 'TIMEOUT_ROLLBACK_SUCC' : 'ROLLBACK_SUCC';
  turn.state.childStatus = 'EXITED';
  turn.finish(run, 'rolled back', `generation ${run.old} serves as before`);
}

/** The new generation has died after it took clients: the old one takes over at once, as long as it is there. */
export function freshDied(turn: Turn, run: Run, how: string): void {
  const old = turn.find(run.old);
  turn.state.childStatus = 'EXITED';
  if (old === undefined || old.isEnding) {
    turn.finish(run, 'given up', `the new generation ended with ${how}, and the old one is gone`);
    return;
  }
  turn.do({ type: 'stop-hand-over', from: old.id });
  turn.do({ type: 'accept', generation: old.id });
  turn.activate(old);
  turn.state.parentStatus = 'ROLLBACK_SUCC';
  turn.finish(run, 'rolled back', `the new generation ended with ${how}; generation ${old.id} takes its place`);
}

/** The new generation is gone, as the rollback wanted it. */
export function backWithout(turn: Turn, run: Run): void {
  const old = turn.find(run.old);
  if (old === undefined) {
    turn.finish(run, 'given up', 'both generations have ended');
    return;
  }
  // It may have died before the old one was told, or has said, that it accepts again.
  if (turn.state.active !== old.id) turn.do({ type: 'accept', generation: old.id });
  turn.activate(old);
  rolledBack(turn, run);
}

/** Before the new generation was ready: it takes over as soon as it is. */
export function oldDiedEarly(turn: Turn, run: Run, how: string): void {
  turn.step(run, `the old generation ended with ${how}; the new one takes its place when it is ready`);
  if (run.fresh !== null) return;
  giveUp(turn, run, 'CREATE_NEW_PROXY_FAIL', 'the old generation has ended between two attempts');
}

/** The old generation has died though it was to stand by: what runs is the new one. */
export function oldDied(turn: Turn, run: Run, how: string): void {
  const fresh = turn.find(run.fresh);
  if (fresh === undefined || fresh.isEnding) {
    turn.finish(run, 'given up', `the old generation ended with ${how}, and there is no new one`);
    return;
  }
  if (turn.state.phase === 'rollback') turn.do({ type: 'stop-hand-over', from: fresh.id });
  turn.do({ type: 'accept', generation: fresh.id });
  turn.activate(fresh);
  committed(turn, run, `the old generation ended with ${how}`);
}

export function committed(turn: Turn, run: Run, text: string): void {
  turn.state.directory = run.directory;
  turn.state.triedDirectory = null;
  turn.state.parentStatus = 'EXITED';
  turn.state.childStatus = 'COMMIT_SUCC';
  turn.finish(run, 'committed', text);
}

/**
 * From now on sessions that stay are given so much time.
 * @param isMoving others still go over: none is closed that has not had its chance to, however short the time is
 */
function limitRest(turn: Turn, run: Run, isMoving: boolean): void {
  const { exitTimeoutMs } = turn.state.settings;
  const timeMs = isMoving ? Math.max(exitTimeoutMs, MOVE_PATIENCE_MS) : exitTimeoutMs;
  run.closeRestAtMs = exitTimeoutMs < 0 ? null : turn.at.nowMs + timeMs;
  run.isRestClosed = false;
}

/** Sessions go over: whoever waits for its turn only is not to be closed for it, so that the time limit begins anew. */
export function noteMove(turn: Turn, run: Run): void {
  run.movedAtMs = turn.at.nowMs;
  if (run.closeRestAtMs !== null && !run.isRestClosed) limitRest(turn, run, true);
}

/** Closes what stays when its time is over, and ends the generation that nobody is left on. */
export function emptyOut(turn: Turn, run: Run, leaving: Generation, reason: string): void {
  if (leaving.isEnding) return;
  const left = leaving.report?.clientSessions ?? 1;
  if (
    (left === 0 && run.hasStopped) ||
    (run.isRestClosed && turn.at.nowMs >= (run.closeRestAtMs ?? 0) + REST_GONE_MS)
  ) {
    turn.end(leaving);
    return;
  }
  if (run.isRestClosed || run.closeRestAtMs === null || turn.at.nowMs < run.closeRestAtMs) return;
  run.isRestClosed = true;
  run.closeRestAtMs = turn.at.nowMs;
  turn.do({ type: 'close-rest', generation: leaving.id, reason });
  turn.step(run, `${left} sessions that could not go over in time are closed`);
}

/** Closed sessions need a moment to be gone. */
const REST_GONE_MS = 2_000;
