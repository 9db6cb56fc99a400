/** Index of the first of ascending times that is `atMs` or later; their number when there is none. */
export function firstFrom(times: readonly number[], atMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Number.POSITIVE_INFINITY) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
