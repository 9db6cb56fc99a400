/** Sets parameters back when their time has come: a timer around `ScheduledReverts`. */
import type { ScheduledReverts } from '../config/scheduled-reverts.ts';
import type { Logger } from '../log/logger.ts';

/** Looked at least as often: a wall clock that is set does not move a timer. */
const LOOK_MS = 30_000;

/** The wall clock, and timers on it; tests pass their own. */
export interface RevertClock {
  now(): Date;
  /** @returns the function that ends it */
  after(ms: number, run: () => void): () => void;
}

const wallClock: RevertClock = {
  now: () => new Date(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

export interface RevertScheduler {
  /**
   * This generation is in charge now. Begins with what is overdue, as it stands in the database: the proxy may have been
   * down when its time came, or another generation may have been in charge.
   */
  resume(): void;
  /** Another generation is in charge. Waits for what is under way. */
  pause(): Promise<void>;
}

/** Does nothing until `resume`. */
export function makeRevertScheduler(
  reverts: ScheduledReverts,
  log: Pick<Logger, 'warn'>,
  clock: RevertClock = wallClock,
): RevertScheduler {
  let cancelTimer = (): void => undefined;
  let running: Promise<void> | null = null;
  let paused = true;

  const schedule = (waitMs: number): void => {
    cancelTimer();
    cancelTimer = paused ? () => undefined : clock.after(waitMs, look);
  };
  const untilNext = (): number => {
    const [next] = reverts.list();
    return next === undefined ? LOOK_MS : Math.max(0, Math.min(LOOK_MS, next.dueAt.getTime() - clock.now().getTime()));
  };
  const run = async (): Promise<void> => {
    let failed = false;
    try {
      await reverts.reload();
      await reverts.runDue();
    } catch (error) {
      failed = true;
      log.warn({ err: error }, 'a parameter could not go back by itself; tried again soon');
    }
    running = null;
    schedule(failed ? LOOK_MS : untilNext());
  };
  function look(): void {
    if (running === null && !paused) running = run();
  }

  reverts.onChanged(() => {
    if (running === null) schedule(untilNext());
  });
  return {
    resume: () => {
      paused = false;
      look();
    },
    pause: async () => {
      paused = true;
      cancelTimer();
      await running;
    },
  };
}
