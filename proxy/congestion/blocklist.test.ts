import { describe, expect, it } from 'vitest';
import {
  at,
  fails,
  failsBy,
  isReleased,
  isTried,
  leaves,
  probesFail,
  probeWorks,
  run,
  SERVER,
  type Step,
  says,
  sets,
  startedBlocklist,
  succeeds,
} from './testing/steps.ts';
import { failureKinds } from './types.ts';

const seconds = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
const fiveFail = fails(0, 1, 2, 3, 4);
const dead = probesFail(1, 2, 3, 4);

type Case = readonly [title: string, steps: readonly Step[], transitions: readonly string[]];

describe('status list', () => {
  it.each<Case>([
    ['B1 ACTIVE takes it off again', [says('INACTIVE', 10), says('ACTIVE', 40)], ['10 +status', '40 -status view']],
    ['B1 ACTIVE again is no news', [says('ACTIVE', 10), says('ACTIVE', 20)], []],
    [
      'B1 a server that has become ACTIVE is washed: off the alive list too',
      [fiveFail, says('INACTIVE', 10), says('ACTIVE', 40)],
      ['4 +alive', '10 +status', '40 -status view', '40 -alive view'],
    ],
    ['B1 a server that stays ACTIVE is not washed: a try has to work', [fiveFail, says('ACTIVE', 40)], ['4 +alive']],
    [
      'B1 washing begins the count anew',
      [fiveFail, says('INACTIVE', 10), says('ACTIVE', 40), fails(41, 42, 43, 44)],
      ['4 +alive', '10 +status', '40 -status view', '40 -alive view'],
    ],
    ['B2 INACTIVE lists', [says('INACTIVE', 10), says('INACTIVE', 20)], ['10 +status']],
    [
      'B20 the time to keep runs from the first of them',
      [says('INACTIVE', 10), says('REPLAY', 20), says('ACTIVE', 31)],
      ['10 +status', '31 -status view'],
    ],
    ['B2 REPLAY lists', [says('REPLAY', 10)], ['10 +status']],
    ['B2 INACTIVE, then REPLAY is one listing', [says('INACTIVE', 10), says('REPLAY', 20)], ['10 +status']],
    [
      'B3 a DELETING server leaves with its listings',
      [fiveFail, says('DELETING', 5)],
      ['4 +alive', '5 -alive removed'],
    ],
    ['B3 a DELETED server leaves', [says('INACTIVE', 1), says('DELETED', 5)], ['1 +status', '5 -status removed']],
    ['B3 a server no longer named leaves', [says('INACTIVE', 1), leaves(5)], ['1 +status', '5 -status removed']],
    [
      'B4 UPGRADE of the server keeps requests away',
      [says('UPGRADE', 5), says('ACTIVE', 6)],
      ['5 +status', '6 -status view'],
    ],
    [
      'B4 UPGRADE of the zone keeps requests away',
      [says('ACTIVE', 5, 'UPGRADE'), says('ACTIVE', 6)],
      ['5 +status', '6 -status view'],
    ],
    ['B4 a merging zone does not', [says('ACTIVE', 5, 'MERGE')], []],
    [
      'B4 B2 a server that goes down while its zone is upgraded stays away when the zone is back',
      [says('ACTIVE', 5, 'UPGRADE'), says('INACTIVE', 6, 'UPGRADE'), says('INACTIVE', 7), says('ACTIVE', 30)],
      ['5 +status', '30 -status view'],
    ],
    [
      'B20 ACTIVE too early: off the status list, on the alive list until a try works',
      [says('INACTIVE', 10), says('ACTIVE', 29.9), succeeds(49.8), succeeds(49.9)],
      ['10 +status', '29.9 -status view', '29.9 +alive', '49.9 -alive success'],
    ],
    ['B20 ACTIVE in time', [says('INACTIVE', 10), says('ACTIVE', 30)], ['10 +status', '30 -status view']],
  ])('%s', (_title, steps, transitions) => {
    expect(run(steps)).toEqual(transitions);
  });

  it('B4 an UPGRADE has the effect of the list without being on it in the printed columns', () => {
    const blocklist = startedBlocklist();
    says('UPGRADE', 5)(blocklist);
    expect(blocklist.verdicts()).toEqual([{ address: SERVER, lists: ['status'], retryAtMs: null }]);
    expect(blocklist.rows(at(6))).toMatchObject([
      { isDeadListed: false, lastDeadListedWallAtMs: null, serverState: 'UPGRADE', lists: ['status'] },
    ]);
  });
});

