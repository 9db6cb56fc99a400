/** Statement sequences that are run past the proxy and through it, to be compared packet by packet. */

/** Value of a prepared statement's parameter: integers are sent as BIGINT, texts as VAR_STRING. */
export type StepParameter = number | string | null;

/** One request. `{a}` and `{b}` in a text stand for tables that lead at different servers. */
export type Step =
  | { readonly kind: 'query'; readonly sql: string }
  | { readonly kind: 'prepare'; readonly name: string; readonly sql: string }
  | { readonly kind: 'execute'; readonly name: string; readonly values: readonly StepParameter[] }
  /** Opens a cursor and takes `rows` of it. */
  | { readonly kind: 'cursor'; readonly name: string; readonly values: readonly StepParameter[]; readonly rows: number }
  | { readonly kind: 'fetch'; readonly name: string; readonly rows: number }
  | { readonly kind: 'long-data'; readonly name: string; readonly parameter: number; readonly data: string }
  | { readonly kind: 'reset-statement'; readonly name: string }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'database'; readonly name: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'reset-connection' }
  /** COM_SET_OPTION: several statements in a text, or only one. */
  | { readonly kind: 'multi-statements'; readonly on: boolean };

export interface Sequence {
  /** Unique among all. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** Its outcome hangs on the next AUTO_INCREMENT value, which has to start anew before. */
  readonly countsAnew?: boolean;
  /**
   * Only an OceanBase server reports to a proxy what this needs: user variables, the collation that SET NAMES gives, the
   * last insert id.
   */
  readonly onlyOceanBase?: boolean;
}

/** A text statement; objects are steps already. */
export const toSteps = (steps: readonly (string | Step)[]): Step[] =>
  steps.map((step) => (typeof step === 'string' ? { kind: 'query', sql: step } : step));

/** With `onlyOceanBase` where a step uses a user variable, a collation by name, or the last insert id beside a table. */
export function sequenceOf(name: string, steps: readonly Step[]): Sequence {
  const needsReport = (step: Step): boolean =>
    'sql' in step && /(?<!@)@[^@]|COLLATE|LAST_INSERT_ID\(\) FROM|= LAST_INSERT_ID/.test(step.sql);
  return { name, steps, onlyOceanBase: steps.some(needsReport) };
}
