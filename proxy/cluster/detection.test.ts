import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Detection, type DetectionResult, type DetectMode, type ProbeAnswer } from './detection.ts';

interface Timer {
  readonly run: () => void;
  readonly atMs: number;
}

const good: ProbeAnswer = { ok: true, detail: '' };
const bad: ProbeAnswer = { ok: false, detail: 'no result within 5000 ms' };

/** A world whose clock moves only in `pass`, and whose probes take the time that `tookMs` says. */
function setUp() {
  const world = {
    nowMs: 0,
    mode: 2 as DetectMode,
    intervalMs: 1_000,
    inUse: new Set<string>(),
    answers: new Map<string, ProbeAnswer | null>(),
    tookMs: new Map<string, number>(),
    started: [] as { address: string; atMs: number }[],
    results: [] as DetectionResult[],
    inFlight: new Map<string, number>(),
  };
  const timers = new Map<number, Timer>();
  let lastTimer = 0;
  const set = (run: () => void, delayMs: number) => {
    lastTimer += 1;
    timers.set(lastTimer, { run, atMs: world.nowMs + delayMs });
    return lastTimer;
  };
  const detection = new Detection({
    probe: (address) => {
      world.started.push({ address, atMs: world.nowMs });
      world.inFlight.set(address, (world.inFlight.get(address) ?? 0) + 1);
      return new Promise((resolve, reject) => {
        set(() => {
          world.inFlight.set(address, (world.inFlight.get(address) ?? 0) - 1);
          const answer = world.answers.get(address);
          if (answer?.detail === 'throw') reject(new Error('broken'));
          else resolve(answer === undefined ? good : answer);
        }, world.tookMs.get(address) ?? 0);
      });
    },
    onResult: (result) => world.results.push(result),
    mode: () => world.mode,
    intervalMs: () => world.intervalMs,
    isInUse: (address) => world.inUse.has(address),
    timers: { set, clear: (handle) => timers.delete(handle as number) },
    now: () => world.nowMs,
    wallNow: () => 1_000_000 + world.nowMs,
  });
  const pass = async (ms: number) => {
    const endMs = world.nowMs + ms;
    for (;;) {
      const next = [...timers].filter(([, { atMs }]) => atMs <= endMs).sort((a, b) => a[1].atMs - b[1].atMs)[0];
      if (next === undefined) break;
      timers.delete(next[0]);
      world.nowMs = Math.max(world.nowMs, next[1].atMs);
      next[1].run();
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    }
    world.nowMs = endMs;
  };
  const startsOf = (address: string) => world.started.filter((one) => one.address === address).map(({ atMs }) => atMs);
  return { world, detection, pass, startsOf, timers };
}

