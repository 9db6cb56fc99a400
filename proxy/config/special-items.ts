import { createHash } from 'node:crypto';
import { OdpError } from '../errors/odp-error.ts';
import { compressionLevel } from './compression-algorithm.ts';
import { checkFourEyes } from './four-eyes.ts';
import { parseNetworks } from './networks.ts';
import type { ParameterSpec } from './parameter-spec.ts';
import { invalidValue, parseValue } from './values.ts';

/**
 * `console` and `sql` set values while running; a `start` option may also set what is read-only afterwards. What a second
 * person has `approved` came through here before: of passwords there are only the digits.
 */
export type ChangeDoor = 'running' | 'approved' | 'start';

/** Lists of addresses and networks. */
const networkLists: ReadonlySet<string> = new Set(['client_white_list', 'proxy_protocol_networks']);

const sha1Hex = /^[0-9a-f]{40}$/;

/**
 * Checks one new text and turns it into the text to keep: passwords become the 40 hex digits of their SHA-1 (the
 * reference's rule; empty stays empty), everything else stays as typed.
 *
 * A start option, and inspector_password at any time, may also give the 40 digits themselves: deployment tools do.
 * @throws OdpError PARAMETER_NOT_ALTERABLE, INVALID_PARAMETER, INVALID_ARGUMENT
 */
export function textToKeep(spec: ParameterSpec, text: string, door: ChangeDoor): string {
  if (spec.readOnly && door !== 'start') {
    throw new OdpError('PARAMETER_NOT_ALTERABLE', { name: spec.name, detail: 'can only be set by a start option' });
  }
  const value = parseValue(spec, text);
  if (spec.secret) {
    const mayBeHash = door !== 'running' || spec.name === 'inspector_password';
    return text === '' || (mayBeHash && sha1Hex.test(text)) ? text : sha1Of(text);
  }
  if (spec.name === 'enable_proxy_scramble' && value === false) {
    throw invalidValue(spec, text, 'this proxy always makes its own scramble');
  }
  if (spec.name === 'proxy_local_cmd' && (value === 3 || value === 4)) {
    throw invalidValue(spec, text, 'offline and online belong to the sharding mode, which this proxy does not have');
  }
  if ((spec.name === 'proxy_id' || spec.name === 'client_session_id_version') && !/^[0-9]+$/.test(text)) {
    throw invalidValue(spec, text, 'use plain decimal digits');
  }
  if (spec.name === 'four_eyes_parameters' && Array.isArray(value)) checkFourEyes(spec, text, value);
  if (networkLists.has(spec.name) && Array.isArray(value)) parseNetworks(value, spec.name);
  if (spec.name === 'compression_algorithm' && compressionLevel(text) === null) {
    throw invalidValue(spec, text, 'use zlib:0 (none) to zlib:9 (small), or nothing');
  }
  if (/\/\/[^/\s:@]*:[^/\s@]+@/.test(text)) {
    // Only passwords that can be kept as a hash are kept at all; this one would have to stand in clear text (case B115).
    throw new OdpError('INVALID_PARAMETER', {
      name: spec.name,
      value: text.replace(/(\/\/[^/\s:@]*:)[^/\s]+@/g, '$1******@'),
      detail: 'holds a password in a URL, which would be kept in clear text',
    });
  }
  return text;
}

function sha1Of(password: string): string {
  return createHash('sha1').update(password, 'utf8').digest('hex');
}
