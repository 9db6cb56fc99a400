/** How fresh the data of a request have to be (R11, R12), and why. */
import type { StatementInfo } from '../sql/statement-info.ts';

export interface ReadConsistency {
  readonly level: 'strong' | 'weak';
  /** In words. */
  readonly because: string;
}

const choices = {
  notARead: strong('only plain SELECTs may be weak'),
  rowLock: strong('the SELECT locks rows'),
  transaction: strong('it begins a transaction, which stays on one server and may write'),
  hintStrong: strong('hint of the statement'),
  standard: strong('ob_read_consistency of the session'),
  hint: weak('hint of the statement'),
  session: weak('ob_read_consistency of the session'),
} as const;

function strong(because: string): ReadConsistency {
  return Object.freeze({ level: 'strong', because });
}

function weak(because: string): ReadConsistency {
  return Object.freeze({ level: 'weak', because });
}

/**
 * Hint before session variable before the default, strong (R12); the hint FROZEN leaves it to the variable. Only SELECTs
 * without row locks can be weak.
 * @param info null: a command without a text
 * @param sessionValue `ob_read_consistency` as the server reports it, by name or number (2 is WEAK)
 * @param beginsTransaction the statement is the first of a transaction that may write: what comes after it has to see
 * what it wrote (case B68), and goes to the same server (case B62)
 */
export function readConsistency(
  info: StatementInfo | null,
  sessionValue: string | undefined,
  beginsTransaction: boolean,
): ReadConsistency {
  // Of a text that goes on beyond what was looked at the end may say FOR UPDATE.
  if (info === null || info.kind !== 'select' || info.truncated) return choices.notARead;
  if (info.rowLock !== 'none') return choices.rowLock;
  if (!info.isRead) return choices.notARead;
  const hint = info.hints.readConsistency;
  if (hint === 'strong') return choices.hintStrong;
  if (hint !== 'weak' && !isWeak(sessionValue)) return choices.standard;
  if (beginsTransaction) return choices.transaction;
  return hint === 'weak' ? choices.hint : choices.session;
}

function isWeak(value: string | undefined): boolean {
  return value === 'WEAK' || value === '2' || value?.toUpperCase() === 'WEAK';
}
