import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Blocklist } from './blocklist.ts';
import type { RecordedFailure } from './recorded-steps.ts';
import { type ReplayedListing, replay } from './replay.ts';
import {
  at,
  defaults,
  fails,
  failsBy,
  failureOf,
  isReleased,
  leaves,
  probesFail,
  probeWorks,
  run,
  SERVER,
  type Step,
  says,
  sets,
  statusOf,
  succeeds,
  WALL_AT_0,
} from './testing/steps.ts';
import type { BlocklistTransition, CongestionParameters, FailureEvent } from './types.ts';

class RecordedBlocklist extends Blocklist {
  readonly failures: RecordedFailure[] = [];

  override failure(event: FailureEvent): BlocklistTransition[] {
    const { atMs: _atMs, ...kept } = event;
    this.failures.push(kept);
    return super.failure(event);
  }
}

/** A past: what is kept of it while these steps happen. */
function record(steps: readonly Step[]) {
  const blocklist = new RecordedBlocklist(defaults);
  blocklist.setServers([statusOf()], at(0));
  const transitions = steps.flatMap((step) => step(blocklist));
  return { failures: blocklist.failures, transitions };
}

function whatIf(steps: readonly Step[], changes: Partial<CongestionParameters> = {}, [from, to] = [0, 300]): string[] {
  return replay({
    ...record(steps),
    parameters: { ...defaults, ...changes },
    fromWallAtMs: at(from ?? 0).wallAtMs,
    toWallAtMs: at(to ?? 300).wallAtMs,
  }).map(inShort);
}

function inShort({ list, listedWallAtMs, releasedWallAtMs, releaseEvidence }: ReplayedListing): string {
  const second = (wallAtMs: number) => (wallAtMs - WALL_AT_0) / 1000;
  const end = releasedWallAtMs === null ? '…' : `${second(releasedWallAtMs)} ${releaseEvidence?.kind}`;
  return `${list} ${second(listedWallAtMs)}–${end}`;
}

const fiveFail = fails(0, 1, 2, 3, 4);

