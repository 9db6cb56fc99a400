import type { Parameter } from '../../proxy/control/contract.ts';
import type { Catalog } from '../messages/catalog.ts';
import type { Text } from './text.ts';

const truthy = new Set(['true', 'on', 'yes', 't', 'y', '1']);

/** Whether a bool parameter's text means on. */
export function isOn(text: string): boolean {
  return truthy.has(text.trim().toLowerCase());
}

/** The text a switch writes: the spelling that SHOW PROXYCONFIG prints. */
export function boolText(on: boolean): string {
  return on ? 'True' : 'False';
}

/** The text that counts as current when someone edits: the stored one, also while it waits for a restart. */
export function storedValue(parameter: Parameter): string {
  return parameter.pendingValue ?? parameter.value;
}

/** True when the stored text differs from the default (bools by meaning, secrets when set). */
export function isModified(parameter: Parameter): boolean {
  return !sameValue(parameter, storedValue(parameter), parameter.defaultValue);
}

/** True when two texts of one parameter say the same; only bools have more than one spelling here. */
export function sameValue(parameter: Parameter, left: string, right: string): boolean {
  if (parameter.type === 'bool') return isOn(left) === isOn(right);
  return left === right;
}

/** A value for the eye: an empty text says so. */
export function valueText(shell: Text<Catalog['shell']>, value: string): string {
  return value === '' ? shell('emptyValue') : value;
}
