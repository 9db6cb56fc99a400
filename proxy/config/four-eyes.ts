/** Which parameters nobody changes alone: the parameter four_eyes_parameters. */
import type { ParameterSpec } from './parameter-spec.ts';
import { findParameter } from './parameter-table.ts';
import { invalidValue } from './values.ts';

const listName = 'four_eyes_parameters';

/** Names every parameter. */
const all = '*';

const isNamed = (items: readonly string[], name: string): boolean =>
  items.some((item) => item === all || findParameter(item)?.name === name);

/**
 * Whether a change of a parameter needs a second person.
 * @param listText the stored text of four_eyes_parameters: while it names anything, it is among what it names, or one
 * person could switch the rule off
 */
export function needsSecondPerson(listText: string, name: string): boolean {
  const items = listText.split(';').filter((item) => item !== '');
  return items.length > 0 && (name === listName || isNamed(items, name));
}

/** @throws OdpError INVALID_PARAMETER that names the item that is no parameter */
export function checkFourEyes(spec: ParameterSpec, text: string, items: readonly string[]): void {
  const unknown = items.find((item) => item !== all && findParameter(item) === undefined);
  if (unknown !== undefined) throw invalidValue(spec, text, `'${unknown}' is neither a parameter nor *`);
}