describe('detection list', () => {
  it.each<Case>([
    ['B6 three failed probes in a row are not enough', [probesFail(1, 2, 3)], []],
    ['B6 B9 more than three are', [dead, probesFail(5, 6)], ['4 +detection']],
    ['B7 one that works sets the count back', [probesFail(1, 2, 3), probeWorks(4), probesFail(5, 6, 7)], []],
    [
      'B8 one that works takes it off, with no time to keep',
      [dead, probeWorks(5)],
      ['4 +detection', '5 -detection probes'],
    ],
    [
      'B8 it is taken off the detection list only',
      [fiveFail, probesFail(5, 6, 7, 8), probeWorks(40)],
      ['4 +alive', '8 +detection', '40 -detection probes'],
    ],
    [
      'B6 a lower threshold acts on the probes that failed already',
      [probesFail(1, 2, 3), sets({ detectFailThreshold: 2 }, 4)],
      ['4 +detection'],
    ],
    [
      'B6 a higher threshold does not make a dead server alive',
      [dead, sets({ detectFailThreshold: 9 }, 5)],
      ['4 +detection'],
    ],
    [
      'B5 nobody is on the list when nobody is probed, and a probe still under way says nothing',
      [dead, sets({ detectMode: 0 }, 5), probesFail(6, 7, 8, 9)],
      ['4 +detection', '5 -detection parameters'],
    ],
    [
      'B5 probing anew finds out anew',
      [dead, sets({ detectMode: 0 }, 5), sets({ detectMode: 1 }, 6), probesFail(7, 8, 9)],
      ['4 +detection', '5 -detection parameters'],
    ],
  ])('%s', (_title, steps, transitions) => {
    expect(run(steps)).toEqual(transitions);
  });

  it.each<readonly [string, readonly Step[], string]>([
    ['B7 the state stays as the views told it while probes work', [probeWorks(1)], 'ACTIVE'],
    ['B6 DETECT_DEAD', [dead], 'DETECT_DEAD'],
    ['B7 DETECT_ALIVE', [dead, probeWorks(5)], 'DETECT_ALIVE'],
    ['B2 a change in the views is the newer state', [dead, says('INACTIVE', 6)], 'INACTIVE'],
    ['B2 the same state in the views is not', [dead, says('ACTIVE', 6)], 'DETECT_DEAD'],
    ['B5 without probes the views count', [dead, sets({ detectMode: 0 }, 5)], 'ACTIVE'],
  ])('server_state: %s', (_title, steps, state) => {
    const blocklist = startedBlocklist();
    run(steps, blocklist);
    expect(blocklist.rows(at(10)).map(({ serverState }) => serverState)).toEqual([state]);
  });
});

describe('alive list', () => {
  it.each(failureKinds.map((kind) => [kind]))('B10 %s counts', (kind) => {
    expect(run([fails(0, 1, 2, 3), failsBy(kind, 4)])).toEqual(['4 +alive']);
  });

  it.each<Case>([
    ['B11 four failures do not list', [fails(0, 1, 2, 3)], []],
    ['B11 five do, within exactly 120 s', [fails(0, 1, 2, 3, 120)], ['120 +alive']],
    ['B11 five in more than 120 s do not', [fails(0, 1, 2, 3, 120.001)], []],
    ['B11 failures told out of order count all the same', [fails(4, 3, 2, 1, 0)], ['0 +alive']],
    ['B13 a success before the time to keep does not release', [fiveFail, succeeds(23.999)], ['4 +alive']],
    ['B13 a success after it does', [fiveFail, succeeds(24)], ['4 +alive', '24 -alive success']],
    ['B13 nothing is released without a success', [fiveFail, fails(200)], ['4 +alive']],
    [
      'B13 one failure after the release does not list again',
      [fiveFail, succeeds(24), fails(25)],
      ['4 +alive', '24 -alive success'],
    ],
    [
      'B13 five after the release do',
      [fiveFail, succeeds(24), fails(...seconds(25, 5))],
      ['4 +alive', '24 -alive success', '29 +alive'],
    ],
    [
      'B13 a failure from before the release, told late, does not count',
      [fiveFail, succeeds(24), fails(23, 25, 26, 27, 28)],
      ['4 +alive', '24 -alive success'],
    ],
    ['B21 a connect time-out lists at once', [failsBy('connect-timeout', 5, { tookMs: 100 })], ['5 +alive']],
    ['B21 an attempt given up earlier says nothing', [failsBy('connect-timeout', 5, { tookMs: 99 })], []],
    ['B10 a refused connection is one failure', [failsBy('connect-failure', 5, { tookMs: 500 })], []],
  ])('%s', (_title, steps, transitions) => {
    expect(run(steps)).toEqual(transitions);
  });

  it.each<readonly [string, readonly Step[], number | null]>([
    ['B12 20 s after it was listed', [fiveFail], 24],
    ['B12 not for a server that is not listed', [fails(0, 1)], null],
    ['B12 an interval after the last try', [fiveFail, isTried(24)], 44],
    ['B12 a failure that comes while it is listed does not push it out', [fiveFail, fails(10, 11)], 24],
    ['B12 nor does a try of an earlier listing', [fiveFail, isTried(24), succeeds(24), fails(25, 25, 25, 25, 25)], 45],
    ['B14 not while it is on another list, too', [fiveFail, says('INACTIVE', 6)], null],
    ['B19 the interval takes effect at once', [fiveFail, sets({ retryIntervalMs: 1000 }, 6)], 5],
  ])('next retry: %s', (_title, steps, retryAt) => {
    const blocklist = startedBlocklist();
    run(steps, blocklist);
    expect(blocklist.verdicts()[0]?.retryAtMs).toBe(retryAt === null ? null : retryAt * 1000);
  });
});

