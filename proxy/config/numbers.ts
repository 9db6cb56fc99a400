/**
 * The reference's number syntax: C's strtol with base 0 plus a unit. Differences by choice: no blanks anywhere (case
 * B117), and numbers too large to be exact are refused instead of clipped.
 */

const timeUnitsUs: Readonly<Record<string, bigint>> = {
  us: 1n,
  ms: 1_000n,
  s: 1_000_000n,
  m: 60_000_000n,
  h: 3_600_000_000n,
  d: 86_400_000_000n,
};

const capacityUnitsBytes: Readonly<Record<string, bigint>> = {
  b: 1n,
  byte: 1n,
  k: 2n ** 10n,
  kb: 2n ** 10n,
  m: 2n ** 20n,
  mb: 2n ** 20n,
  g: 2n ** 30n,
  gb: 2n ** 30n,
  t: 2n ** 40n,
  tb: 2n ** 40n,
  p: 2n ** 50n,
  pb: 2n ** 50n,
};

/** A parsed number, or the reason why the text is none, in words that follow "Invalid config: name = 'value': ". */
export type NumberResult = { readonly value: number } | { readonly reason: string };

/** Whole text as a number: decimal, `0x…` hexadecimal or `0…` octal, with a sign. */
export function parseInteger(text: string): NumberResult {
  const found = splitNumber(text);
  if (found === undefined || found.unit !== '') {
    return { reason: 'not a whole number (decimal, 0x… or 0… octal, without blanks)' };
  }
  return exact(found.number);
}

/** Number with `us`, `ms`, `s` (also when left out), `m`, `h` or `d`, in µs. Negative numbers count as 0. */
export function parseTimeUs(text: string): NumberResult {
  return withUnit(text, timeUnitsUs, 's', 'not a time: a whole number with us, ms, s, m, h or d (none: s), no blanks');
}

/** Number with `b`, `k`, `m` (also when left out), `g`, `t` or `p`, in bytes. Negative numbers count as 0. */
export function parseCapacityBytes(text: string): NumberResult {
  return withUnit(
    text,
    capacityUnitsBytes,
    'mb',
    'not a size: a whole number with B, KB, MB, GB, TB or PB (none: MB), no blanks',
  );
}

function withUnit(
  text: string,
  units: Readonly<Record<string, bigint>>,
  defaultUnit: string,
  reason: string,
): NumberResult {
  const found = splitNumber(text);
  if (found === undefined) return { reason };
  const unit = found.unit === '' ? defaultUnit : found.unit.toLowerCase();
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (factor === undefined) return { reason };
  return exact(found.number < 0n ? 0n : found.number * factor);
}

function splitNumber(text: string): { number: bigint; unit: string } | undefined {
  // A digit that does not fit the base ends the number, like in strtol: `08` is 0 followed by the unit `8`, so invalid.
  // `0b` is 0 bytes, so hexadecimal needs the x.
  const match = /^([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)([a-zA-Z]*)$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', digits = '', unit = ''] = match;
  const isOctal = digits.length > 1 && /^0[0-7]+$/.test(digits);
  const size = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  return { number: sign === '-' ? -size : size, unit };
}

function exact(number: bigint): NumberResult {
  const value = Number(number);
  return Number.isSafeInteger(value) ? { value } : { reason: 'too large' };
}
