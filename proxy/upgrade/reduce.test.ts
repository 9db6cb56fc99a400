import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstStart, initialState, needsTicks, reduce } from './reduce.ts';
import { aReport, Bench } from './testing-bench.ts';
import type { UpgradeEvent } from './types.ts';

describe('a start', () => {
  it('makes the first generation the active one', () => {
    const bench = new Bench();
    expect(bench.effects()).toEqual(['start 1 /one']);
    bench.tell({ type: 'ready', generation: 1 });
    expect(bench.state).toMatchObject({ phase: 'idle', active: 1 });
    expect(needsTicks(bench.state)).toBe(false);
  });

  it('C18: a generation that dies is started again at once, one that dies at once after a pause', () => {
    const bench = Bench.serving();
    bench.pass(60_000);
    bench.tell({ type: 'ended', generation: 1, how: 'SIGKILL' });
    expect(bench.effects()).toEqual(['say the proxy ended with SIGKILL; it is started again', 'start 2 /one']);
    bench.tell({ type: 'ended', generation: 2, how: 'code 1' });
    expect(bench.effects()).toEqual(['say the proxy ended with code 1; it is started again']);
    bench.pass(999);
    expect(bench.effects()).toEqual([]);
    bench.pass(1);
    expect(bench.effects()).toEqual(['start 3 /one']);
  });
});

