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
