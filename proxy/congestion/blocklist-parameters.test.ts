import { describe, expect, it } from 'vitest';
import { fails, failsBy, probesFail, run, type Step, says, sets, succeeds } from './testing/steps.ts';

const fiveFail = fails(0, 1, 2, 3, 4);
const dead = probesFail(1, 2, 3, 4);

describe('parameters', () => {
  it.each<readonly [title: string, steps: readonly Step[], transitions: readonly string[]]>([
    ['B16 switched off, observing and listing go on', [sets({ enabled: false }, 0), fiveFail], ['4 +alive']],
    [
      'B17 below 0 every server comes off all lists',
      [fiveFail, dead, says('INACTIVE', 5), sets({ failureThreshold: -1 }, 6)],
      [
        '4 +alive',
        '4 +detection',
        '5 +status',
        '6 -status parameters',
        '6 -detection parameters',
        '6 -alive parameters',
      ],
    ],
    [
      'B17 and none comes on',
      [sets({ failureThreshold: -1 }, 0), fiveFail, dead, says('INACTIVE', 5), failsBy('connect-timeout', 6)],
      [],
    ],
    [
      'B17 above again, what the views and the probes found meanwhile counts at once',
      [sets({ failureThreshold: -1 }, 0), dead, says('INACTIVE', 5), sets({ failureThreshold: 5 }, 6)],
      ['6 +status', '6 +detection'],
    ],
    ['B17 raised: released at once', [fiveFail, sets({ failureThreshold: 6 }, 5)], ['4 +alive', '5 -alive parameters']],
    [
      'B17 raised: the count goes on',
      [fiveFail, sets({ failureThreshold: 6 }, 5), fails(6)],
      ['4 +alive', '5 -alive parameters', '6 +alive'],
    ],
    [
      'B17 raised: another parameter does not undo it',
      [fiveFail, fails(4, 4), sets({ failureThreshold: 6 }, 5), sets({ minKeepMs: 1 }, 6)],
      ['4 +alive', '5 -alive parameters'],
    ],
    ['B17 lowered: listed at once', [fails(0, 1, 2), sets({ failureThreshold: 2 }, 5)], ['5 +alive']],
    ['B17 lowered, but not by enough', [fails(0, 1, 2), sets({ failureThreshold: 4 }, 5)], []],
    ['B17 lowered, but the failures are too old', [fails(0, 1, 2), sets({ failureThreshold: 2 }, 122)], []],
    ['B17 the other lists do not depend on it', [dead, sets({ failureThreshold: 9 }, 5)], ['4 +detection']],
    [
      'B18 another window: counting begins anew',
      [fails(0, 1, 2, 3), sets({ failWindowMs: 60_000 }, 4), fails(5, 6, 7, 8)],
      [],
    ],
    ['B18 from then on by the new one', [sets({ failWindowMs: 60_000 }, 0), fails(0, 1, 2, 3, 60.001)], []],
    [
      'B18 and what was counted into the list comes off',
      [fiveFail, dead, sets({ failWindowMs: 60_000 }, 5)],
      ['4 +alive', '4 +detection', '5 -alive parameters'],
    ],
    [
      'B20 takes effect at once',
      [fiveFail, sets({ minKeepMs: 1000 }, 5), succeeds(5)],
      ['4 +alive', '5 -alive success'],
    ],
    [
      'B21 takes effect at once',
      [sets({ minConnectTimeoutMs: 500 }, 1), failsBy('connect-timeout', 5, { tookMs: 499 })],
      [],
    ],
    ['B16 B17 B18 B19 B20 B21 nothing changed, nothing done', [fiveFail, sets({}, 5)], ['4 +alive']],
  ])('%s', (_title, steps, transitions) => {
    expect(run(steps)).toEqual(transitions);
  });
});