describe('an upgrade', () => {
  it('C17: tests the new generation, switches, moves, watches, commits and ends the old one', () => {
    const bench = Bench.serving();
    bench.order();
    expect(bench.effects()).toEqual(['start 2 /two as a trial']);
    expect(bench.state).toMatchObject({ phase: 'prepare', parentStatus: 'START_HOT_UPGRADE', active: 1 });
    bench.tell({ type: 'ready', generation: 2 });
    expect(bench.effects()).toEqual(['accept 2']);
    bench.tell({ type: 'accepting', generation: 2 });
    expect(bench.effects()).toEqual(['stop-accepting 1', 'hand-over 1 to 2']);
    bench.tell({ type: 'stopped', generation: 1 });
    expect(bench.state).toMatchObject({ phase: 'move', active: 2, childStatus: 'NEW_PROXY_CREATED_SUCC' });
    bench.tell({ type: 'report', generation: 1, report: aReport({ clientSessions: 3 }) });
    expect(bench.state.phase).toBe('move');
    bench.tell({ type: 'report', generation: 1, report: aReport({ moved: 3 }) });
    expect(bench.state.phase).toBe('watch');
    bench.live(9_999, 1, 2);
    expect(bench.state.phase).toBe('watch');
    bench.pass(1);
    expect(bench.state).toMatchObject({ phase: 'commit', parentStatus: 'RECV_COMMIT_AND_EXIT' });
    bench.tell({ type: 'report', generation: 1, report: aReport({ moved: 3 }) });
    expect(bench.effects()).toEqual(['end 1 after 100 ms']);
    bench.tell({ type: 'ended', generation: 1, how: 'code 0' });
    expect(bench.state).toMatchObject({
      phase: 'idle',
      active: 2,
      parentStatus: 'EXITED',
      childStatus: 'COMMIT_SUCC',
      directory: '/two',
      run: { outcome: 'committed', moved: 3 },
    });
    expect(bench.effects()).toEqual([]);
  });

  it('C17: what a generation told before it stopped accepting is not taken for an empty house', () => {
    const bench = Bench.serving();
    bench.tell({ type: 'report', generation: 1, report: aReport() });
    bench.order();
    bench.tell({ type: 'ready', generation: 2 });
    bench.tell({ type: 'accepting', generation: 2 });
    bench.tell({ type: 'report', generation: 1, report: aReport() });
    bench.tell({ type: 'stopped', generation: 1 });
    bench.tell({ type: 'tick' });
    expect(bench.state.phase).toBe('move');
    bench.tell({ type: 'report', generation: 1, report: aReport() });
    expect(bench.state.phase).toBe('watch');
  });

  it('with hold waits for the commit', () => {
    const bench = Bench.moving({ hold: true });
    bench.tell({ type: 'report', generation: 1, report: aReport() });
    bench.live(60_000, 1, 2);
    expect(bench.state.phase).toBe('watch');
    bench.tell({ type: 'commit', by: 'ann', source: 'console', reason: 'looks good' });
    expect(bench.state.phase).toBe('commit');
    expect(bench.state.run?.steps.at(-1)).toMatchObject({ text: 'commit', by: 'ann' });
  });

  it('C8: sessions that cannot go over have hot_upgrade_exit_timeout from the commit on, then they are closed', () => {
    const bench = Bench.moving();
    const busy = aReport({ clientSessions: 1 });
    bench.tell({ type: 'report', generation: 1, report: busy });
    bench.live(900, 1, 2);
    bench.tell({ type: 'report', generation: 1, report: aReport({ clientSessions: 1, moved: 7 }) });
    bench.live(900, 1, 2);
    expect(bench.state.phase).toBe('move');
    bench.live(1_000, 1, 2);
    expect(bench.state.phase).toBe('watch');
    bench.tell({ type: 'commit', by: 'ann', source: 'console', reason: 'now' });
    bench.live(29_900, 1, 2);
    expect(bench.effects()).toEqual([]);
    bench.live(100, 1, 2);
    expect(bench.effects()).toEqual(['close-rest 1']);
    bench.tell({ type: 'report', generation: 1, report: aReport() });
    expect(bench.effects()).toEqual(['end 1 after 100 ms']);
  });

  it('C8: as long as sessions go over the limit begins anew: none is closed because others go before it', () => {
    const bench = Bench.moving();
    bench.tell({ type: 'report', generation: 1, report: aReport({ clientSessions: 9 }) });
    bench.tell({ type: 'commit', by: 'ann', source: 'console', reason: 'now' });
    bench.live(29_000, 1, 2);
    bench.tell({ type: 'report', generation: 1, report: aReport({ clientSessions: 8, moved: 1 }) });
    bench.live(29_900, 1, 2);
    expect(bench.effects()).toEqual([]);
    bench.live(100, 1, 2);
    expect(bench.effects()).toEqual(['close-rest 1']);
  });

  it('C8: hot_upgrade_exit_timeout -1 waits without limit, 0 closes what has had its chance to go', () => {
    const forever = Bench.moving({}, { exitTimeoutMs: -1 });
    forever.tell({ type: 'report', generation: 1, report: aReport({ clientSessions: 1 }) });
    forever.tell({ type: 'commit', by: 'ann', source: 'console', reason: 'now' });
    forever.live(3_600_000, 1, 2);
    expect(forever.effects()).toEqual([]);
    expect(forever.state.phase).toBe('commit');
    const atOnce = Bench.moving({}, { exitTimeoutMs: 0 });
    atOnce.tell({ type: 'report', generation: 1, report: aReport({ clientSessions: 1 }) });
    atOnce.live(1_000, 1, 2);
    expect(atOnce.state.phase).toBe('watch');
    atOnce.tell({ type: 'commit', by: 'ann', source: 'console', reason: 'now' });
    atOnce.pass(0);
    expect(atOnce.effects()).toEqual(['close-rest 1']);
    const early = Bench.moving({}, { exitTimeoutMs: 0 });
    early.tell({ type: 'report', generation: 1, report: aReport({ clientSessions: 1 }) });
    early.tell({ type: 'commit', by: 'ann', source: 'console', reason: 'before all have gone' });
    early.live(900, 1, 2);
    expect(early.effects()).toEqual([]);
    early.live(100, 1, 2);
    expect(early.effects()).toEqual(['close-rest 1']);
  });

  it('C17: with hot_upgrade_exit_timeout 0 a rollback closes nobody who can come back', () => {
    const bench = Bench.moving({}, { exitTimeoutMs: 0 });
    bench.tell({ type: 'report', generation: 2, report: aReport({ clientSessions: 9 }, { exitTimeoutMs: 0 }) });
    bench.tell({ type: 'rollback', by: 'ann', source: 'console', reason: 'why' });
    bench.live(3_000, 2);
    bench.tell({ type: 'accepting', generation: 1 });
    bench.tell({ type: 'report', generation: 1, report: aReport({}, { exitTimeoutMs: 0 }) });
    bench.effects();
    bench.live(900, 1, 2);
    bench.tell({ type: 'report', generation: 2, report: aReport({ clientSessions: 8, moved: 1 }) });
    bench.live(900, 1, 2);
    expect(bench.effects()).toEqual([]);
    bench.live(100, 1, 2);
    expect(bench.effects()).toEqual(['close-rest 2']);
  });

  it('case B92: a second order is refused while one runs, and taken afterwards', () => {
    const bench = Bench.serving();
    bench.order();
    bench.order();
    bench.effects();
    expect(bench.refusal).toMatchObject({ code: 'UPGRADE_RUNNING', details: { phase: 'prepare', by: 'ann' } });
    bench.tell({ type: 'rollback', by: 'ann', source: 'console', reason: 'no' });
    expect(bench.effects()).toEqual(['kill 2']);
    bench.tell({ type: 'ended', generation: 2, how: 'SIGKILL' });
    expect(bench.state.parentStatus).toBe('ROLLBACK_SUCC');
    bench.order();
    expect(bench.refusal).toBeNull();
  });

  it('refuses to commit or roll back what is not there', () => {
    const bench = Bench.serving();
    bench.tell({ type: 'commit', by: 'ann', source: 'console', reason: '' });
    expect(bench.refusal).toMatchObject({ details: { detail: 'there is nothing to commit' } });
    bench.order();
    bench.tell({ type: 'commit', by: 'ann', source: 'console', reason: '' });
    expect(bench.refusal).toMatchObject({ details: { detail: 'commit is too early or too late in phase prepare' } });
  });
});