describe('all lists', () => {
  it.each<readonly [string, readonly Step[], readonly string[]]>([
    ['none', [], []],
    ['two', [fiveFail, probesFail(5, 6, 7, 8)], ['detection', 'alive']],
    ['all three', [fiveFail, probesFail(5, 6, 7, 8), says('INACTIVE', 9)], ['status', 'detection', 'alive']],
    [
      'one left of three',
      [fiveFail, probesFail(5, 6, 7, 8), says('INACTIVE', 9), probeWorks(10), says('ACTIVE', 29)],
      [],
    ],
    ['each leaves by its own rule', [fiveFail, dead, says('INACTIVE', 9), probeWorks(10), succeeds(24)], ['status']],
  ])('B14 they do not know of each other: %s', (_title, steps, lists) => {
    const blocklist = startedBlocklist();
    run(steps, blocklist);
    expect(blocklist.verdicts()[0]?.lists).toEqual(lists);
  });

  it.each<Case>([
    [
      'off all lists',
      [fiveFail, dead, says('INACTIVE', 5), isReleased(null, 6)],
      ['4 +alive', '4 +detection', '5 +status', '6 -status hand', '6 -detection hand', '6 -alive hand'],
    ],
    ['off one', [fiveFail, dead, isReleased('alive', 6)], ['4 +alive', '4 +detection', '6 -alive hand']],
    [
      'the same state in the views does not list again',
      [says('INACTIVE', 5), isReleased('status', 6), says('INACTIVE', 7)],
      ['5 +status', '6 -status hand'],
    ],
    [
      'nor does another state of its zone',
      [says('INACTIVE', 5), isReleased('status', 6), says('INACTIVE', 7, 'MERGE')],
      ['5 +status', '6 -status hand'],
    ],
    [
      'it takes more than three new probes',
      [dead, isReleased('detection', 6), probesFail(7, 8, 9)],
      ['4 +detection', '6 -detection hand'],
    ],
    [
      'it takes five new failures',
      [fiveFail, isReleased('alive', 6), fails(7, 8, 9, 10)],
      ['4 +alive', '6 -alive hand'],
    ],
    [
      'nothing happens to what is not listed, not even to its count',
      [fails(0, 1, 2, 3), isReleased(null, 4), fails(5)],
      ['5 +alive'],
    ],
  ])('release by hand: %s', (_title, steps, transitions) => {
    expect(run(steps)).toEqual(transitions);
  });

  it('what concerns an unknown server is nothing', () => {
    const blocklist = startedBlocklist();
    leaves(1)(blocklist);
    const steps = [fiveFail, dead, isTried(5), succeeds(30), isReleased(null, 31)];
    expect(run(steps, blocklist)).toEqual([]);
    expect(blocklist.verdicts()).toEqual([]);
    expect(blocklist.details(SERVER, at(40))).toBeNull();
  });
});
