import type { ChangeRequest, Parameter } from '../../proxy/control/contract.ts';
import { sameValue, storedValue } from './parameter-value.ts';

/** Which of the two parameters have to be changed to come to a number of workers. */
export function workerChanges(
  now: { readonly most: Parameter; readonly byCores: Parameter },
  wanted: { readonly most: string; readonly byCores: string },
): ChangeRequest['changes'] {
  const changes = [
    [now.most, wanted.most],
    [now.byCores, wanted.byCores],
  ] as const;
  return changes
    .filter(([parameter, value]) => !sameValue(parameter, storedValue(parameter), value))
    .map(([{ name, revision }, value]) => ({ name, value, baseRevision: revision }));
}
