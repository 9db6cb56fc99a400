import { EventEmitter } from 'node:events';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { WarningLog } from '../history/history-keeper.ts';
import type { Actor, HistoryRow } from '../history/history-row.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { loadParameters, type StoredParameter, saveParameter } from '../history/parameter-values.ts';
import { SerialQueue } from '../history/serial-queue.ts';
import { ConfigView } from './config-view.ts';
import { findParameter, type ParameterName, parameterTable } from './parameter-table.ts';
import {
  type ParameterChange,
  type ParameterStatus,
  type PlannedChange,
  planChanges,
  textToShow,
} from './plan-changes.ts';
import { checkServiceable } from './serviceable.ts';
import type { ChangeDoor } from './special-items.ts';
import { parseValue } from './values.ts';

/** What the store needs of its surroundings. */
export interface ConfigStoreOptions {
  readonly history: HistoryStore;
  /** What the command line sets, in order; of a name given twice the last one counts. */
  readonly startOptions?: readonly { readonly name: string; readonly value: string }[];
  readonly log: WarningLog;
  readonly now?: () => Date;
  /**
   * Looks at what a change names outside the configuration (files), before it is stored: what rejects refuses it. Not
   * asked about start options and stored values: a proxy must start without such a file.
   */
  readonly checkOutside?: (view: ConfigView, changed: readonly ParameterName[]) => Promise<void>;
}

/** A set of changes: all are made or none is. */
export interface ChangeRequest extends Actor {
  readonly changes: readonly ParameterChange[];
  readonly reason: string;
}

/** What became of a set of changes. */
export interface ChangeResult {
  /** The parameters that have a new text now. */
  readonly changed: readonly ParameterStatus[];
  /** Those that had it already: nothing was written for them. */
  readonly unchanged: readonly ParameterName[];
}

/** A text that came into force. */
export interface AppliedChange {
  readonly name: ParameterName;
  readonly text: string;
}

/** Told after the commit; a change is answered only when every listener's promise has settled, so they must be bounded. */
export type AppliedListener = (changes: readonly AppliedChange[]) => void | Promise<void>;

/** Attempts of one change while another process changes the same parameters (two generations in a hot upgrade). */
const maxAttempts = 3;

/**
 * The configuration: the one place that changes it. A change is checked, written together with its history rows in one
 * transaction, and only then comes into force; the database is the truth, so there is nothing to reconcile after a
 * crash.
 */
export class ConfigStore {
  readonly #history: HistoryStore;
  readonly #log: WarningLog;
  readonly #now: () => Date;
  readonly #checkOutside: NonNullable<ConfigStoreOptions['checkOutside']>;
  readonly #queue = new SerialQueue();
  readonly #changed = new EventEmitter();
  readonly #appliedListeners = new Set<AppliedListener>();
  readonly #statuses = new Map<ParameterName, ParameterStatus>();

  private constructor(options: ConfigStoreOptions) {
    this.#history = options.history;
    this.#log = options.log;
    this.#now = options.now ?? (() => new Date());
    this.#checkOutside = options.checkOutside ?? (() => Promise.resolve());
    this.#changed.setMaxListeners(0);
  }

  /**
   * Loads defaults, then stored texts, then start options (the reference's order), and checks the whole.
   * @throws OdpError for a start option that is unknown or bad, STORE_UNUSABLE when the database cannot be read.
   */
  static async open(options: ConfigStoreOptions): Promise<ConfigStore> {
    const store = new ConfigStore(options);
    await store.#load();
    await store.#takeStartOptions(options.startOptions ?? []);
    checkServiceable(new ConfigView(store.texts()));
    return store;
  }

  /** Every text in force, defaults included: what a ConfigView is built from. */
  texts(): Record<string, string> {
    return Object.fromEntries(this.parameters().map((status) => [status.spec.name, status.text]));
  }

