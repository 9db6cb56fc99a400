/** Which rows of a long list have to be there: all are of one height, so that nothing is measured. */

export interface RowWindow {
  /** First row drawn. */
  readonly first: number;
  /** Behind the last row drawn. */
  readonly end: number;
}

export interface Viewport {
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Rows drawn above and below what is seen, so that a quick turn of the wheel meets drawn rows. */
const spareRows = 8;

export function rowWindow({ scrollTop, height, rowHeight, count }: Viewport): RowWindow {
  const seen = Math.max(0, Math.floor(scrollTop / rowHeight));
  const first = Math.max(0, Math.min(seen, count) - spareRows);
  return { first, end: Math.min(count, seen + Math.ceil(height / rowHeight) + 1 + spareRows) };
}

/** The offsets of the windows of so many rows that have to be asked for: at least one, since the count comes with it. */
export function offsetsOf({ first, end }: RowWindow, size: number): number[] {
  const from = Math.floor(first / size);
  const to = Math.max(from, Math.floor(Math.max(0, end - 1) / size));
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * size);
}
