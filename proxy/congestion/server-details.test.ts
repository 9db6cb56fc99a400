import { describe, expect, it } from 'vitest';
import {
  at,
  defaults,
  fails,
  failsBy,
  isReleased,
  probesFail,
  run,
  SERVER,
  says,
  sets,
  startedBlocklist,
  succeeds,
  WALL_AT_0,
} from './testing/steps.ts';

describe('rows', () => {
  it('B24 have the data of every column', () => {
    const blocklist = startedBlocklist();
    run(
      [
        fails(0, 1, 2),
        failsBy('connect-failure', 3),
        failsBy('connect-timeout', 4, { tookMs: 300 }),
        probesFail(5, 6, 7, 8),
        says('INACTIVE', 9, 'MERGE'),
      ],
      blocklist,
    );
    expect(blocklist.rows(at(10))).toEqual([
      {
        zone: 'z1',
        region: 'r1',
        zoneState: 'MERGE',
        address: SERVER,
        serverState: 'INACTIVE',
        isAliveListed: true,
        lastAliveListedWallAtMs: WALL_AT_0 + 4000,
        isDeadListed: true,
        lastDeadListedWallAtMs: WALL_AT_0 + 9000,
        failureTotal: 5,
        connectFailureTotal: 2,
        lastConnectFailureWallAtMs: WALL_AT_0 + 4000,
        connectFailuresInWindow: 2,
        lastFailureWallAtMs: WALL_AT_0 + 4000,
        failuresInWindow: 5,
        refCount: 2,
        isDetectionListed: true,
        lastDetectionListedWallAtMs: WALL_AT_0 + 8000,
        lists: ['status', 'detection', 'alive'],
      },
    ]);
  });

  it('B24 the last times and the totals stay after the release, the counts of the window do not', () => {
    const blocklist = startedBlocklist();
    run([fails(0, 1, 2, 3, 4), succeeds(30), says('INACTIVE', 31), says('ACTIVE', 60)], blocklist);
    expect(blocklist.rows(at(61))).toMatchObject([
      {
        isAliveListed: false,
        lastAliveListedWallAtMs: WALL_AT_0 + 4000,
        isDeadListed: false,
        lastDeadListedWallAtMs: WALL_AT_0 + 31_000,
        failureTotal: 5,
        failuresInWindow: 0,
        lastFailureWallAtMs: WALL_AT_0 + 4000,
      },
    ]);
  });

  it('B24 failures leave the count of the window by the mere passing of time', () => {
    const blocklist = startedBlocklist();
    run([fails(0, 1)], blocklist);
    expect([120, 121, 122].map((second) => blocklist.rows(at(second))[0]?.failuresInWindow)).toEqual([2, 1, 0]);
  });
});

describe('details', () => {
  it('tell since when and why it is listed, the next retry and how long it is kept', () => {
    const blocklist = startedBlocklist({ minKeepMs: 60_000 });
    run([fails(0, 1, 2, 3, 4)], blocklist);
    const details = blocklist.details(SERVER, at(10));
    expect(details).toMatchObject({
      told: { state: 'ACTIVE', reason: 'is ACTIVE' },
      finding: null,
      listings: [{ list: 'alive', wallAtMs: WALL_AT_0 + 4000, evidence: { kind: 'failures' } }],
      retryWallAtMs: WALL_AT_0 + 24_000,
      keepUntilWallAtMs: WALL_AT_0 + 64_000,
      histogramPartMs: 2000,
      row: { failuresInWindow: 5 },
    });
    expect(details?.histogram.slice(-5)).toEqual([2, 2, 1, 0, 0]);
    expect(details?.histogram.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(details?.failures.map(({ atMs }) => atMs)).toEqual([0, 1000, 2000, 3000, 4000]);
  });

  it('keep the last twenty probes and the last fifty failures', () => {
    const blocklist = startedBlocklist();
    const many = Array.from({ length: 70 }, (_, second) => second);
    run([probesFail(...many), fails(...many)], blocklist);
    const details = blocklist.details(SERVER, at(70));
    expect(details).toMatchObject({ finding: 'DETECT_DEAD', failedProbesInRow: 70, retryWallAtMs: null });
    expect(details?.probes.map(({ atMs }) => atMs / 1000)).toEqual(many.slice(-20));
    expect(details?.failures.map(({ atMs }) => atMs / 1000)).toEqual(many.slice(-50));
    expect(details?.row.failuresInWindow).toBe(70);
  });
});

describe('transitions', () => {
  it('carry the failures that made up the count, without what the transition says already', () => {
    const transitions = fails(0, 1, 2, 3, 125, 126, 127)(startedBlocklist({ failureThreshold: 3 }));
    const failure = {
      kind: 'query-timeout',
      tookMs: 1000,
      errno: 0,
      detail: 'no answer',
      sessionId: 7,
      digest: 'select ?',
    };
    expect(transitions).toEqual([
      {
        address: SERVER,
        zone: 'z1',
        list: 'alive',
        change: 'listed',
        ...at(2),
        evidence: {
          kind: 'failures',
          failures: [0, 1, 2].map((second) => ({ ...failure, wallAtMs: at(second).wallAtMs })),
        },
        parameters: { ...defaults, failureThreshold: 3 },
        listedForMs: null,
      },
    ]);
  });

  it('carry the probes in a row, and no earlier one', () => {
    const blocklist = startedBlocklist();
    run([probesFail(1)], blocklist);
    blocklist.probe({ address: SERVER, ok: true, tookMs: 3, detail: '', ...at(2) });
    const [listed] = probesFail(3, 4, 5, 6)(blocklist);
    expect(listed?.evidence).toEqual({
      kind: 'probes',
      probes: [3, 4, 5, 6].map((second) => ({
        ok: false,
        tookMs: 5000,
        detail: 'timed out',
        wallAtMs: at(second).wallAtMs,
      })),
    });
  });

  it.each([
    [
      'the row of the view',
      [says('INACTIVE', 5)],
      { kind: 'view', state: 'INACTIVE', zoneState: 'ACTIVE', reason: 'is INACTIVE' },
    ],
    ['the session that got through', [fails(0, 1, 2, 3, 4), succeeds(30)], { kind: 'success', sessionId: 9 }],
    [
      'who released it and why',
      [fails(0, 1, 2, 3, 4), isReleased('alive', 5)],
      { kind: 'hand', actor: 'ann', reason: 'is mended' },
    ],
    [
      'the parameters that were changed',
      [fails(0, 1, 2, 3, 4), sets({ failureThreshold: 9, minKeepMs: 1 }, 5)],
      { kind: 'parameters', changed: ['failureThreshold', 'minKeepMs'] },
    ],
  ] as const)('carry %s', (_title, steps, evidence) => {
    const blocklist = startedBlocklist();
    expect(steps.flatMap((step) => step(blocklist)).at(-1)?.evidence).toEqual(evidence);
  });

  it('tell with a release how long the server was listed, and the parameters now in force', () => {
    const blocklist = startedBlocklist();
    const [, released] = [fails(0, 1, 2, 3, 4), sets({ failureThreshold: 9 }, 10.5)].flatMap((step) => step(blocklist));
    expect(released).toMatchObject({ change: 'released', listedForMs: 6500, parameters: { failureThreshold: 9 } });
  });
});
