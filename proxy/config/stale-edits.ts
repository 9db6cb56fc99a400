import { OdpError } from '../errors/odp-error.ts';

/** Edits that are based on something older: the error is the first one's, and names the others; `all` has each. */
export class StaleEdits extends OdpError {
  readonly all: readonly OdpError[];

  constructor(first: OdpError, others: readonly OdpError[]) {
    super('STALE_REVISION', first.details);
    this.all = [first, ...others];
    const names = [...new Set(others.map(({ details }) => details.name))];
    if (names.length > 0) this.message += `; changed since as well: ${names.join(', ')}`;
  }
}

/** @throws StaleEdits when there is anything in the list */
export function throwIfStale([first, ...others]: readonly OdpError[]): void {
  if (first !== undefined) throw new StaleEdits(first, others);
}
