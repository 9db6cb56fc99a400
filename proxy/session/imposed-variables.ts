/** System variables that the proxy's parameters set in every session: the servers then keep to them themselves. */
import type { ConfigView } from '../config/config-view.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { StatementInfo } from '../sql/statement-info.ts';
import type { SessionVariables } from './session-variables.ts';

/** `obproxy_read_only` is 0. */
const isReadOnlyUser = (config: ConfigView): boolean => config.int('obproxy_read_only') === 0;
/** `obproxy_read_consistency` is 1: reads are weak. */
export const isWeakUser = (config: ConfigView): boolean => config.int('obproxy_read_consistency') === 1;

interface ImposedState {
  readonly isReadOnly: boolean;
  readonly isWeak: boolean;
  readonly maxStaleUs: number;
}

/** What one session's variables were last set to by the parameters. */
export class ImposedVariables {
  #isReadOnly = false;
  #isWeak = false;
  #maxStaleUs = -1;

  /** The session's variables are as they were at log-in. */
  reset(): void {
    this.#isReadOnly = false;
    this.#isWeak = false;
    this.#maxStaleUs = -1;
  }

  save(): ImposedState {
    return { isReadOnly: this.#isReadOnly, isWeak: this.#isWeak, maxStaleUs: this.#maxStaleUs };
  }

  restore({ isReadOnly, isWeak, maxStaleUs }: ImposedState): void {
    this.#isReadOnly = isReadOnly;
    this.#isWeak = isWeak;
    this.#maxStaleUs = maxStaleUs;
  }

  /** Before each request: what the parameters say now, and what a client may have got round is set again. */
  update(config: ConfigView, variables: SessionVariables): void {
    const isReadOnly = isReadOnlyUser(config);
    if (isReadOnly || this.#isReadOnly) impose(variables, 'tx_read_only', isReadOnly, ['1', 'ON'], ['0', 'OFF']);
    const isWeak = isWeakUser(config);
    if (isWeak || this.#isWeak) {
      impose(variables, 'ob_read_consistency', isWeak, ['WEAK', '2'], ['STRONG', '3']);
    }
    const maxStaleUs = config.int('ob_max_read_stale_time');
    if (maxStaleUs !== this.#maxStaleUs) variables.impose('ob_max_read_stale_time', String(maxStaleUs));
    this.#isReadOnly = isReadOnly;
    this.#isWeak = isWeak;
    this.#maxStaleUs = maxStaleUs;
  }
}

/** @param on the value to set, and how servers may spell it */
function impose(
  variables: SessionVariables,
  name: string,
  isOn: boolean,
  on: readonly [string, string],
  off: readonly [string, string],
): void {
  const wanted = isOn ? on : off;
  if (!wanted.includes(variables.value(name)?.toUpperCase() ?? '')) variables.impose(name, wanted[0]);
}

const setsReadOnly = /\b(?:tx|transaction)_read_only\s*:?=|\bread\s+write\b/i;
const setsConsistency = /\bob_read_consistency\s*:?=/i;

/** The error for a statement by which the session would choose what the parameters have chosen; null: it doesn't. */
export function refusedSetting(config: ConfigView, info: StatementInfo, text: Buffer): OdpError | null {
  const isReadOnly = isReadOnlyUser(config);
  const isWeak = isWeakUser(config);
  if (!isReadOnly && !isWeak) return null;
  if (info.kind !== 'set' && info.kind !== 'begin' && !info.isMulti) return null;
  const sql = text.toString('latin1');
  if (isReadOnly && setsReadOnly.test(sql)) {
    return new OdpError('SETTING_NOT_ALLOWED', { setting: 'set tx_read_only/transaction_read_only' });
  }
  if (isWeak && setsConsistency.test(sql)) {
    return new OdpError('SETTING_NOT_ALLOWED', { setting: 'set ob_read_consistency' });
  }
  return null;
}
