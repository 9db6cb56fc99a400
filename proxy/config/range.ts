import { OdpError } from '../errors/odp-error.ts';
import type { NumberResult } from './numbers.ts';

/** A parsed range; an end left open is infinite. */
export interface NumberRange {
  readonly low: number;
  readonly lowIncluded: boolean;
  readonly high: number;
  readonly highIncluded: boolean;
}

/**
 * Reads `[a,b]`, `(a,b)`, mixes and open ends; the bounds are read by the item's own number syntax, so that `[10ms, 1h]`
 * is in µs. Blanks after the comma are allowed here.
 * @throws OdpError INTERNAL when the table holds a range that cannot be read.
 */
export function parseRange(range: string, parseBound: (text: string) => NumberResult): NumberRange {
  const match = /^([[(])([^,]*),([^,]*)([\])])$/.exec(range);
  const [, open = '', lowText = '', highText = '', close = ''] = match ?? [];
  const bound = (text: string, infinite: number): number => {
    if (text.trim() === '') return infinite;
    const result = parseBound(text.trim());
    if ('reason' in result) throw new OdpError('INTERNAL', { detail: `range ${range}: ${result.reason}` });
    return result.value;
  };
  if (match === null) throw new OdpError('INTERNAL', { detail: `range ${range} cannot be read` });
  return {
    low: bound(lowText, Number.NEGATIVE_INFINITY),
    lowIncluded: open === '[',
    high: bound(highText, Number.POSITIVE_INFINITY),
    highIncluded: close === ']',
  };
}

/** Whether a number lies in the range. */
export function isInRange(value: number, range: NumberRange): boolean {
  const aboveLow = range.lowIncluded ? value >= range.low : value > range.low;
  const belowHigh = range.highIncluded ? value <= range.high : value < range.high;
  // An open infinite end, `[0,)`, must not exclude anything.
  return aboveLow && (belowHigh || range.high === Number.POSITIVE_INFINITY);
}
