/**
 * The state machine of upgrades: which generation takes new clients, when sessions go over, and when it all goes back.
 * It also starts the proxy again when nobody serves. Facts and the time go in; what is to be done comes out.
 */
import { errorRise } from './error-rate.ts';
import * as run from './run-steps.ts';
import { byItself, Turn } from './turn.ts';
import type {
  Generation,
  GenerationReport,
  Moment,
  Order,
  Reduced,
  Refusal,
  Run,
  StartOrder,
  UpgradeEvent,
  UpgradeState,
} from './types.ts';

/** A generation that dies at once must not be started in a loop that eats the machine. */
const RESTART_PAUSE_MS = 1_000;
/** One that has lived so long is started again without a pause. */
const LIVED_MS = 5_000;
/** For the start and the test of a new generation, and for the beginning to accept. */
const PREPARE_LIMIT_MS = 60_000;
const SWITCH_LIMIT_MS = 10_000;
/** A generation that takes part in a run and tells nothing for so long hangs. */
const SILENCE_MS = 10_000;

/** Before anything runs. */
export function initialState(): UpgradeState {
  return {
    phase: 'idle',
    parentStatus: 'NONE',
    childStatus: 'NONE',
    // Defaults of the parameters, until a generation has told them.
    settings: { exitTimeoutMs: 30_000, rollbackTimeoutMs: 86_400_000, failureRetries: 5, delayExitMs: 100 },
    generations: [],
    active: null,
    directory: '',
    triedDirectory: null,
    failedStarts: 0,
    run: null,
    lastGeneration: 0,
    lastRun: 0,
    restartAtMs: null,
  };
}

/** The first generation, when the product starts. */
export function firstStart(state: UpgradeState, directory: string, at: Moment): Reduced {
  const turn = new Turn(structuredClone(state), at);
  turn.state.directory = directory;
  turn.start(directory, false);
  return turn;
}

/** What one event makes of the state. */
export function reduce(state: UpgradeState, event: UpgradeEvent, at: Moment): Reduced {
  const turn = new Turn(structuredClone(state), at);
  if ('generation' in event) {
    const generation = turn.find(event.generation);
    if (generation === undefined) return turn;
    generation.lastHeardMs = at.nowMs;
  }
  switch (event.type) {
    case 'start':
      begin(turn, event);
      break;
    case 'commit':
    case 'rollback':
      decide(turn, event.type, event);
      break;
    case 'started':
      turn.generation(event.generation).pid = event.pid;
      break;
    case 'ready':
      onReady(turn, turn.generation(event.generation));
      break;
    case 'accepting':
      onAccepting(turn, turn.generation(event.generation));
      break;
    case 'stopped':
      // What it has told before says nothing of clients that it accepted at the last moment.
      turn.generation(event.generation).report = null;
      if (turn.run !== null && event.generation !== turn.state.active) turn.run.hasStopped = true;
      break;
    case 'report':
      onReport(turn, turn.generation(event.generation), event.report);
      break;
    case 'unusable':
      turn.remove(event.generation);
      if (turn.run !== null) run.giveUp(turn, turn.run, event.status, event.text);
      // The old one may have died in the moment in which the tree was looked at.
      if (isDeserted(turn)) restartAt(turn, turn.at.nowMs);
      break;
    case 'ended':
      onEnded(turn, turn.generation(event.generation), event.how);
      break;
    case 'tick':
      onTick(turn);
      break;
  }
  return turn;
}

/** Something is due with time: `tick` events are needed. */
export const needsTicks = (state: UpgradeState): boolean => state.phase !== 'idle' || state.restartAtMs !== null;

