/** Cases from the field, with their numbers as there. */
import { describe, expect, it } from 'vitest';
import { BlocklistView } from './blocklist-view.ts';
import {
  at,
  fails,
  failsBy,
  failureOf,
  isTried,
  probesFail,
  probeWorks,
  run,
  SERVER,
  type Step,
  says,
  sets,
  startedBlocklist,
  statusOf,
  succeeds,
  WALL_AT_0,
} from './testing/steps.ts';

const fiveFail = fails(0, 1, 2, 3, 4);

describe('case B83: threshold, window and boundary values', () => {
  it.each<readonly [string, readonly Step[], readonly string[]]>([
    ['four failures', [fails(0, 1, 2, 3)], []],
    ['five failures', [fiveFail], ['4 +alive']],
    ['the first 140 s before the last', [fails(0, 137, 138, 139, 140)], []],
    [
      'the first 130 s before the last: the window is 120 s, not seventeen times 8 s',
      [fails(0, 127, 128, 129, 130)],
      [],
    ],
    ['threshold 0 is off', [sets({ failureThreshold: 0 }, 0), fiveFail], []],
    ['threshold 0 takes off', [fiveFail, sets({ failureThreshold: 0 }, 5)], ['4 +alive', '5 -alive parameters']],
    ['lowered from 5 to 2 with 3 events', [fails(0, 1, 2), sets({ failureThreshold: 2 }, 3)], ['3 +alive']],
    ['raised', [fiveFail, sets({ failureThreshold: 10 }, 5)], ['4 +alive', '5 -alive parameters']],
    [
      'window changed: counts and flag are gone',
      [fiveFail, sets({ failWindowMs: 300_000 }, 5), fails(6, 7, 8, 9)],
      ['4 +alive', '5 -alive parameters'],
    ],
    [
      'retry interval of 1 s: tried at 1, 2 … but released only after the time to keep',
      [
        sets({ retryIntervalMs: 1000 }, 0),
        fiveFail,
        isTried(5),
        succeeds(5),
        isTried(23),
        succeeds(23),
        isTried(24),
        succeeds(24),
      ],
      ['4 +alive', '24 -alive success'],
    ],
    [
      'ACTIVE 19 s after INACTIVE',
      [says('INACTIVE', 0), says('ACTIVE', 19)],
      ['0 +status', '19 -status view', '19 +alive'],
    ],
    ['ACTIVE 20 s after INACTIVE', [says('INACTIVE', 0), says('ACTIVE', 20)], ['0 +status', '20 -status view']],
  ])('%s', (_title, steps, transitions) => {
    expect(run(steps)).toEqual(transitions);
  });
});

describe('case B84: alive but unavailable', () => {
  it('five failed requests list it although it answers probes, and only a request that works releases it', () => {
    const steps = [
      probeWorks(0),
      ...[1, 2, 3, 4, 5].map((second) => failsBy('server-error', second, { errno: 4013 })),
      probeWorks(6),
      probeWorks(26),
      isTried(26),
      failsBy('server-error', 26, { errno: 4013 }),
      probeWorks(27),
      isTried(46),
      succeeds(46),
    ];
    expect(run(steps)).toEqual(['5 +alive', '46 -alive success']);
  });
});

describe('case B85: all servers blocked', () => {
  it('requests go round all of them, and the one that is well again comes off', () => {
    const addresses = ['10.0.0.1:2881', '10.0.0.2:2881', '10.0.0.3:2881'];
    const blocklist = startedBlocklist();
    blocklist.setServers(
      addresses.map((address) => statusOf('ACTIVE', { address })),
      at(0),
    );
    for (const address of addresses)
      for (let count = 0; count < 5; count += 1) blocklist.failure(failureOf(1, { address }));
    const view = new BlocklistView();
    view.update(blocklist.verdicts(), true);
    const candidates = addresses.map((address) => ({ address }));

    const choice = view.choose(candidates, at(2).atMs);
    expect(choice).toMatchObject({ forced: true, order: candidates });

    // By force it works on the third, long before its retry is due; the time to keep has passed at second 21.
    expect(blocklist.success('10.0.0.3:2881', at(2), 1)).toEqual([]);
    expect(blocklist.success('10.0.0.3:2881', at(21), 1)).toMatchObject([{ change: 'released' }]);
    view.update(blocklist.verdicts(), true);
    expect(view.choose(candidates, at(21).atMs)?.order.at(-1)).toEqual({ address: '10.0.0.3:2881' });
  });
});

