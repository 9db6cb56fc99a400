/** Rows that keep their place while somebody points at them or has the focus in them. */

export type Held<Row> = Row & { readonly isGone: boolean };

interface Keyed {
  readonly key: string;
}

interface HeldRows<Row extends Keyed> {
  readonly rows: readonly Held<Row>[];
  /** Rows that have come and are not shown yet. */
  readonly waiting: number;
}

/**
 * What to show while rows are held: those shown before, in the order they had, each as it is now or, when it is gone, as
 * it was; none that has come meanwhile.
 */
export function heldRows<Row extends Keyed>(shown: readonly Row[], now: readonly Row[]): HeldRows<Row> {
  const fresh = new Map(now.map((row) => [row.key, row]));
  const known = new Set(shown.map(({ key }) => key));
  return {
    rows: shown.map((row) => ({ ...(fresh.get(row.key) ?? row), isGone: !fresh.has(row.key) })),
    waiting: now.filter(({ key }) => !known.has(key)).length,
  };
}

/** Rows that nobody holds. */
export function allThere<Row extends Keyed>(rows: readonly Row[]): Held<Row>[] {
  return rows.map((row) => ({ ...row, isGone: false }));
}