function begin(turn: Turn, order: StartOrder): void {
  const { state } = turn;
  const active = turn.find(state.active);
  const { run: current } = turn;
  if (current !== null) {
    turn.refusal = runningRefusal(state, current);
    return;
  }
  if (active === undefined) {
    const detail = 'no generation serves just now; it is being started';
    turn.refusal = { code: 'UPGRADE_NOT_POSSIBLE', details: { detail } };
    return;
  }
  const { kind, directory, hold, watchMs, md5, by, source, reason } = order;
  const begun: Run = {
    number: ++state.lastRun,
    order: { kind, directory, hold, watchMs, md5, by, source, reason },
    directory: directory ?? active.directory,
    startedAt: turn.at,
    old: active.id,
    fresh: null,
    failures: 0,
    failure: '',
    retryAtMs: null,
    phaseSinceMs: turn.at.nowMs,
    watchUntilMs: null,
    closeRestAtMs: null,
    isRestClosed: false,
    hasStopped: false,
    isTimeout: false,
    moved: 0,
    movedAtMs: turn.at.nowMs,
    refused: 0,
    steps: [],
    outcome: null,
    endedAt: null,
  };
  state.run = begun;
  state.parentStatus = kind === 'upgrade' ? 'START_HOT_UPGRADE' : 'START_DOING_RESTART';
  state.childStatus = 'NONE';
  turn.enter(begun, 'prepare');
  turn.step(begun, `a new generation is started from ${begun.directory}`, order);
  run.attempt(turn, begun);
}

function decide(turn: Turn, what: 'commit' | 'rollback', order: Order): void {
  const { phase } = turn.state;
  const { run: current } = turn;
  const mayCommit = phase === 'move' || phase === 'watch';
  const mayRollBack = mayCommit || phase === 'prepare' || phase === 'switch';
  if (current === null || !(what === 'commit' ? mayCommit : mayRollBack)) {
    const detail =
      current === null ? `there is nothing to ${what}` : `${what} is too early or too late in phase ${phase}`;
    turn.refusal = { code: 'UPGRADE_NOT_POSSIBLE', details: { detail } };
    return;
  }
  if (what === 'commit') run.commit(turn, current, order);
  else run.rollback(turn, current, order);
}

function onReady(turn: Turn, generation: Generation): void {
  const { run: current, state } = turn;
  if (current?.fresh === generation.id && state.phase === 'prepare') run.switchTo(turn, current, generation);
  else if (state.active === null && !generation.isEnding) {
    turn.activate(generation);
    if (state.lastGeneration > 1) turn.do({ type: 'say', text: 'the proxy runs again' });
  }
}

function onAccepting(turn: Turn, generation: Generation): void {
  const { run: current, state } = turn;
  if (current === null) return;
  if (state.phase === 'switch' && generation.id === current.fresh) run.moveTo(turn, current, generation);
  else if (state.phase === 'rollback' && generation.id === current.old) run.moveBack(turn, current, generation);
}

function onReport(turn: Turn, generation: Generation, report: GenerationReport): void {
  const { run: current, state } = turn;
  generation.report = report;
  if (generation.id === state.active) state.settings = report.settings;
  if (current === null) return;
  const leaver = state.phase === 'rollback' ? current.fresh : current.old;
  if (generation.id === leaver) {
    if (report.moved > current.moved) run.noteMove(turn, current);
    current.moved = report.moved;
    current.refused = report.refused;
  }
  goOn(turn, current);
}

function onEnded(turn: Turn, generation: Generation, how: string): void {
  const { run: current, state } = turn;
  const { isEnding } = generation;
  if (generation.role === 'starting' && current === null) state.failedStarts += 1;
  turn.remove(generation.id);
  if (state.active === generation.id) state.active = null;
  if (current !== null) endedInRun(turn, current, generation, how);
  if (!isDeserted(turn)) return;
  const lived = turn.at.nowMs - generation.startedAt.nowMs;
  if (!isEnding) turn.do({ type: 'say', text: `the proxy ended with ${how}; it is started again` });
  restartAt(turn, turn.at.nowMs + (lived < LIVED_MS ? RESTART_PAUSE_MS : 0));
}

/** Nobody serves, and nobody is about to. */
function isDeserted({ state, run: current }: Turn): boolean {
  return state.active === null && current === null && !state.generations.some(({ role }) => role === 'starting');
}

function restartAt(turn: Turn, atMs: number): void {
  turn.state.restartAtMs = atMs;
  restartIfDue(turn);
}