  /** Every parameter as it stands, in the table's order. */
  parameters(): ParameterStatus[] {
    return parameterTable.map((spec) => this.parameter(spec.name));
  }

  parameter(name: ParameterName): ParameterStatus {
    const status = this.#statuses.get(name);
    if (status === undefined) throw new OdpError('UNKNOWN_PARAMETER', { name });
    return status;
  }

  /** Calls `listener` for what comes into force (not for texts that wait for a restart). @returns the function that ends it. */
  onApplied(listener: AppliedListener): () => void {
    this.#appliedListeners.add(listener);
    return () => this.#appliedListeners.delete(listener);
  }

  /** Calls `listener` for every stored change, in force or waiting. @returns the function that ends it. */
  onChanged(listener: (status: ParameterStatus) => void): () => void {
    this.#changed.on('changed', listener);
    return () => this.#changed.off('changed', listener);
  }

  /**
   * Makes the changes of one request; requests wait for each other.
   * @throws OdpError of planChanges and checkServiceable; STORE_FAILED when it could not be written: then nothing has
   * changed; INTERNAL when it is stored and in force, but a listener failed.
   */
  change(request: ChangeRequest): Promise<ChangeResult> {
    return this.#queue.run(() => this.#change(request, 'running'));
  }

  /** Waits for changes under way. */
  async close(): Promise<void> {
    await this.#queue.idle();
  }

  async #load(): Promise<void> {
    for (const spec of parameterTable) {
      const text = spec.defaultText;
      this.#statuses.set(spec.name, { spec, text, storedText: text, revision: 0, changedAt: null, changedBy: null });
    }
    for (const stored of await this.#readStored()) this.#take(stored, true);
  }

  async #readStored(): Promise<StoredParameter[]> {
    try {
      return await loadParameters(this.#history.database);
    } catch (error) {
      const detail = databaseErrorText(error);
      throw new OdpError('STORE_UNUSABLE', { file: this.#history.file, detail }, { cause: error });
    }
  }

  /** Takes over a stored row. @returns the text that came into force by it, if any. */
  #take(stored: StoredParameter, isStart: boolean): AppliedChange | undefined {
    const spec = findParameter(stored.name);
    if (spec === undefined) {
      this.#log.warn({ parameter: stored.name }, 'stored parameter is unknown to this version and ignored');
      return undefined;
    }
    const before = this.parameter(spec.name);
    let storedText = isStart && spec.visibleLevel === 'MEMORY' ? spec.defaultText : stored.value;
    try {
      parseValue(spec, storedText);
    } catch (error) {
      this.#log.warn(
        { parameter: spec.name, reason: errorText(error) },
        'stored value is invalid, the default is used',
      );
      storedText = spec.defaultText;
    }
    const text = isStart || !spec.needReboot ? storedText : before.text;
    const { revision, changedAt, changedBy } = stored;
    this.#statuses.set(spec.name, { spec, text, storedText, revision, changedAt, changedBy });
    return text === before.text ? undefined : { name: spec.name, text };
  }

  async #takeStartOptions(options: readonly { readonly name: string; readonly value: string }[]): Promise<void> {
    const last = new Map(options.map((option) => [option.name.toLowerCase(), option]));
    const request: ChangeRequest = {
      changes: [...last.values()],
      actor: 'start options',
      source: 'start',
      origin: '',
      reason: 'given on the command line',
      requestId: `start-${process.pid}`,
    };
    if (request.changes.length > 0) await this.#change(request, 'start');
    for (const [name, status] of this.#statuses) this.#statuses.set(name, { ...status, text: status.storedText });
  }

