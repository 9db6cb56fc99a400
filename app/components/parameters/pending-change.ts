import type { Parameter } from '../../../proxy/control/contract.ts';
import { checkValue, type ParametersText } from '../../lib/parameter-check.ts';
import { sameValue, storedValue, valueText } from '../../lib/parameter-value.ts';
import type { Text } from '../../lib/text.ts';
import type { Catalog } from '../../messages/catalog.ts';
import type { Draft } from './draft-provider.tsx';

/** One parameter about to be changed, with what speaks against it. */
export interface PendingChange {
  readonly parameter: Parameter;
  /** The new text. */
  readonly value: string;
  /** The revision it was typed on top of. */
  readonly baseRevision: number;
  /** Why the text cannot be right, or null. */
  readonly invalid: string | null;
  /** Somebody else changed the parameter since. */
  readonly conflict: boolean;
  /** Somebody else has set it to the very value that is wanted: nothing is left to do. */
  readonly settled: boolean;
}

/** A change as it stands against the parameter's newest state. */
export function pendingChange(t: ParametersText, parameter: Parameter, draft: Draft): PendingChange {
  const overtaken = parameter.revision > draft.baseRevision;
  const same = sameValue(parameter, draft.value, storedValue(parameter));
  return {
    parameter,
    value: draft.value,
    baseRevision: draft.baseRevision,
    invalid: checkValue(t, parameter, draft.value),
    // Another's change to the very value that is wanted here is no conflict: there is nothing left to decide.
    conflict: overtaken && !same,
    settled: overtaken && same,
  };
}

/** All drafts as changes, by name. */
export function pendingChanges(
  t: ParametersText,
  parameters: readonly Parameter[],
  drafts: ReadonlyMap<string, Draft>,
): PendingChange[] {
  return parameters
    .flatMap((parameter) => {
      const draft = drafts.get(parameter.name);
      return draft === undefined ? [] : [pendingChange(t, parameter, draft)];
    })
    .sort((a, b) => a.parameter.name.localeCompare(b.parameter.name));
}

/** How a value reads in a diff: secrets are never shown, an empty text says so. */
export function shownValue(shell: Text<Catalog['shell']>, parameter: Parameter, text: string): string {
  return valueText(shell, parameter.secret && text !== '' ? '••••••' : text);
}
