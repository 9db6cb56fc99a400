import { EventEmitter } from 'node:events';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { Actor, HistoryRow } from '../history/history-row.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { loadReverts, removeRevert, type StoredRevert, saveRevert } from '../history/scheduled-reverts.ts';
import type { ChangeRequest, ChangeResult, ConfigStore } from './config-store.ts';
import { findParameter } from './parameter-table.ts';
import { specOf, textToShow } from './plan-changes.ts';

/** The one who acts when a time has come. */
const system = { actor: 'odp', source: 'system', origin: '' } as const;

/**
 * Parameters that go back by themselves ("enable_congestion off for 30 minutes"). Stored in the transaction of the change,
 * so that neither is without the other, and taken away in the transaction of the change back. What somebody else has
 * changed meanwhile is left alone, and the history says so.
 */
export class ScheduledReverts {
  readonly #history: HistoryStore;
  readonly #store: ConfigStore;
  readonly #now: () => Date;
  readonly #changed = new EventEmitter();
  #reverts: StoredRevert[] = [];

  private constructor(history: HistoryStore, store: ConfigStore, now: () => Date) {
    this.#history = history;
    this.#store = store;
    this.#now = now;
    this.#changed.setMaxListeners(0);
  }

  /** With what was left by earlier processes. @throws OdpError STORE_UNUSABLE */
  static async open(
    history: HistoryStore,
    store: ConfigStore,
    now: () => Date = () => new Date(),
  ): Promise<ScheduledReverts> {
    const reverts = new ScheduledReverts(history, store, now);
    await reverts.reload();
    return reverts;
  }

  /** All that is to come or overdue, the next first. */
  list(): readonly StoredRevert[] {
    return this.#reverts;
  }

  /** Whether nobody has changed the parameter since: else it will be left alone. */
  holds({ name, revision }: StoredRevert): boolean {
    const spec = findParameter(name);
    return spec !== undefined && this.#store.parameter(spec.name).revision === revision;
  }

  /** Calls `listener` with a parameter's name when something is scheduled for it, done or cancelled. @returns the end of it */
  onChanged(listener: (name: string) => void): () => void {
    this.#changed.on('changed', listener);
    return () => this.#changed.off('changed', listener);
  }