describe('a new generation that fails', () => {
  it('case B92 a: one that ends before it is ready is tried hot_upgrade_failure_retries times; the next order has all again', () => {
    const bench = Bench.serving();
    bench.order();
    for (let generation = 2; generation <= 6; generation++) {
      bench.tell({ type: 'ended', generation, how: 'code 1' });
      expect(bench.state.run?.failures).toBe(generation - 1);
      bench.pass(1_000);
    }
    expect(bench.state).toMatchObject({ phase: 'idle', active: 1, parentStatus: 'FAILURE_RETRIES_TOO_MANY' });
    expect(bench.state.run).toMatchObject({ outcome: 'given up', failures: 5 });
    bench.order();
    expect(bench.state.run).toMatchObject({ outcome: null, failures: 0 });
  });

  it('case B92 b: one that dies after it took clients gives its place back at once', () => {
    const bench = Bench.moving();
    bench.tell({ type: 'ended', generation: 2, how: 'SIGKILL' });
    expect(bench.effects()).toEqual(['stop-hand-over 1', 'accept 1']);
    expect(bench.state).toMatchObject({ phase: 'idle', active: 1, parentStatus: 'ROLLBACK_SUCC', directory: '/one' });
  });

  it('case B92 c: one that hangs is rolled back after hot_upgrade_rollback_timeout', () => {
    const bench = Bench.serving();
    bench.tell({ type: 'report', generation: 1, report: aReport({}, { rollbackTimeoutMs: 5_000 }) });
    bench.order();
    bench.effects();
    bench.pass(4_999);
    expect(bench.effects()).toEqual([]);
    bench.pass(1);
    expect(bench.effects()).toEqual(['kill 2']);
    bench.tell({ type: 'ended', generation: 2, how: 'SIGKILL' });
    expect(bench.state).toMatchObject({ phase: 'idle', active: 1, parentStatus: 'TIMEOUT_ROLLBACK_SUCC' });
  });

  it('case B92: a tree with another checksum is not tried at all', () => {
    const bench = Bench.serving();
    bench.order();
    bench.tell({ type: 'unusable', generation: 2, status: 'CHECK_BIN_MD5_FAIL', text: 'MD5 is 00' });
    expect(bench.state).toMatchObject({ phase: 'idle', active: 1, parentStatus: 'CHECK_BIN_MD5_FAIL' });
    expect(bench.state.run).toMatchObject({ outcome: 'given up', failures: 0 });
  });

  it('C18: when the old one has died while the tree was looked at, the proxy is started again from its own', () => {
    const bench = Bench.serving();
    bench.order();
    bench.tell({ type: 'ended', generation: 1, how: 'SIGKILL' });
    bench.effects();
    bench.tell({ type: 'unusable', generation: 2, status: 'UNAVAILABLE_BINARY', text: '/two: it is no tree' });
    expect(bench.state.run).toMatchObject({ outcome: 'given up' });
    expect(bench.effects()).toEqual(['start 3 /one']);
  });

  it('one that falls silent after the switch is killed, and the old one takes its place', () => {
    const bench = Bench.moving();
    bench.tell({ type: 'report', generation: 1, report: aReport({ clientSessions: 1 }) });
    bench.live(9_000, 1);
    bench.live(1_000, 1);
    expect(bench.effects()).toEqual(['kill 2']);
    bench.tell({ type: 'ended', generation: 2, how: 'SIGKILL' });
    expect(bench.state.active).toBe(1);
  });

  it('one with more errors than the old one is rolled back, and sessions come back', () => {
    const bench = Bench.moving();
    bench.tell({ type: 'report', generation: 1, report: aReport({ requests: 1_000, errors: 2 }) });
    bench.tell({ type: 'report', generation: 2, report: aReport({ requests: 100, errors: 9 }) });
    expect(bench.state.phase).toBe('watch');
    bench.tell({ type: 'report', generation: 2, report: aReport({ requests: 100, errors: 10 }) });
    expect(bench.effects()).toEqual(['stop-hand-over 1', 'accept 1']);
    bench.tell({ type: 'accepting', generation: 1 });
    expect(bench.effects()).toEqual(['stop-accepting 2', 'hand-over 2 to 1']);
    bench.tell({ type: 'stopped', generation: 2 });
    bench.tell({ type: 'report', generation: 2, report: aReport({ moved: 4 }) });
    expect(bench.effects()).toEqual(['end 2 after 100 ms']);
    bench.tell({ type: 'ended', generation: 2, how: 'code 0' });
    expect(bench.state).toMatchObject({ phase: 'idle', active: 1, parentStatus: 'ROLLBACK_SUCC', run: { moved: 4 } });
  });
});

