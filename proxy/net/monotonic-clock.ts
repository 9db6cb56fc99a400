/** Milliseconds on the one monotonic clock that all threads of a process share: `performance.now()` has a zero per thread. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
