import { isIP } from 'node:net';
import { OdpError } from '../errors/odp-error.ts';
import { logLevels, parseLogLevel } from './log-level.ts';
import { type NumberResult, parseCapacityBytes, parseInteger, parseTimeUs } from './numbers.ts';
import type { ParameterSpec, ParameterType } from './parameter-spec.ts';
import { isInRange, parseRange } from './range.ts';

/** What a text means: times in µs, sizes in bytes, lists as their items, everything else as text. */
export type ParameterValue = boolean | number | string | readonly string[];

/** What is shown instead of a secret; sent back unchanged it keeps the old value (case B115). */
export const secretMask = '******';

/** Characters a value may have (reference: 4096). */
const maxValueLength = 4096;

/** Items a list may have (reference: 64). */
const maxListItems = 64;

const boolWords: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  t: true,
  '1': true,
  false: false,
  off: false,
  no: false,
  f: false,
  '0': false,
};

const numberParsers: Partial<Record<ParameterType, (text: string) => NumberResult>> = {
  int: parseInteger,
  time: parseTimeUs,
  capacity: parseCapacityBytes,
};

/**
 * Reads the text of a parameter by its type and checks its range. Blanks around a value are not taken off: they are
 * part of a string and an error anywhere else (case B117).
 * @throws OdpError INVALID_PARAMETER with name, value (stars for secrets) and reason; INVALID_ARGUMENT when too long.
 */
export function parseValue(spec: ParameterSpec, text: string): ParameterValue {
  if (text.length > maxValueLength) {
    throw new OdpError('INVALID_ARGUMENT', {
      detail: `${spec.name}: the value has ${text.length} characters, at most ${maxValueLength} are allowed`,
    });
  }
  const parseNumber = numberParsers[spec.type];
  if (parseNumber !== undefined) {
    const result = parseNumber(text);
    if ('reason' in result) throw invalidValue(spec, text, result.reason);
    if (spec.range !== '' && !isInRange(result.value, parseRange(spec.range, parseNumber))) {
      throw invalidValue(spec, text, `out of range ${spec.range}`);
    }
    return result.value;
  }
  return parseWords(spec, text);
}

function parseWords(spec: ParameterSpec, text: string): ParameterValue {
  switch (spec.type) {
    case 'bool': {
      const word = text.toLowerCase();
      const value = Object.hasOwn(boolWords, word) ? boolWords[word] : undefined;
      if (value === undefined) throw invalidValue(spec, text, 'use true or false (also on/off, yes/no, t/f, 1/0)');
      return value;
    }
    case 'ip':
      if (isIP(text) === 0) throw invalidValue(spec, text, 'not an IPv4 or IPv6 address');
      return text;
    case 'list': {
      const items = text === '' ? [] : text.split(';').filter((item) => item !== '');
      if (items.length > maxListItems) {
        throw invalidValue(spec, text, `has ${items.length} items, at most ${maxListItems} are allowed`);
      }
      return items;
    }
    case 'loglevel':
      if (parseLogLevel(text) === undefined) {
        throw invalidValue(spec, text, `not a log level: one of ${logLevels.join(', ')}, or MODULE.SUB:LEVEL`);
      }
      return text;
    case 'enum':
      if (!spec.choices.includes(text)) throw invalidValue(spec, text, `use one of ${spec.choices.join(', ')}`);
      return text;
    default:
      return text;
  }
}

/** The error for a value that its parameter does not take. Never shows a secret. */
export function invalidValue(spec: ParameterSpec, text: string, detail: string): OdpError {
  return new OdpError('INVALID_PARAMETER', { name: spec.name, value: spec.secret ? secretMask : text, detail });
}