  async #change(request: ChangeRequest, door: ChangeDoor): Promise<ChangeResult> {
    for (let attempt = 1; ; attempt += 1) {
      const { planned, unchanged } = planChanges(request.changes, (name) => this.parameter(name), door);
      const view = this.#checkTogether(planned);
      if (door === 'running') {
        await this.#checkOutside(
          view,
          planned.map((change) => change.before.spec.name),
        );
      }
      if (planned.length === 0) return { changed: [], unchanged };
      const at = this.#now();
      const written = planned.map((change) => storedAfter(change, request.actor, at));
      const rows = await this.#write(written, planned, request, at, door);
      if (rows === 'conflict') {
        if (attempt === maxAttempts) {
          throw new OdpError('STORE_FAILED', { detail: 'another process is changing the same parameters' });
        }
        await this.#reload();
        continue;
      }
      await this.#putInForce(written, rows);
      return { changed: planned.map((change) => this.parameter(change.before.spec.name)), unchanged };
    }
  }

  /** @returns the configuration as it would be */
  #checkTogether(planned: readonly PlannedChange[]): ConfigView {
    // Texts that wait for a restart are checked too: the next start must not fail.
    const view = new ConfigView(
      Object.fromEntries(this.parameters().map((status) => [status.spec.name, status.storedText])),
    );
    for (const change of planned) view.apply(change.before.spec.name, change.newText);
    checkServiceable(view);
    return view;
  }

  async #write(
    written: readonly StoredParameter[],
    planned: readonly PlannedChange[],
    request: ChangeRequest,
    at: Date,
    door: ChangeDoor,
  ): Promise<HistoryRow[] | 'conflict'> {
    const conflict = new Error('revision conflict');
    try {
      return await this.#history.database.$transaction(async (transaction) => {
        const rows: HistoryRow[] = [];
        for (const [index, parameter] of written.entries()) {
          if (!(await saveParameter(transaction, parameter))) throw conflict;
          const entry = historyEntry(planned[index], request.reason);
          rows.push(await this.#history.log.insert(transaction, request, entry, at));
        }
        return rows;
      });
    } catch (error) {
      if (error === conflict) return 'conflict';
      const detail = databaseErrorText(error);
      if (door === 'start') {
        // A full disk must not keep the proxy from starting with what its operator asked for.
        this.#log.warn({ reason: detail }, 'start options are in force but could not be stored');
        return [];
      }
      throw new OdpError('STORE_FAILED', { detail }, { cause: error });
    }
  }

  async #putInForce(written: readonly StoredParameter[], rows: readonly HistoryRow[]): Promise<void> {
    const applied = written.map((parameter) => this.#take(parameter, false)).filter((change) => change !== undefined);
    const failures = await this.#tellApplied(applied);
    this.#history.log.announce(rows);
    for (const { name } of written) this.#changed.emit('changed', this.parameter(name as ParameterName));
    if (failures.length > 0) {
      throw new OdpError('INTERNAL', {
        detail: `the change is stored, but not in force everywhere: ${failures.join('; ')}`,
      });
    }
  }

  async #tellApplied(applied: readonly AppliedChange[]): Promise<string[]> {
    if (applied.length === 0) return [];
    const outcomes = await Promise.allSettled([...this.#appliedListeners].map(async (listener) => listener(applied)));
    return outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => errorText(outcome.reason));
  }

  /** Takes over what another process has written since. */
  async #reload(): Promise<void> {
    const newer = (await this.#readStored()).filter((stored) => {
      const spec = findParameter(stored.name);
      return spec !== undefined && this.parameter(spec.name).revision < stored.revision;
    });
    await this.#putInForce(newer, []);
  }
}

function storedAfter(change: PlannedChange, changedBy: string, changedAt: Date): StoredParameter {
  const { spec, revision } = change.before;
  return { name: spec.name, value: change.newText, revision: revision + 1, changedAt, changedBy };
}

function historyEntry(change: PlannedChange | undefined, reason: string) {
  if (change === undefined) throw new OdpError('INTERNAL', { detail: 'a written parameter without a plan' });
  const { spec, storedText } = change.before;
  return {
    action: 'parameter.change',
    parameter: spec.name,
    oldValue: textToShow(spec, storedText),
    newValue: spec.secret ? '(changed)' : change.newText,
    reason,
  } as const;
}
