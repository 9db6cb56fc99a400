/** What became of a change, for the history: refused, or in force in how many workers. */
import type { HistoryEntry } from '../history/history-log.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { scopeText } from './config-level.ts';
import type { ChangeRequest } from './config-store.ts';
import { findParameter } from './parameter-table.ts';
import { type ParameterStatus, textToShow } from './plan-changes.ts';
import { secretMask } from './values.ts';

/** In how many of the workers a change is in force. */
export interface WorkerOutcome {
  readonly applied: number;
  readonly total: number;
}

/**
 * Writes a row for each change of a request that was refused or failed: nothing of it was done. The value of a secret,
 * and of a name that is none (it may be a secret's, misspelt), is not kept.
 * @param statusOf what is stored now
 */
export async function recordRefusal(
  history: HistoryStore,
  request: ChangeRequest,
  statusOf: (name: ParameterStatus['spec']['name']) => ParameterStatus,
  error: unknown,
): Promise<void> {
  const { changes, overrides = [], reason } = request;
  const wanted = [...changes.map((change) => ({ ...change, scope: null })), ...overrides];
  const entries = wanted.map(({ name, value, scope }): HistoryEntry => {
    const spec = findParameter(name);
    return {
      action: 'parameter.change',
      parameter: spec?.name ?? name.slice(0, 128),
      scope: scope === null ? '' : scopeText(scope),
      oldValue: spec === undefined || scope !== null ? null : textToShow(spec, statusOf(spec.name).storedText),
      newValue: value !== null && spec?.secret !== false ? secretMask : value,
      reason,
    };
  });
  await history.attempts.refused(request, entries, error);
}

/** Writes in how many workers a stored change is in force, and why not in all. */
export async function recordApplied(
  history: HistoryStore,
  request: ChangeRequest,
  outcome: WorkerOutcome,
  failures: readonly string[],
): Promise<void> {
  const isWhole = failures.length === 0 && outcome.applied === outcome.total;
  await history.attempts.note(request, {
    action: 'parameter.apply',
    outcome: isWhole ? 'applied' : 'failed',
    failure: failures.join('; ').slice(0, 1_000),
    workers: outcome,
  });
}
