/** The names of the blocklists for people. */
import type { BlocklistName } from '../../proxy/control/contract.ts';
import type { Catalog } from '../messages/catalog.ts';
import type { Text } from './text.ts';

export const listNames: readonly BlocklistName[] = ['status', 'detection', 'alive'];

/** The word of a list; one that this console does not know is shown as it is. */
export function listWord(t: Text<Catalog['shell']>, list: string): string {
  const name = listNames.find((one) => one === list);
  return name === undefined ? list : t(`list.${name}`);
}

/** As `listWord`, within a sentence. */
export function listWordWithin(t: Text<Catalog['shell']>, list: string): string {
  return listWord(t, list).toLowerCase();
}
