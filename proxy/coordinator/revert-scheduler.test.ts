import { describe, expect, it } from 'vitest';
import type { ScheduledReverts } from '../config/scheduled-reverts.ts';
import { makeRevertScheduler, type RevertClock } from './revert-scheduler.ts';

/** A clock that goes only when told to; `set` moves it without its timers noticing, as somebody who sets the wall clock. */
class FakeClock implements RevertClock {
  nowMs = 0;
  #timer: { readonly at: number; readonly run: () => void } | null = null;

  now(): Date {
    return new Date(this.nowMs);
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.nowMs + ms, run };
    this.#timer = timer;
    return () => {
      if (this.#timer === timer) this.#timer = null;
    };
  }

  /** Time until the timer; null: none runs. */
  get waitMs(): number | null {
    return this.#timer === null ? null : this.#timer.at - this.nowMs;
  }

  fire(): void {
    const timer = this.#timer;
    if (timer === null) throw new Error('no timer runs');
    this.nowMs = Math.max(this.nowMs, timer.at);
    this.#timer = null;
    timer.run();
  }
}

/** Stands in for the store's part: what is due, and how often it was asked to run. */
class FakeReverts {
  dueAtMs: number[] = [];
  failure: Error | null = null;
  runs = 0;
  reloads = 0;
  readonly #clock: FakeClock;
  #listener: (name: string) => void = () => undefined;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  list(): { dueAt: Date }[] {
    return this.dueAtMs.toSorted((a, b) => a - b).map((at) => ({ dueAt: new Date(at) }));
  }

  onChanged(listener: (name: string) => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  add(atMs: number): void {
    this.dueAtMs.push(atMs);
    this.#listener('enable_congestion');
  }

  async reload(): Promise<void> {
    this.reloads += 1;
  }

  async runDue(): Promise<void> {
    this.runs += 1;
    if (this.failure !== null) throw this.failure;
    this.dueAtMs = this.dueAtMs.filter((at) => at > this.#clock.nowMs);
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  const clock = new FakeClock();
  const reverts = new FakeReverts(clock);
  const warnings: string[] = [];
  const log = { warn: (_fields: object, text: string) => warnings.push(text) };
  const scheduler = makeRevertScheduler(reverts as unknown as ScheduledReverts, log as never, clock);
  scheduler.resume();
  return { clock, reverts, warnings, scheduler };
}

describe('the scheduler of reverts', () => {
  it('begins with what is overdue, and wakes when the next is due', async () => {
    const { clock, reverts } = start();
    await turn();
    expect(reverts.runs).toBe(1);
    reverts.add(12_000);
    expect(clock.waitMs).toBe(12_000);
    reverts.add(5_000);
    expect(clock.waitMs).toBe(5_000);
    clock.fire();
    await turn();
    expect(reverts.dueAtMs).toEqual([12_000]);
    expect(clock.waitMs).toBe(7_000);
  });

  it('case B105: looks every half minute, so that a wall clock that is set does no harm', async () => {
    const { clock, reverts } = start();
    await turn();
    reverts.add(3_600_000);
    expect(clock.waitMs).toBe(30_000);
    clock.nowMs = 3_600_001;
    clock.fire();
    await turn();
    expect(reverts.dueAtMs).toEqual([]);
  });

  it('tries again after a failure, and says so', async () => {
    const { clock, reverts, warnings } = start();
    await turn();
    reverts.add(1_000);
    reverts.failure = new Error('disk is full');
    clock.fire();
    await turn();
    expect(warnings).toHaveLength(1);
    expect(clock.waitMs).toBe(30_000);
    reverts.failure = null;
    clock.fire();
    await turn();
    expect(reverts.dueAtMs).toEqual([]);
  });

  it('case B93: does nothing while another generation is in charge, and looks at what that has left', async () => {
    const { clock, reverts, scheduler } = start();
    await scheduler.pause();
    reverts.add(1_000);
    expect(clock.waitMs).toBeNull();
    expect(reverts.runs).toBe(1);
    clock.nowMs = 2_000;
    scheduler.resume();
    await turn();
    expect([reverts.runs, reverts.reloads, reverts.dueAtMs]).toEqual([2, 2, []]);
  });
});