describe('replay', () => {
  it.each<readonly [string, readonly Step[]]>([
    ['listed and released by the first try', [fiveFail, succeeds(24.01)]],
    ['never listed', [fails(0, 1, 2, 3)]],
    ['a second try works', [fiveFail, fails(24), succeeds(44.01)]],
    ['down and up', [says('INACTIVE', 10), says('ACTIVE', 40)]],
    ['back too early', [says('INACTIVE', 10), says('ACTIVE', 20), succeeds(40.01)]],
    ['an upgrade of the zone', [says('ACTIVE', 10, 'UPGRADE'), says('ACTIVE', 20)]],
    ['found dead and alive', [probesFail(1, 2, 3, 4), probeWorks(30)]],
    ['on two lists', [probesFail(1, 2, 3, 4), fails(5, 6, 7, 8, 9), probeWorks(50), succeeds(50)]],
    ['released by hand', [fiveFail, isReleased('alive', 10), fails(11, 12)]],
    ['removed and back', [fiveFail, leaves(10), says('ACTIVE', 11), fails(12, 13)]],
    ['a connect time-out', [failsBy('connect-timeout', 3, { tookMs: 150 }), succeeds(23.01)]],
    ['probing ended', [probesFail(1, 2, 3, 4), sets({ detectMode: 0 }, 10)]],
  ])('finds what was, within a second, with the values that were in force: %s', (_title, steps) => {
    const real = run(steps).map((transition) =>
      transition.replace(/^[\d.]+/, (second) => `${Math.floor(Number(second))}`),
    );
    const replayed = replay({
      ...record(steps),
      parameters: defaults,
      fromWallAtMs: WALL_AT_0,
      toWallAtMs: at(300).wallAtMs,
    });
    const second = (wallAtMs: number) => Math.floor((wallAtMs - WALL_AT_0) / 1000);
    const transitions = replayed.flatMap(({ list, listedWallAtMs, releasedWallAtMs, releaseEvidence }) => [
      `${second(listedWallAtMs)} +${list}`,
      ...(releasedWallAtMs === null ? [] : [`${second(releasedWallAtMs)} -${list} ${releaseEvidence?.kind}`]),
    ]);
    expect(transitions.sort()).toEqual(real.sort());
  });

  const flaky = [fails(0, 10, 20, 30, 40, 50, 60), succeeds(65)];

  it.each<readonly [string, readonly Step[], Partial<CongestionParameters>, readonly string[]]>([
    ['B17 a lower threshold lists earlier', flaky, { failureThreshold: 3 }, ['alive 20–80 success']],
    [
      'B12 a try that a failure follows does not work',
      [fails(0, 10, 20, 40.5)],
      { failureThreshold: 3 },
      ['alive 20–60 success'],
    ],
    ['B17 a higher one does not list', [fiveFail, succeeds(24)], { failureThreshold: 6 }, []],
    [
      'B17 below 0 nobody is listed',
      [fiveFail, probesFail(5, 6, 7, 8), says('INACTIVE', 9)],
      { failureThreshold: -1 },
      [],
    ],
    ['B18 a shorter window does not list', flaky, { failWindowMs: 30_000 }, []],
    ['B18 a longer one lists', [fails(0, 100, 200, 300, 400)], { failWindowMs: 600_000 }, ['alive 400–…']],
    [
      'B19 a shorter interval finds it well no earlier than it was',
      [fiveFail, fails(6), succeeds(24.5)],
      { retryIntervalMs: 5000, minKeepMs: 1000 },
      ['alive 4–24 success'],
    ],
    [
      'B19 a longer interval keeps it away longer',
      [fiveFail, succeeds(24.5)],
      { retryIntervalMs: 60_000 },
      ['alive 4–64 success'],
    ],
    ['B20 kept longer', [fiveFail, succeeds(24)], { minKeepMs: 50_000 }, ['alive 4–64 success']],
    [
      'B20 kept shorter: no detour over the alive list',
      [says('INACTIVE', 10), says('ACTIVE', 20), succeeds(40)],
      { minKeepMs: 5000 },
      ['status 10–20 view'],
    ],
    [
      'B21 a longer limit',
      [failsBy('connect-timeout', 3, { tookMs: 150 }), succeeds(23)],
      { minConnectTimeoutMs: 200 },
      [],
    ],
    [
      'B21 a shorter limit',
      [failsBy('connect-timeout', 3, { tookMs: 50 })],
      { minConnectTimeoutMs: 20 },
      ['alive 3–23 success'],
    ],
  ])('%s', (_title, steps, changes, listings) => {
    expect(whatIf(steps, changes, [0, 420])).toEqual(listings);
  });

  it('tells only what touches the span', () => {
    const steps = [fiveFail, succeeds(24), fails(100, 101, 102, 103, 104), succeeds(124)];
    expect(whatIf(steps, {}, [0, 50])).toEqual(['alive 4–24 success']);
    expect(whatIf(steps, {}, [50, 110])).toEqual(['alive 104–…']);
    expect(whatIf(steps, {}, [110, 300])).toEqual(['alive 104–124 success']);
  });

  it('has the failures as evidence', () => {
    const [listing] = replay({
      ...record([fails(0, 1)]),
      parameters: { ...defaults, failureThreshold: 2 },
      fromWallAtMs: 0,
      toWallAtMs: at(9).wallAtMs,
    });
    expect(listing).toMatchObject({
      address: SERVER,
      evidence: { kind: 'failures', failures: [{ sessionId: 7 }, { digest: 'select ?' }] },
    });
  });

  it('takes records in any order, and none at all', () => {
    const { failures, transitions } = record([fiveFail, says('INACTIVE', 30), succeeds(31)]);
    const input = { parameters: defaults, fromWallAtMs: 0, toWallAtMs: at(300).wallAtMs };
    const inOrder = replay({ ...input, failures, transitions });
    expect(replay({ ...input, failures: failures.toReversed(), transitions: transitions.toReversed() })).toEqual(
      inOrder,
    );
    expect(replay({ ...input, failures: [], transitions: [] })).toEqual([]);
  });

  it('a threshold that is never reached lists nobody, and one of 1 lists whoever failed', () => {
    const second = fc.integer({ min: 0, max: 600 });
    fc.assert(
      fc.property(fc.array(second, { minLength: 1, maxLength: 40 }), (seconds) => {
        const failures = seconds.map((each) => failureOf(each));
        const input = { failures, transitions: [], fromWallAtMs: WALL_AT_0, toWallAtMs: at(700).wallAtMs };
        expect(replay({ ...input, parameters: { ...defaults, failureThreshold: seconds.length + 1 } })).toEqual([]);
        const first = replay({ ...input, parameters: { ...defaults, failureThreshold: 1 } })[0];
        expect(first?.listedWallAtMs).toBe(at(Math.min(...seconds)).wallAtMs);
      }),
    );
  });

  it('servers are told apart', () => {
    const other = '10.0.0.2:2881';
    const both = [0, 1, 2, 3, 4].flatMap((second) => [failureOf(second), failureOf(second + 0.5, { address: other })]);
    const listings = replay({
      failures: both,
      transitions: [],
      parameters: defaults,
      fromWallAtMs: 0,
      toWallAtMs: at(9).wallAtMs,
    });
    expect(listings.map(({ address }) => address)).toEqual([SERVER, other]);
  });
});
