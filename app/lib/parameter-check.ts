/**
 * A first look at a new value, so that a slip is told while it is typed. The proxy judges; this only knows what the
 * contract's type, unit, range and choices say, and lets through what it does not understand.
 */
import type { Parameter } from '../../proxy/control/contract.ts';
import type { Catalog } from '../messages/catalog.ts';
import type { Text } from './text.ts';

export type ParametersText = Text<Catalog['parameters']>;

const timeUnitsUs: Record<string, bigint> = {
  us: 1n,
  ms: 1_000n,
  s: 1_000_000n,
  m: 60_000_000n,
  h: 3_600_000_000n,
  d: 86_400_000_000n,
};
const capacityUnits: Record<string, bigint> = {
  b: 1n,
  k: 1n << 10n,
  m: 1n << 20n,
  g: 1n << 30n,
  t: 1n << 40n,
  p: 1n << 50n,
};
const boolWords = /^(true|false|on|off|yes|no|t|f|1|0)$/i;
const logLevel = /^([a-z_*.]+:)?(debug|trace|info|wdiag|ediag|warn|user_err|error)$/i;
const maxLength = 4096;

/** Why a text cannot be this parameter's value, as a sentence; null when nothing speaks against it. */
export function checkValue(t: ParametersText, parameter: Parameter, text: string): string | null {
  if (text.length > maxLength) return t('slip.length', { most: String(maxLength) });
  switch (parameter.type) {
    case 'bool':
      return boolWords.test(text) ? null : t('slip.bool');
    case 'int':
    case 'time':
    case 'capacity':
      return checkNumber(t, parameter, text);
    case 'ip':
      return isAddress(text) ? null : t('slip.address');
    case 'enum':
      return checkChoice(t, parameter, text);
    case 'loglevel':
      return text.split(',').every((part) => logLevel.test(part.trim())) ? null : t('slip.logLevel');
    default:
      return parameter.choices.length > 0 ? checkChoice(t, parameter, text) : null;
  }
}

function checkChoice(t: ParametersText, parameter: Parameter, text: string): string | null {
  if (parameter.choices.length === 0 || parameter.choices.includes(text)) return null;
  return t('slip.choice', { choices: parameter.choices.join(', ') });
}

function checkNumber(t: ParametersText, parameter: Parameter, text: string): string | null {
  if (text === '') return t('slip.needed');
  if (/\s/.test(text)) return t('slip.blanks');
  const value = toNumber(parameter, text);
  if (value === null) return notANumber(t, parameter);
  const range = parseRange(parameter.range);
  if (range === null) return null;
  const low = range.low === '' ? null : toNumber(parameter, range.low);
  const high = range.high === '' ? null : toNumber(parameter, range.high);
  const tooLow = low !== null && (range.lowOpen ? value <= low : value < low);
  const tooHigh = high !== null && (range.highOpen ? value >= high : value > high);
  if (!tooLow && !tooHigh) return null;
  return t('slip.range', { range: parameter.range });
}

function notANumber(t: ParametersText, parameter: Parameter): string {
  if (parameter.type === 'time') return t('slip.time');
  return t(parameter.type === 'capacity' ? 'slip.capacity' : 'slip.integer');
}

/** The number a text means, in the type's smallest unit; null when it is none. */
function toNumber(parameter: Parameter, text: string): bigint | null {
  const match = /^([+-]?)(0x[0-9a-f]+|\d+)([a-z]*)$/i.exec(text);
  if (match === null) return null;
  const [, sign = '', digits = '', suffix = ''] = match;
  const size = unitSize(parameter, suffix.toLowerCase());
  // A leading zero means octal, as in C's strtol with base 0.
  const octal = /^0[0-9]+$/.test(digits);
  if (size === null || (octal && !/^[0-7]+$/.test(digits))) return null;
  const magnitude = BigInt(octal ? `0o${digits.slice(1)}` : digits);
  // The reference takes a negative time or capacity as 0.
  if (sign === '-') return parameter.type === 'int' ? -magnitude : 0n;
  return magnitude * size;
}

function unitSize(parameter: Parameter, suffix: string): bigint | null {
  if (parameter.type === 'int') return suffix === '' ? 1n : null;
  const unit = suffix === '' ? parameter.unit.toLowerCase() : suffix;
  if (parameter.type === 'time') return timeUnitsUs[unit === '' ? 's' : unit] ?? null;
  const short = unit === '' ? 'm' : unit.replace(/^([kmgtp])b$/, '$1').replace(/^byte$/, 'b');
  return capacityUnits[short] ?? null;
}

/** `[1s, 1h]`, `(0,100)`, `[0,]`: the bounds as texts, and which are open; null when there is no range. */
function parseRange(range: string): { low: string; high: string; lowOpen: boolean; highOpen: boolean } | null {
  const match = /^([[(])\s*([^,\s]*)\s*,\s*([^\])\s]*)\s*([\])])$/.exec(range.trim());
  if (match === null) return null;
  const [, open, low = '', high = '', close] = match;
  return { low, high, lowOpen: open === '(', highOpen: close === ')' };
}

function isAddress(text: string): boolean {
  const quads = text.split('.');
  if (quads.length === 4) return quads.every((quad) => /^\d{1,3}$/.test(quad) && Number(quad) <= 255);
  return text.includes(':') && URL.canParse(`http://[${text}]/`);
}
