import type { DatabaseWriter } from '../history/database.ts';
import type { Actor, HistoryRow } from '../history/history-row.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { saveOverride } from '../history/parameter-overrides.ts';
import { type StoredParameter, saveParameter } from '../history/parameter-values.ts';
import { scopeText } from './config-level.ts';
import { type PlannedChange, textToShow } from './plan-changes.ts';
import type { OverrideStatus, PlannedOverride } from './plan-overrides.ts';

/** What is to be written together, by whom, when and why. */
export interface WriteJob {
  readonly actor: Actor;
  readonly reason: string;
  readonly at: Date;
  readonly parameters: readonly PlannedChange[];
  readonly overrides: readonly PlannedOverride[];
  /** See `ChangeRequest`. */
  readonly alongside?: Alongside | undefined;
}

/**
 * Writes more in the transaction of a change; what it throws undoes all of it.
 * @param parameters as they are stored now
 * @returns history rows to be announced
 */
export type Alongside = (
  writer: DatabaseWriter,
  parameters: readonly StoredParameter[],
) => Promise<readonly HistoryRow[]>;

/** A change for a part of the sessions that is stored. */
export interface WrittenOverride {
  readonly planned: PlannedOverride;
  /** Null: the row is gone. */
  readonly after: OverrideStatus | null;
}

/** What was written. */
export interface Written {
  readonly parameters: readonly StoredParameter[];
  readonly overrides: readonly WrittenOverride[];
  /** To be announced. */
  readonly rows: readonly HistoryRow[];
}

/**
 * Writes every change with its history row, all in one transaction.
 * @returns 'conflict' when another process has changed one of them since: then nothing is written
 * @throws whatever the database throws: then nothing is written either
 */
export async function writeChanges(history: HistoryStore, job: WriteJob): Promise<Written | 'conflict'> {
  const { actor, at, reason } = job;
  const changedBy = actor.actor;
  const conflict = new Error('revision conflict');
  try {
    return await history.database.$transaction(async (transaction) => {
      const rows: HistoryRow[] = [];
      const parameters: StoredParameter[] = [];
      const overrides: WrittenOverride[] = [];
      const insert = async (change: Omit<PlannedOverride, 'scope' | 'before'>, old: string | null, scope: string) => {
        const { spec, newText } = change;
        const row = await history.log.insert(
          transaction,
          actor,
          {
            action: 'parameter.change',
            parameter: spec.name,
            scope,
            oldValue: old === null ? null : textToShow(spec, old),
            newValue: newText !== null && spec.secret ? '(changed)' : newText,
            outcome: 'persisted',
            reason,
          },
          at,
        );
        rows.push(row);
        return row;
      };
      for (const change of job.parameters) {
        const { spec, revision, storedText } = change.before;
        const after = { name: spec.name, value: change.newText, revision: revision + 1, changedAt: at, changedBy };
        if (!(await saveParameter(transaction, after))) throw conflict;
        await insert({ spec, newText: change.newText }, storedText, '');
        parameters.push(after);
      }
      for (const planned of job.overrides) {
        const { spec, scope, before, newText } = planned;
        const { id } = await insert(planned, before?.text ?? null, scopeText(scope));
        const stored = newText === null ? null : { value: newText, revision: id, changedAt: at, changedBy };
        const { level, ...where } = scope;
        const after = stored === null ? null : { level, ...stored };
        if (!(await saveOverride(transaction, { ...where, name: spec.name }, before?.revision ?? null, after))) {
          throw conflict;
        }
        overrides.push({
          planned,
          after: stored === null ? null : { spec, scope, text: stored.value, revision: id, changedAt: at, changedBy },
        });
      }
      if (job.alongside !== undefined) rows.push(...(await job.alongside(transaction, parameters)));
      return { parameters, overrides, rows };
    });
  } catch (error) {
    if (error === conflict) return 'conflict';
    throw error;
  }
}