describe('B5 the schedule of probes', () => {
  it('probes each server once per interval', async () => {
    const { detection, pass, startsOf } = setUp();
    detection.setServers(['a', 'b', 'c']);
    await pass(10_000);
    for (const address of ['a', 'b', 'c']) expect(startsOf(address)).toHaveLength(address === 'a' ? 11 : 10);
  });

  it('spreads the probes of many servers over the interval', async () => {
    const { world, detection, pass } = setUp();
    detection.setServers(Array.from({ length: 100 }, (_, index) => `s${index}`));
    await pass(999);
    const atMs = world.started.map((one) => one.atMs).sort((a, b) => a - b);
    expect(atMs).toHaveLength(100);
    const gaps = atMs.slice(1).map((at, index) => at - (atMs[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(25);
    expect(Math.min(...gaps)).toBeGreaterThan(2);
  });

  it('tells each result with its times', async () => {
    const { world, detection, pass } = setUp();
    world.tookMs.set('a', 30);
    world.answers.set('a', bad);
    detection.setServers(['a']);
    await pass(100);
    expect(world.results).toEqual([{ ...bad, address: 'a', atMs: 30, wallAtMs: 1_000_030, tookMs: 30 }]);
  });

  it('B6 takes a probe that throws for a failed one', async () => {
    const { world, detection, pass } = setUp();
    world.answers.set('a', { ok: false, detail: 'throw' });
    detection.setServers(['a']);
    await pass(100);
    expect(world.results).toMatchObject([{ ok: false, detail: 'broken' }]);
  });

  it('case B87: never has two probes to a server, also when one takes longer than the interval', async () => {
    const { world, detection, pass, startsOf } = setUp();
    world.tookMs.set('a', 5_000);
    world.answers.set('a', bad);
    detection.setServers(['a']);
    await pass(21_000);
    expect(startsOf('a')).toEqual([0, 5_000, 10_000, 15_000, 20_000]);
    // B6: the fourth failure in a row is there after four time-outs.
    expect(world.results.map(({ atMs }) => atMs)).toEqual([5_000, 10_000, 15_000, 20_000]);
  });

  it('case B99: tells nothing of a probe that was not sent', async () => {
    const { world, detection, pass, startsOf } = setUp();
    world.answers.set('a', null);
    detection.setServers(['a']);
    await pass(3_500);
    expect(world.results).toEqual([]);
    expect(startsOf('a')).toHaveLength(4);
  });
});

describe('case B87: servers that come and go', () => {
  it('stops for one that leaves, in the middle of a probe as well', async () => {
    const { world, detection, pass, timers } = setUp();
    world.tookMs.set('a', 5_000);
    detection.setServers(['a', 'b']);
    await pass(1_000);
    detection.setServers(['b']);
    const before = world.started.length;
    await pass(10_000);
    expect(world.results.every(({ address }) => address === 'b')).toBe(true);
    expect(world.started.slice(before).every(({ address }) => address === 'b')).toBe(true);
    detection.close();
    expect(timers.size).toBe(0);
  });

  it('does not take an old probe for one of a server that came back', async () => {
    const { world, detection, pass } = setUp();
    world.tookMs.set('a', 5_000);
    world.answers.set('a', bad);
    detection.setServers(['a']);
    await pass(1_000);
    detection.setServers([]);
    world.tookMs.set('a', 10);
    world.answers.set('a', good);
    detection.setServers(['a']);
    await pass(9_000);
    expect(world.results.length).toBeGreaterThan(5);
    expect(world.results.every(({ ok }) => ok)).toBe(true);
  });

  it('keeps the pace of those that stay', async () => {
    const { detection, pass, startsOf } = setUp();
    detection.setServers(['a']);
    await pass(500);
    detection.setServers(['a', 'b']);
    await pass(2_000);
    expect(startsOf('a')).toEqual([0, 1_000, 2_000]);
  });
});

describe('server_detect_mode', () => {
  it('1 probes servers in use, and failing ones whatever the traffic', async () => {
    const { world, detection, pass, startsOf } = setUp();
    world.mode = 1;
    world.inUse.add('a');
    world.answers.set('a', bad);
    detection.setServers(['a', 'b']);
    await pass(2_500);
    world.inUse.clear();
    expect(startsOf('b')).toEqual([]);
    await pass(2_000);
    expect(startsOf('a')).toHaveLength(5);
    world.answers.set('a', good);
    await pass(5_000);
    // One good probe, and nobody uses it.
    expect(startsOf('a')).toHaveLength(6);
    world.inUse.add('b');
    await pass(1_000);
    expect(startsOf('b')).toHaveLength(1);
  });

  it('case B87: 0 stops at once, 2 begins again, without a restart', async () => {
    const { world, detection, pass, timers, startsOf } = setUp();
    world.tookMs.set('a', 700);
    world.answers.set('a', bad);
    detection.setServers(['a']);
    await pass(500);
    world.mode = 0;
    detection.reschedule();
    await pass(10_000);
    expect(startsOf('a')).toHaveLength(1);
    expect(world.results).toEqual([]);
    expect(timers.size).toBe(0);
    world.mode = 2;
    detection.reschedule();
    await pass(1_500);
    expect(world.results.length).toBeGreaterThan(0);
  });

  it('takes another interval at once', async () => {
    const { world, detection, pass, startsOf } = setUp();
    world.intervalMs = 3_600_000;
    detection.setServers(['a']);
    await pass(10);
    world.intervalMs = 100;
    detection.reschedule();
    await pass(1_000);
    expect(startsOf('a').length).toBeGreaterThanOrEqual(10);
  });
});

it('case B87: whatever changes while it runs, one probe per server, only to servers that are there', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('servers' as const), set: fc.subarray(['a', 'b', 'c']) }),
    fc.record({ kind: fc.constant('mode' as const), mode: fc.constantFrom<DetectMode>(0, 1, 2) }),
    fc.record({ kind: fc.constant('interval' as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
    fc.record({
      kind: fc.constant('answer' as const),
      address: fc.constantFrom('a', 'b', 'c'),
      answer: fc.constantFrom(good, bad, null),
      tookMs: fc.integer({ min: 0, max: 5_000 }),
    }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 4_000 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { world, detection, pass } = setUp();
      world.intervalMs = 500;
      let servers: readonly string[] = [];
      for (const one of steps) {
        const { length } = world.started;
        if (one.kind === 'servers') {
          // A server that comes back while its old probe has not ended is a new one: leave that to the test above.
          servers = one.set.filter((address) => servers.includes(address) || !world.inFlight.get(address));
          detection.setServers(servers);
        } else if (one.kind === 'mode') {
          world.mode = one.mode;
          detection.reschedule();
        } else if (one.kind === 'interval') {
          world.intervalMs = one.ms;
          detection.reschedule();
        } else if (one.kind === 'answer') {
          world.answers.set(one.address, one.answer);
          world.tookMs.set(one.address, one.tookMs);
        } else await pass(one.ms);
        expect(Math.max(0, ...world.inFlight.values())).toBeLessThanOrEqual(1);
        for (const { address } of world.started.slice(length)) expect(servers).toContain(address);
        if (world.mode === 0) expect(world.started).toHaveLength(length);
      }
      detection.close();
      const told = world.results.length;
      await pass(10_000);
      expect(world.results).toHaveLength(told);
    }),
    { numRuns: 60 },
  );
});
