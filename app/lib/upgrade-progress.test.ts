import { describe, expect, it } from 'vitest';
import type { UpgradeGeneration, UpgradeState } from '../../proxy/control/contract.ts';
import {
  nextDeadline,
  phasesOf,
  possibleOrders,
  sessionProgress,
  startBlocked,
  type UpgradePhase,
} from './upgrade-progress.ts';
import { newerState } from './upgrade-queries.ts';
import { waitingMatches } from './waiting-filter.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();

const generation = (id: number, role: UpgradeGeneration['role'], clientSessions: number): UpgradeGeneration => ({
  id,
  role,
  version: '1.0.0',
  directory: '/one',
  pid: id,
  startedAt: at(0),
  workers: 1,
  clientSessions,
  requests: 0,
  errors: 0,
  rssBytes: 1,
});

type Run = NonNullable<UpgradeState['run']>;

function running(phase: UpgradePhase, phases: readonly UpgradePhase[], parts: Partial<Run> = {}): UpgradeState {
  return {
    at: at(5),
    phase,
    parentStatus: 'NONE',
    childStatus: 'NONE',
    failureRetries: 5,
    generations: [generation(1, 'standby', 3), generation(2, 'active', 7)],
    run: {
      number: 1,
      kind: 'upgrade',
      directory: '/one',
      startedAt: at(1),
      by: 'ann',
      reason: 'why',
      hold: false,
      oldGeneration: 1,
      newGeneration: 2,
      failures: 0,
      retriesLeft: 5,
      failure: '',
      commitAt: null,
      rollbackAt: at(59),
      closeRestAt: null,
      moved: 6,
      refused: 0,
      waiting: [],
      waitingTotal: 0,
      steps: phases.map((one, index) => ({ number: index + 1, at: at(index), phase: one, text: '', by: 'odp' })),
      outcome: null,
      endedAt: null,
      ...parts,
    },
  };
}

const idle: UpgradeState = { ...running('idle', []), run: null };

function told(state: UpgradeState): string {
  if (state.run === null) throw new Error('there is one');
  return phasesOf(state.run, state.phase)
    .map(({ phase, state: how }) => `${phase}:${how}`)
    .join(' ');
}

describe('how far an upgrade is', () => {
  it('has phases behind it, one now, and those ahead of it', () => {
    const moving = running('move', ['prepare', 'switch', 'move']);
    expect(told(moving)).toBe('prepare:done switch:done move:now watch:to come commit:to come');
  });

  it('has nothing ahead of a rollback, and only what was when it is over', () => {
    expect(told(running('rollback', ['prepare', 'switch', 'rollback']))).toBe('prepare:done switch:done rollback:now');
    const over = running('idle', ['prepare', 'prepare'], { outcome: 'given up' });
    expect(told(over)).toBe('prepare:done');
  });

  it('counts the sessions of the generation that is left: the old one, or the new one in a rollback', () => {
    expect(sessionProgress(running('prepare', ['prepare']))).toBeNull();
    expect(sessionProgress(running('watch', ['watch']))).toEqual({ moved: 6, left: 3 });
    expect(sessionProgress(running('rollback', ['rollback']))).toEqual({ moved: 6, left: 7 });
    expect(sessionProgress(idle)).toBeNull();
  });

  it('knows what happens next by itself', () => {
    expect(nextDeadline(running('watch', ['watch'], { commitAt: at(9) }))).toEqual({ what: 'commit', at: at(9) });
    expect(nextDeadline(running('watch', ['watch'], { hold: true }))).toEqual({ what: 'rollback', at: at(59) });
    expect(nextDeadline(running('commit', ['commit'], { closeRestAt: at(30) }))).toEqual({ what: 'close', at: at(30) });
    expect(nextDeadline(running('commit', ['commit']))).toBeNull();
    expect(nextDeadline(idle)).toBeNull();
  });

  it('offers only what would not be refused', () => {
    expect(possibleOrders(idle)).toEqual({ start: true, commit: false, rollback: false });
    expect(startBlocked(idle)).toBeNull();
    const down = { ...idle, generations: [generation(3, 'starting', 0)] };
    expect(possibleOrders(down).start).toBe(false);
    expect(startBlocked(down)).toBe('noneServes');
    expect(startBlocked(running('watch', []))).toBe('isRunning');
    expect(possibleOrders(running('prepare', []))).toEqual({ start: false, commit: false, rollback: true });
    expect(possibleOrders(running('watch', []))).toEqual({ start: false, commit: true, rollback: true });
    for (const phase of ['commit', 'rollback'] as const)
      expect(possibleOrders(running(phase, []))).toEqual({ start: false, commit: false, rollback: false });
  });

  it('is never taken back by an answer that comes late', () => {
    const late = { ...idle, at: at(4) };
    expect(newerState(idle, late)).toBe(idle);
    expect(newerState(late, idle)).toEqual(idle);
    expect(newerState(undefined, late)).toBe(late);
  });
});

describe('the search among those that are waited for', () => {
  it('wants every word, in id, user or reason', () => {
    const session = { id: 4711, user: 'shop@trade#obdemo', reason: 'its transaction is open', waitedMs: 1 };
    expect(waitingMatches(session, '')).toBe(true);
    expect(waitingMatches(session, 'TRADE  open')).toBe(true);
    expect(waitingMatches(session, '471')).toBe(true);
    expect(waitingMatches(session, 'trade cursor')).toBe(false);
  });
});