function endedInRun(turn: Turn, current: Run, { id }: Generation, how: string): void {
  const { phase } = turn.state;
  if (id === current.fresh) {
    if (phase === 'prepare')
      run.attemptFailed(turn, current, `the new generation ended before it was ready, with ${how}`);
    else if (phase === 'rollback') run.backWithout(turn, current);
    else run.freshDied(turn, current, how);
  } else if (id === current.old) {
    if (phase === 'commit') run.committed(turn, current, `generation ${id} has ended`);
    // In these two phases the new one goes on by itself when it is ready.
    else if (phase === 'prepare') run.oldDiedEarly(turn, current, how);
    else if (phase !== 'switch') run.oldDied(turn, current, how);
  }
}

function onTick(turn: Turn): void {
  restartIfDue(turn);
  const { run: current } = turn;
  if (current !== null) goOn(turn, current);
}

function restartIfDue(turn: Turn): void {
  const { directory, failedStarts, restartAtMs, triedDirectory } = turn.state;
  if (restartAtMs === null || turn.at.nowMs < restartAtMs) return;
  turn.state.restartAtMs = null;
  turn.start(failedStarts % 2 === 1 ? (triedDirectory ?? directory) : directory, false);
}

/** What time, or what a generation has told of itself, brings about. */
function goOn(turn: Turn, current: Run): void {
  const { state, at } = turn;
  const sinceMs = at.nowMs - current.phaseSinceMs;
  const [old, fresh] = [turn.find(current.old), turn.find(current.fresh)];
  killSilent(turn, old, fresh);
  const isOpen =
    state.phase === 'prepare' || state.phase === 'switch' || state.phase === 'move' || state.phase === 'watch';
  if (isOpen && at.nowMs - current.startedAt.nowMs >= state.settings.rollbackTimeoutMs) {
    run.rollback(turn, current, byItself('no commit within hot_upgrade_rollback_timeout'), true);
    return;
  }
  switch (state.phase) {
    case 'prepare':
      if (current.retryAtMs !== null && at.nowMs >= current.retryAtMs) run.attempt(turn, current);
      if (fresh !== undefined && at.nowMs - fresh.startedAt.nowMs >= PREPARE_LIMIT_MS) turn.kill(fresh);
      break;
    case 'switch':
      if (sinceMs >= SWITCH_LIMIT_MS) turn.kill(fresh);
      break;
    case 'move':
      // Nobody is left, or those that are left have a reason to stay.
      if (
        (current.hasStopped && old?.report?.clientSessions === 0) ||
        at.nowMs - Math.max(current.phaseSinceMs, current.movedAtMs) >= run.MOVE_PATIENCE_MS
      )
        run.watch(turn, current);
      break;
    case 'watch':
      watched(turn, current, old, fresh);
      break;
    case 'commit':
      if (old !== undefined) run.emptyOut(turn, current, old, run.COMMITTED_REASON);
      break;
    case 'rollback':
      if (state.active === current.old && fresh !== undefined)
        run.emptyOut(turn, current, fresh, run.ROLLED_BACK_REASON);
      else if (sinceMs >= SWITCH_LIMIT_MS) turn.kill(state.active === current.old ? fresh : old);
      break;
    case 'idle':
      break;
  }
}

function watched(turn: Turn, current: Run, old: Generation | undefined, fresh: Generation | undefined): void {
  const rise = fresh === undefined ? null : errorRise(old, fresh);
  if (rise !== null) {
    run.rollback(turn, current, byItself(rise));
    return;
  }
  const isOver = current.watchUntilMs !== null && turn.at.nowMs >= current.watchUntilMs;
  if (isOver && !current.order.hold) run.commit(turn, current, byItself('the watch period is over'));
}

/** Whoever is silent in a run hangs; killed, it counts as dead. While it starts it has nothing to tell. */
function killSilent(turn: Turn, ...generations: readonly (Generation | undefined)[]): void {
  for (const generation of generations) {
    if (generation === undefined || generation.role === 'starting') continue;
    if (turn.at.nowMs - generation.lastHeardMs >= SILENCE_MS) turn.kill(generation);
  }
}

function runningRefusal({ phase }: UpgradeState, { number, order, startedAt }: Run): Refusal {
  const at = new Date(startedAt.wallMs).toISOString();
  return { code: 'UPGRADE_RUNNING', details: { kind: order.kind, number: String(number), by: order.by, at, phase } };
}
