/** How to be called later; tests pass their own. */
export interface Timers {
  readonly set: (run: () => void, delayMs: number) => unknown;
  /** @param handle what `set` returned; null or an old one does nothing */
  readonly clear: (handle: unknown) => void;
}

/** The event loop's timers; waiting for one does not keep the process alive. */
export const realTimers: Timers = {
  set: (run, delayMs) => setTimeout(run, delayMs).unref(),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