  /**
   * Makes a change of which every parameter goes back by itself at `dueAt`: one that is to go back already, to what it had
   * before the first of such changes.
   * @throws OdpError INVALID_ARGUMENT for secrets, whose old texts nobody may have, and what `ConfigStore.change` throws
   */
  async change(request: ChangeRequest, dueAt: Date): Promise<ChangeResult> {
    for (const { name } of request.changes) {
      if (!specOf(name).secret) continue;
      throw new OdpError('INVALID_ARGUMENT', { detail: `${name} is a secret and cannot be set back by itself` });
    }
    const added: StoredRevert[] = [];
    const replaced: StoredRevert[] = [];
    const result = await this.#store.change({
      ...request,
      alongside: async (writer, parameters) => {
        added.length = 0;
        replaced.length = 0;
        const rows = [...((await request.alongside?.(writer, parameters)) ?? [])];
        for (const { name, revision, changedAt } of parameters) {
          const { requestId: change, actor: setBy, reason } = request;
          // What is written is not in force yet: the store still has what was before.
          const before = this.#reverts.find((one) => one.name === name && this.holds(one));
          const value = before?.value ?? this.#store.parameter(specOf(name).name).storedText;
          if (before !== undefined) {
            replaced.push(before);
            await removeRevert(writer, before.id);
            const entry = { action: 'revert.cancel' as const, parameter: name, reason: whyReplaced(before, dueAt) };
            rows.push(await this.#history.log.insert(writer, request, entry, this.#now()));
          }
          const revert = { change, name, value, revision, dueAt, setAt: changedAt, setBy, reason };
          added.push(await saveRevert(writer, revert));
        }
        return rows;
      },
    });
    const left = this.#reverts.filter(({ id }) => !replaced.some((one) => one.id === id));
    this.#update([...left, ...added], added);
    return result;
  }

  /**
   * Lets a parameter stay as it is.
   * @throws OdpError NOT_FOUND: it is done, cancelled or overtaken already; FOUR_EYES_NEEDED: nobody changes it alone, and
   * whoever let it stay would; STORE_FAILED
   */
  async cancel(id: number, actor: Actor, reason: string): Promise<void> {
    const gone = () => new OdpError('NOT_FOUND', { detail: `scheduled revert ${id}` });
    const revert = this.#reverts.find((one) => one.id === id);
    if (revert === undefined) throw gone();
    const spec = findParameter(revert.name);
    // One that somebody has changed since is left alone in any case.
    if (spec !== undefined && this.holds(revert) && this.#store.needsSecondPerson(spec.name)) {
      const way = 'It goes back as two have agreed; propose the change anew after that';
      throw new OdpError('FOUR_EYES_NEEDED', { names: spec.name, way });
    }
    const cancelled = await this.#remove([revert], actor, (one) => ({
      action: 'revert.cancel',
      reason: `${one.name} does not go back to ${shown(one)} at ${one.dueAt.toISOString()}: ${reason}`,
    }));
    // Done, or cancelled, a moment ago: nobody must take it for prevented.
    if (cancelled === 0) throw gone();
  }

  /**
   * Sets back what is due, each change as one, in the order of their times.
   * @throws OdpError STORE_FAILED: nothing of a change has happened, it stays due; INTERNAL: it is done, but not in force
   * everywhere. The other changes are not held up by it.
   */
  async runDue(): Promise<void> {
    const due = this.#reverts.filter(({ dueAt }) => dueAt.getTime() <= this.#now().getTime());
    const failures: unknown[] = [];
    for (const change of new Set(due.map((one) => one.change))) {
      await this.#setBack(due.filter((one) => one.change === change)).catch((error: unknown) => failures.push(error));
    }
    if (failures.length === 0) return;
    throw failures[0];
  }

  async #setBack(due: readonly StoredRevert[]): Promise<void> {
    const [first] = due;
    if (first === undefined) return;
    const { setBy, setAt, reason } = first;
    const actor = { ...system, requestId: `revert-${first.id}` };
    try {
      await this.#store.change(() => {
        const [held, overtaken] = [due.filter((one) => this.holds(one)), due.filter((one) => !this.holds(one))];
        return {
          ...actor,
          consent: 'set-back',
          changes: held.map(({ name, value, revision }) => ({ name, value, baseRevision: revision })),
          reason: `goes back by itself, as ${setBy} asked at ${setAt.toISOString()}: ${reason}`,
          alongside: async (writer) => {
            const rows: HistoryRow[] = [];
            for (const { id } of due) {
              if (!(await removeRevert(writer, id))) throw new Error('another process is setting it back');
            }
            for (const one of overtaken) {
              const entry = { action: 'revert.leave' as const, parameter: one.name, reason: this.#whyLeft(one) };
              rows.push(await this.#history.log.insert(writer, actor, entry, this.#now()));
            }
            return rows;
          },
        };
      });
    } catch (error) {
      if (!(error instanceof OdpError) || error.code === 'STORE_FAILED') throw error;
      if (error.code === 'INTERNAL') {
        this.#forget(due);
        throw error;
      }
      await this.#remove(due, actor, (one) => ({
        action: 'revert.leave',
        reason: `${one.name} was to go back to ${shown(one)}, as ${one.setBy} asked, and is left alone: ${errorText(error)}`,
      }));
      return;
    }
    this.#forget(due);
  }

  /** @returns how many were still there */
  async #remove(
    reverts: readonly StoredRevert[],
    actor: Actor,
    entryOf: (revert: StoredRevert) => { readonly action: 'revert.cancel' | 'revert.leave'; readonly reason: string },
  ): Promise<number> {
    let rows: readonly HistoryRow[];
    try {
      rows = await this.#history.database.$transaction(async (writer) => {
        const written: HistoryRow[] = [];
        for (const revert of reverts) {
          if (!(await removeRevert(writer, revert.id))) continue;
          const entry = { ...entryOf(revert), parameter: revert.name };
          written.push(await this.#history.log.insert(writer, actor, entry, this.#now()));
        }
        return written;
      });
    } catch (error) {
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
    this.#history.log.announce(rows);
    this.#forget(reverts);
    return rows.length;
  }

  #whyLeft(revert: StoredRevert): string {
    const { name, setBy } = revert;
    const wanted = `${name} was to go back to ${shown(revert)}, as ${setBy} asked, and is left alone`;
    const spec = findParameter(name);
    if (spec === undefined) return `${wanted}: this version does not have it`;
    const { storedText, changedBy, changedAt } = this.#store.parameter(spec.name);
    return `${wanted}: ${changedBy ?? 'somebody'} has set it to '${textToShow(spec, storedText)}' at ${changedAt?.toISOString() ?? 'no known time'}`;
  }

  /** Takes over what another process has scheduled, done or cancelled. @throws OdpError STORE_UNUSABLE */
  async reload(): Promise<void> {
    try {
      const stored = await loadReverts(this.#history.database);
      const [old, now] = [new Set(this.#reverts.map(({ id }) => id)), new Set(stored.map(({ id }) => id))];
      this.#update(stored, [
        ...this.#reverts.filter(({ id }) => !now.has(id)),
        ...stored.filter(({ id }) => !old.has(id)),
      ]);
    } catch (error) {
      const detail = databaseErrorText(error);
      throw new OdpError('STORE_UNUSABLE', { file: this.#history.file, detail }, { cause: error });
    }
  }

  #forget(gone: readonly StoredRevert[]): void {
    this.#update(
      this.#reverts.filter(({ id }) => !gone.some((one) => one.id === id)),
      gone,
    );
  }

  #update(reverts: readonly StoredRevert[], touched: readonly StoredRevert[]): void {
    this.#reverts = reverts.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || a.id - b.id);
    for (const name of new Set(touched.map((one) => one.name))) this.#changed.emit('changed', name);
  }
}

const whyReplaced = (revert: StoredRevert, dueAt: Date): string =>
  `${revert.name} does not go back to ${shown(revert)} at ${revert.dueAt.toISOString()}, but at ${dueAt.toISOString()}`;

const shown = ({ value }: StoredRevert): string => `'${value}'`;