describe('an old generation that fails', () => {
  it.each(['prepare', 'switch', 'move', 'commit', 'rollback'] as const)(
    'C18: in phase %s the new one takes over',
    (phase) => {
      const bench = Bench.in(phase);
      bench.tell({ type: 'ended', generation: 1, how: 'SIGKILL' });
      if (phase === 'prepare') bench.tell({ type: 'ready', generation: 2 });
      if (phase === 'prepare' || phase === 'switch') bench.tell({ type: 'accepting', generation: 2 });
      expect(bench.state).toMatchObject({ phase: 'idle', active: 2, run: { outcome: 'committed' } });
    },
  );

  it.each(['prepare', 'switch', 'move', 'commit', 'rollback'] as const)(
    'C18: with both gone in phase %s the proxy is started again',
    (phase) => {
      const bench = Bench.in(phase);
      bench.tell({ type: 'ended', generation: 2, how: 'SIGKILL' });
      bench.tell({ type: 'ended', generation: 1, how: 'SIGKILL' });
      bench.pass(1_000);
      expect(bench.state.phase).toBe('idle');
      expect(bench.state.generations).toMatchObject([{ id: 3, role: 'starting', directory: '/one' }]);
    },
  );
});

describe('a tree that cannot be started any more', () => {
  it('C18: after an upgrade that migrated the database and was not committed, the two trees are tried by turns', () => {
    const bench = Bench.moving();
    bench.tell({ type: 'ended', generation: 2, how: 'SIGKILL' });
    bench.tell({ type: 'ended', generation: 1, how: 'SIGKILL' });
    bench.pass(1_000);
    const started = (): string[] => bench.effects().filter((line) => line.startsWith('start'));
    expect(started()).toEqual(['start 3 /one']);
    bench.tell({ type: 'ended', generation: 3, how: 'code 1' });
    bench.pass(1_000);
    expect(started()).toEqual(['start 4 /two']);
    bench.tell({ type: 'ended', generation: 4, how: 'code 1' });
    bench.pass(1_000);
    expect(started()).toEqual(['start 5 /one']);
  });
});

describe('whatever happens', () => {
  const generation = fc.integer({ min: 1, max: 12 });
  const order = { by: 'ann', source: 'console' as const, reason: 'why' };
  const event: fc.Arbitrary<UpgradeEvent> = fc.oneof(
    fc.constant({
      type: 'start' as const,
      kind: 'upgrade' as const,
      directory: '/two',
      hold: false,
      watchMs: 500,
      md5: null,
      ...order,
    }),
    fc.constantFrom({ type: 'commit' as const, ...order }, { type: 'rollback' as const, ...order }),
    fc.record({ type: fc.constantFrom('ready' as const, 'accepting' as const, 'stopped' as const), generation }),
    fc.record({ type: fc.constant('ended' as const), generation, how: fc.constant('SIGKILL') }),
    fc.record({
      type: fc.constant('report' as const),
      generation,
      report: fc.integer({ min: 0, max: 2 }).map((clientSessions) => aReport({ clientSessions })),
    }),
    fc.constant({ type: 'tick' as const }),
  );
  const step = fc.tuple(event, fc.integer({ min: 0, max: 3_000 }));

  it('C18: somebody serves or is being started, and no run outlives its generations or its time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const bench = new Bench();
        for (const [what, waitMs] of steps) {
          bench.pass(waitMs);
          // Only what runs can tell something.
          if ('generation' in what && !bench.state.generations.some(({ id }) => id === what.generation)) continue;
          bench.tell(what);
          const { state } = bench;
          const isStarting = state.generations.some(({ role }) => role === 'starting');
          const isDue = state.restartAtMs !== null || (state.run?.outcome === null && state.run.retryAtMs !== null);
          expect(state.active !== null || isStarting || isDue).toBe(true);
          expect(state.phase !== 'idle').toBe(state.run !== null && state.run.outcome === null);
          if (state.active !== null) expect(state.generations.some(({ id }) => id === state.active)).toBe(true);
          expect(state.generations.filter(({ role }) => role === 'active').length).toBe(state.active === null ? 0 : 1);
        }
        bench.settle();
        expect(bench.state).toMatchObject({ phase: 'idle' });
        expect(bench.state.active).not.toBeNull();
        expect(bench.state.generations.length).toBe(1);
      }),
    );
  });

  it('leaves the state it was given as it was', () => {
    const state = firstStart(initialState(), '/one', { nowMs: 0, wallMs: 0 }).state;
    const before = JSON.stringify(state);
    reduce(state, { type: 'ready', generation: 1 }, { nowMs: 1, wallMs: 1 });
    expect(JSON.stringify(state)).toBe(before);
  });
});
