import type { Page } from '@playwright/test';

interface Interaction {
  readonly startTime: number;
  readonly duration: number;
}

declare global {
  interface Window {
    /** What the browser has told of interactions so far. */
    measuredInteractions?: Interaction[];
  }
}

/** Events shorter than this are not told by the browser; times are rounded to 8 ms. */
const leastMs = 16;
/** Within so many frames after an interaction that was painted the browser tells of it, if it tells at all. */
const framesToWait = 12;

/** Has the browser's own measurement kept (Event Timing, what INP is made of); to be called before the page is opened. */
export async function watchInteractions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept: Interaction[] = [];
    window.measuredInteractions = kept;
    const options = { type: 'event', durationThreshold: 16, buffered: true };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        if (entry.interactionId !== 0) kept.push({ startTime: entry.startTime, duration: entry.duration });
      }
    }).observe(options);
  });
}

/**
 * Does something with keyboard or mouse, and says how long the slowest interaction in it took from the input to the paint
 * that follows (ms): 16 stands for whatever is shorter.
 */
export async function interactionMs(page: Page, act: () => Promise<void>): Promise<number> {
  const from = await page.evaluate(() => performance.now());
  await act();
  return page.evaluate(
    async ([since, frames, least]) => {
      for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
      const found = (window.measuredInteractions ?? []).filter(({ startTime }) => startTime >= since);
      return Math.max(least, ...found.map(({ duration }) => duration));
    },
    [from, framesToWait, leastMs] as const,
  );
}
