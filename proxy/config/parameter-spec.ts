import type { ConfigLevel } from './config-level.ts';

/** How a value's text is read; see values.ts. `enum` is a string of a fixed set of words. */
export type ParameterType = 'bool' | 'int' | 'time' | 'capacity' | 'string' | 'ip' | 'list' | 'loglevel' | 'enum';

/**
 * Who may overwrite the item in the reference: `USER` also the meta database, `SYS` only local commands; `MEMORY` items
 * are never loaded from disk and have their default at every start.
 */
type VisibleLevel = 'USER' | 'SYS' | 'MEMORY';

/** One row of the parameter table: SHOW, validation, the console's form and docs/parameters.md all come from it. */
export interface ParameterSpec<Name extends string = string, Type extends ParameterType = ParameterType> {
  readonly name: Name;
  readonly type: Type;
  /** Default as text, printed like the reference prints it. */
  readonly defaultText: string;
  /** `[a,b]`, `(a,b)`, a mix, or with an open end; bounds in the type's own syntax. Empty: none. */
  readonly range: string;
  /** What a bare number means, for people: `s`, `MB`, `µs` … Empty: a count, or no number at all. */
  readonly unit: string;
  /** The words of an `enum`. */
  readonly choices: readonly string[];
  readonly needReboot: boolean;
  /** True: only a start option can set it. */
  readonly readOnly: boolean;
  /** True: the text is a password's hash, shown as stars everywhere. */
  readonly secret: boolean;
  readonly visibleLevel: VisibleLevel;
  /** The narrowest level that it can be set at. */
  readonly configLevel: ConfigLevel;
  readonly info: string;
  /** False: listed, but this version does not act on it yet. */
  readonly honoured: boolean;
  readonly group: ParameterGroup;
}

/** Headings of the console's form and of docs/parameters.md, in this order. */
export const parameterGroups = [
  'process',
  'discovery',
  'login',
  'routing',
  'location cache',
  'blocklist',
  'connections',
  'protocol',
  'hot upgrade',
  'security',
  'log',
  'metrics',
] as const;
/** Under which heading a parameter stands on the page and in the documentation. */
export type ParameterGroup = (typeof parameterGroups)[number];

type Extras = Partial<
  Pick<
    ParameterSpec,
    'range' | 'unit' | 'choices' | 'needReboot' | 'readOnly' | 'secret' | 'visibleLevel' | 'configLevel' | 'honoured'
  >
>;

const defaultUnits: Partial<Record<ParameterType, string>> = { time: 's', capacity: 'MB' };

/**
 * Makes the row builder of one group: `row('bool', 'enable_x', 'True', 'what it does', { honoured: true })`. Left out:
 * no range, effective at once, visible level USER, global, not honoured.
 */
export function parameterRows(group: ParameterGroup) {
  return <Name extends string, Type extends ParameterType>(
    type: Type,
    name: Name,
    defaultText: string,
    info: string,
    extras: Extras = {},
  ): ParameterSpec<Name, Type> => ({
    name,
    type,
    defaultText,
    range: '',
    unit: defaultUnits[type] ?? '',
    choices: [],
    needReboot: false,
    readOnly: false,
    secret: false,
    visibleLevel: 'USER',
    configLevel: 'LEVEL_GLOBAL',
    honoured: false,
    ...extras,
    info,
    group,
  });
}