describe('case B86: thrash', () => {
  it('clients that give up connecting before the limit list nobody', () => {
    const aborts = Array.from({ length: 10 }, (_, second) => failsBy('connect-timeout', second, { tookMs: 50 }));
    const blocklist = startedBlocklist();
    expect(run(aborts, blocklist)).toEqual([]);
    expect(blocklist.rows(at(10))).toMatchObject([{ failureTotal: 0, connectFailureTotal: 0 }]);
  });

  it('one after it lists the server', () => {
    expect(run([failsBy('connect-timeout', 1, { tookMs: 150 })])).toEqual(['1 +alive']);
  });
});

describe('case B87: detection against reality', () => {
  it('B6 decides: more than three failures in a row', () => {
    expect(run([probesFail(1, 2, 3), probesFail(4)])).toEqual(['4 +detection']);
  });

  it('mode 1, 0, 2: nobody stays listed without probes', () => {
    const steps = [
      probesFail(1, 2, 3, 4),
      sets({ detectMode: 0 }, 5),
      sets({ detectMode: 2 }, 6),
      probesFail(7, 8, 9, 10),
    ];
    expect(run(steps)).toEqual(['4 +detection', '5 -detection parameters', '10 +detection']);
  });

  it('what is found about a server that has left is nothing, nor is it when the server has come again', () => {
    const blocklist = startedBlocklist();
    run([probesFail(1, 2, 3)], blocklist);
    blocklist.setServers([], at(4));
    run([probesFail(5)], blocklist);
    blocklist.setServers([statusOf()], at(6));
    expect(run([probesFail(5.5, 7, 8, 9)], blocklist)).toEqual([]);
    expect(run([probesFail(10)], blocklist)).toEqual(['10 +detection']);
  });
});

describe('case B88: list of servers changes while one is listed', () => {
  it('a server that comes again in another zone starts clean', () => {
    const blocklist = startedBlocklist();
    run([fiveFail, probesFail(1, 2, 3, 4), says('INACTIVE', 5)], blocklist);
    expect(blocklist.rows(at(6))).toMatchObject([{ zone: 'z1', lists: ['status', 'detection', 'alive'] }]);

    const left = blocklist.setServers([statusOf('ACTIVE', { address: '10.0.0.2:2881' })], at(7));
    expect(left).toMatchObject([{ list: 'status' }, { list: 'detection' }, { list: 'alive' }]);
    expect(left.every(({ change, evidence }) => change === 'released' && evidence.kind === 'removed')).toBe(true);
    expect(blocklist.rows(at(8)).map(({ address }) => address)).toEqual(['10.0.0.2:2881']);

    expect(blocklist.setServers([statusOf('ACTIVE', { zone: 'z2' })], at(9))).toEqual([]);
    expect(blocklist.rows(at(10))).toEqual([
      {
        zone: 'z2',
        region: 'r1',
        zoneState: 'ACTIVE',
        address: SERVER,
        serverState: 'ACTIVE',
        isAliveListed: false,
        lastAliveListedWallAtMs: null,
        isDeadListed: false,
        lastDeadListedWallAtMs: null,
        failureTotal: 0,
        connectFailureTotal: 0,
        lastConnectFailureWallAtMs: null,
        connectFailuresInWindow: 0,
        lastFailureWallAtMs: null,
        failuresInWindow: 0,
        refCount: 2,
        isDetectionListed: false,
        lastDetectionListedWallAtMs: null,
        lists: [],
      },
    ]);
    expect(run([fails(8)], blocklist)).toEqual([]);
    expect(blocklist.rows(at(11))).toMatchObject([{ failureTotal: 0 }]);
  });

  it('a zone that is stopped and started again', () => {
    expect(run([says('ACTIVE', 1, 'UPGRADE'), says('ACTIVE', 2)])).toEqual(['1 +status', '2 -status view']);
  });

  it('a loopback address is a server like any other', () => {
    const address = '127.0.0.1:2881';
    const blocklist = startedBlocklist();
    blocklist.setServers([statusOf('REPLAY', { address })], at(1));
    expect(blocklist.verdicts()).toEqual([{ address, lists: ['status'], retryAtMs: null }]);
    expect(blocklist.rows(at(1))).toMatchObject([{ lastDeadListedWallAtMs: WALL_AT_0 + 1000 }]);
  });
});
