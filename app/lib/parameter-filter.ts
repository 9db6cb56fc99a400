import type { Parameter } from '../../proxy/control/contract.ts';
import { parseFilterText } from './filter-text.ts';
import { isModified } from './parameter-value.ts';

/** Keys of the configuration's search box. */
const parameterKeys = ['is', 'group', 'type', 'by', 'name', 'value'] as const;

/** What `is:` can say; what each means is among the texts of the parameters. */
export const parameterMarks = ['modified', 'edited', 'pending', 'restart', 'readonly', 'unused', 'secret'] as const;

/** True when a parameter fits the search text. `isEdited` tells whether it has a draft. */
export function parameterMatcher(text: string, isEdited: (name: string) => boolean): (parameter: Parameter) => boolean {
  const { words, pairs } = parseFilterText(text, parameterKeys);
  return (parameter) =>
    pairs.every(({ key, value }) => fitsPair(parameter, key, value.toLowerCase(), isEdited)) &&
    words.every((word) =>
      [parameter.name, parameter.value, parameter.info, parameter.group].some((part) =>
        part.toLowerCase().includes(word),
      ),
    );
}

function fitsPair(parameter: Parameter, key: string, value: string, isEdited: (name: string) => boolean): boolean {
  switch (key) {
    case 'is':
      return hasMark(parameter, value, isEdited);
    case 'group':
      return parameter.group.toLowerCase().includes(value);
    case 'type':
      return parameter.type === value;
    case 'by':
      return parameter.changedBy?.toLowerCase().includes(value) ?? false;
    case 'name':
      return parameter.name.toLowerCase().includes(value);
    default:
      return parameter.value.toLowerCase().includes(value);
  }
}

function hasMark(parameter: Parameter, mark: string, isEdited: (name: string) => boolean): boolean {
  switch (mark) {
    case 'modified':
      return isModified(parameter);
    case 'edited':
      return isEdited(parameter.name);
    case 'pending':
      return parameter.pendingValue !== null;
    case 'restart':
      return parameter.needReboot;
    case 'readonly':
      return parameter.readOnly;
    case 'unused':
      return !parameter.honoured;
    case 'secret':
      return parameter.secret;
    default:
      return false;
  }
}
