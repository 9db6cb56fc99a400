/** The variables that a server lists in the OK of a log-in, read once for all sessions whose list is the same. */
import { decodeVariableBlock } from '../wire/ob-variables.ts';

/** Of a server that lists none. */
export const NO_VALUES: ReadonlyMap<string, string> = new Map();
/** Lists of the last log-ins: servers send hundreds of variables, nearly always the same. */
const KNOWN_LOGINS = 8;
const knownLogins: { readonly state: Buffer; readonly values: ReadonlyMap<string, string> }[] = [];

/** The values in a log-in's list; texts are bytes in disguise (latin1). @param state entries of the OK packet */
export function loginValuesOf(state: Buffer): ReadonlyMap<string, string> {
  const known = knownLogins.find((login) => login.state.equals(state));
  if (known !== undefined) return known.values;
  const values = new Map(decodeVariableBlock(state).system.map(([name, value]) => [name, value.toString('latin1')]));
  knownLogins.unshift({ state: Buffer.from(state), values });
  knownLogins.length = Math.min(knownLogins.length, KNOWN_LOGINS);
  return values;
}

const keptLogins: { readonly key: string; readonly values: ReadonlyMap<string, string> }[] = [];

/** The same of values that another generation of the proxy has read. */
export function keptLoginValues(
  values: readonly (readonly [name: string, text: string])[],
): ReadonlyMap<string, string> {
  if (values.length === 0) return NO_VALUES;
  const key = JSON.stringify(values);
  const known = keptLogins.find((login) => login.key === key);
  if (known !== undefined) return known.values;
  const kept = new Map(values);
  keptLogins.unshift({ key, values: kept });
  keptLogins.length = Math.min(keptLogins.length, KNOWN_LOGINS);
  return kept;
}
