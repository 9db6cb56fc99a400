/** Where system variables may be set, as the cluster tells it. */
import { type QuestionOptions, RareQuestion } from './rare-question.ts';
import { ALL_ROWS, WEAK_READ } from './sql-text.ts';

/** Bits of a system variable's flags, as servers number them. */
export const VARIABLE_FLAG = {
  GLOBAL_SCOPE: 1,
  SESSION_SCOPE: 2,
  READONLY: 4,
  /** The session's value cannot be set. */
  SESSION_READONLY: 8,
  INVISIBLE: 16,
  NULLABLE: 32,
} as const;

/** The reference proxy's table; every version has it. */
const query = `SELECT ${WEAK_READ} name AS name, flags AS flags FROM oceanbase.__all_virtual_proxy_sys_variable ${ALL_ROWS}`;

/** `VARIABLE_FLAG` bits by name. */
export type VariableFlags = ReadonlyMap<string, number>;

/** Asks a cluster for them. */
export const variableFlags = (options: QuestionOptions): RareQuestion<VariableFlags> =>
  new RareQuestion(
    options,
    [query],
    (rows) => new Map(rows.flatMap(({ name, flags }) => (name && flags ? [[name, Number(flags)] as const] : []))),
  );
