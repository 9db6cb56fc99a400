import { EventEmitter } from 'node:events';
import { errorText, OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { WarningLog } from '../history/history-keeper.ts';
import type { Actor, HistoryRow } from '../history/history-row.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { StoredParameter } from '../history/parameter-values.ts';
import { SerialQueue } from '../history/serial-queue.ts';
import type { ConfigOverride, OverrideScope } from './config-level.ts';
import { ConfigView } from './config-view.ts';
import { needsSecondPerson } from './four-eyes.ts';
import type { ParameterSpec } from './parameter-spec.ts';
import { findParameter, type ParameterName, parameterTable } from './parameter-table.ts';
import { mergeOutcomes, type PartOutcome } from './part-outcome.ts';
import { type ParameterChange, type ParameterStatus, type PlannedChange, planChanges } from './plan-changes.ts';
import {
  type OverrideChange,
  type OverrideStatus,
  overrideKey,
  type PlannedOverride,
  planOverrides,
} from './plan-overrides.ts';
import { differences, readStored } from './read-stored.ts';
import { recordApplied, recordRefusal } from './record-outcome.ts';
import { checkServiceable } from './serviceable.ts';
import type { ChangeDoor } from './special-items.ts';
import { throwIfStale } from './stale-edits.ts';
import { parseValue } from './values.ts';
import { type Alongside, type Written, type WrittenOverride, writeChanges } from './write-changes.ts';

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
  /** For parts of the sessions. */
  readonly overrides?: readonly OverrideChange[];
  readonly reason: string;
  /** Also runs when nothing is left to change. */
  readonly alongside?: Alongside;
  /**
   * Why nobody else need agree: somebody has `approved` it, or it is `set-back` as it was meant from the beginning.
   */
  readonly consent?: 'approved' | 'set-back';
  /** Takes the whole in place of the change when a parameter of it needs a second person; without it that is refused. */
  readonly propose?: (wanted: readonly WantedChange[]) => Promise<void>;
}

/** A part of a change that has been checked. */
export interface WantedChange {
  readonly spec: ParameterSpec<ParameterName>;
  /** Null: for everybody. */
  readonly scope: OverrideScope | null;
  /** Null: there is none. */
  readonly oldText: string | null;
  /** Null: it is to be taken away. */
  readonly newText: string | null;
  readonly baseRevision: number;
}

/** What became of a set of changes. */
export interface ChangeResult {
  /** The parameters that have a new text now. */
  readonly changed: readonly ParameterStatus[];
  /** Those that had it already: nothing was written for them. */
  readonly unchanged: readonly ParameterName[];
  /** Whether it is in force in every worker; empty when nothing had to be told. */
  readonly workers: readonly PartOutcome[];
}

/** A text that came into force. */
export interface AppliedChange {
  readonly name: ParameterName;
  readonly text: string;
}

/** A listener may tell of each worker whether it has taken what is told. */
type Reached = readonly PartOutcome[] | undefined;
type Listener<Told> = (told: Told) => Reached | Promise<Reached>;

/** Told after the commit; a change is answered only when every listener's promise has settled, so they must be bounded. */
export type AppliedListener = Listener<readonly AppliedChange[]>;

/** As AppliedListener, for parts of the sessions: told all rows that are in force now. */
type OverridesListener = Listener<readonly ConfigOverride[]>;

/** Attempts of one change while another process changes the same parameters (two generations in a hot upgrade). */
const maxAttempts = 20;

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
  readonly #overridesListeners = new Set<OverridesListener>();
  readonly #statuses = new Map<ParameterName, ParameterStatus>();
  #overrides = new Map<string, OverrideStatus>();

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

  /** Whether nobody may change a parameter alone. */
  needsSecondPerson(name: ParameterName): boolean {
    return needsSecondPerson(this.parameter('four_eyes_parameters').storedText, name);
  }

  /** Every text that counts for a part of the sessions; of one parameter when its name is given. */
  overrides(name?: ParameterName): OverrideStatus[] {
    return [...this.#overrides.values()].filter(({ spec }) => name === undefined || spec.name === name);
  }

  /** As `overrides`, as workers need them. */
  overrideTexts(): ConfigOverride[] {
    return this.overrides().map(({ spec, scope, text }) => ({ ...scope, name: spec.name, text }));
  }

  /** Calls `listener` for what comes into force (not for texts that wait for a restart). @returns the function that ends it. */
  onApplied(listener: AppliedListener): () => void {
    this.#appliedListeners.add(listener);
    return () => this.#appliedListeners.delete(listener);
  }

  /** Calls `listener` when something comes into force, or out of it, for a part of the sessions. */
  onOverridesApplied(listener: OverridesListener): void {
    this.#overridesListeners.add(listener);
  }

  /** Calls `listener` for every stored change, in force or waiting. @returns the function that ends it. */
  onChanged(listener: (status: ParameterStatus) => void): () => void {
    this.#changed.on('changed', listener);
    return () => this.#changed.off('changed', listener);
  }

  /**
   * Makes the changes of one request; requests wait for each other.
   * @param request or what makes it once all earlier changes are in force
   * @throws OdpError of planChanges, planOverrides and checkServiceable; FOUR_EYES_NEEDED; StaleEdits with everything that is based on
   * something older; STORE_FAILED when it could not be written: then nothing has
   * changed; INTERNAL when it is stored and in force, but a listener failed.
   */
  change(request: ChangeRequest | (() => ChangeRequest)): Promise<ChangeResult> {
    return this.#queue.run(() => {
      const made = typeof request === 'function' ? request() : request;
      return this.#recorded(made, made.consent === 'approved' ? 'approved' : 'running');
    });
  }

  /** Takes over what another process has changed, once all earlier changes here are in force. @throws OdpError STORE_UNUSABLE */
  reload(): Promise<void> {
    return this.#queue.run(() => this.#reload());
  }

  /**
   * A dry run: everything that `change` looks at, and nothing is changed.
   * @throws as `change`
   */
  async check(request: Pick<ChangeRequest, 'changes' | 'overrides'>): Promise<void> {
    await this.#plan(request, 'running');
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
    const { parameters, overrides } = await readStored(this.#history, this.#log);
    for (const stored of parameters) this.#take(stored, 'start');
    this.#overrides = overrides;
  }

  /**
   * Takes over a stored row. @returns the text that came into force by it, if any.
   * @param door `other`: another process has written it; what belongs to one process alone is not taken from there
   */
  #take(stored: StoredParameter, door: ChangeDoor | 'other'): AppliedChange | undefined {
    const spec = findParameter(stored.name);
    if (spec === undefined) {
      this.#log.warn({ parameter: stored.name }, 'stored parameter is unknown to this version and ignored');
      return undefined;
    }
    const before = this.parameter(spec.name);
    let storedText = door !== 'running' && spec.visibleLevel === 'MEMORY' ? spec.defaultText : stored.value;
    try {
      parseValue(spec, storedText);
    } catch (error) {
      this.#log.warn(
        { parameter: spec.name, reason: errorText(error) },
        'stored value is invalid, the default is used',
      );
      storedText = spec.defaultText;
    }
    const text = door === 'start' || !spec.needReboot ? storedText : before.text;
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
    if (request.changes.length > 0) await this.#recorded(request, 'start');
    for (const [name, status] of this.#statuses) this.#statuses.set(name, { ...status, text: status.storedText });
  }

  /** Makes a change; one that is refused leaves rows that say so. */
  async #recorded(request: ChangeRequest, door: ChangeDoor): Promise<ChangeResult> {
    try {
      return await this.#change(request, door);
    } catch (error) {
      // What is stored is in the history already, and was not refused.
      if (!(error instanceof NotInForce)) {
        await recordRefusal(this.#history, request, (name) => this.parameter(name), error);
      }
      throw error;
    }
  }

  async #change(request: ChangeRequest, door: ChangeDoor): Promise<ChangeResult> {
    for (let attempt = 1; ; attempt += 1) {
      const { planned, unchanged, overrides } = await this.#plan(request, door);
      if (planned.length === 0 && overrides.length === 0 && request.alongside === undefined) {
        return { changed: [], unchanged, workers: [] };
      }
      const names = door === 'running' && request.consent === undefined ? this.#forTwo(planned, overrides) : [];
      if (names.length > 0) {
        if (request.propose === undefined)
          throw new OdpError('FOUR_EYES_NEEDED', { names: names.join(', '), way: wayOfTwo });
        await request.propose(wantedChanges(planned, overrides));
        return { changed: [], unchanged, workers: [] };
      }
      const written = await this.#write(planned, overrides, request, door);
      if (written !== 'conflict') {
        const workers = await this.#putInForce(written.parameters, written.overrides, written.rows, request);
        const names = new Set([
          ...planned.map(({ before }) => before.spec.name),
          ...overrides.map(({ spec }) => spec.name),
        ]);
        return { changed: [...names].map((name) => this.parameter(name)), unchanged, workers };
      }
      if (attempt === maxAttempts) {
        throw new OdpError('STORE_FAILED', { detail: 'another process is changing the same parameters' });
      }
      await this.#reload();
    }
  }

  /** Names of the parameters that nobody may change alone. */
  #forTwo(planned: readonly PlannedChange[], overrides: readonly PlannedOverride[]): ParameterName[] {
    const names = [...planned.map(({ before }) => before.spec.name), ...overrides.map(({ spec }) => spec.name)];
    return [...new Set(names)].filter((name) => this.needsSecondPerson(name));
  }

  async #plan(request: Pick<ChangeRequest, 'changes' | 'overrides'>, door: ChangeDoor) {
    const stale: OdpError[] = [];
    const { planned, unchanged } = planChanges(request.changes, (name) => this.parameter(name), door, stale);
    const overrides = planOverrides(request.overrides ?? [], this.#overrides, stale, door);
    throwIfStale(stale);
    const view = this.#checkTogether(planned, overrides);
    if (door !== 'start') {
      await this.#checkOutside(
        view,
        planned.map((change) => change.before.spec.name),
      );
    }
    return { planned, unchanged, overrides };
  }

  /** @returns the configuration as it would be for everybody */
  #checkTogether(planned: readonly PlannedChange[], overrides: readonly PlannedOverride[]): ConfigView {
    // Texts that wait for a restart are checked too: the next start must not fail.
    const view = new ConfigView(
      Object.fromEntries(this.parameters().map((status) => [status.spec.name, status.storedText])),
    );
    for (const change of planned) view.apply(change.before.spec.name, change.newText);
    checkServiceable(view);
    for (const { spec, newText } of overrides) {
      if (newText !== null) checkServiceable(view.derive({ [spec.name]: newText }));
    }
    return view;
  }

  async #write(
    parameters: readonly PlannedChange[],
    overrides: readonly PlannedOverride[],
    request: ChangeRequest,
    door: ChangeDoor,
  ): Promise<Written | 'conflict'> {
    const at = this.#now();
    try {
      const { reason } = request;
      const alongside =
        door === 'start' ? this.#bypassRows(request, this.#forTwo(parameters, []), at) : request.alongside;
      return await writeChanges(this.#history, { actor: request, reason, at, parameters, overrides, alongside });
    } catch (error) {
      if (error instanceof OdpError) throw error;
      const detail = databaseErrorText(error);
      if (door !== 'start') throw new OdpError('STORE_FAILED', { detail }, { cause: error });
      // A full disk must not keep the proxy from starting with what its operator asked for.
      this.#log.warn({ reason: detail }, 'start options are in force but could not be stored');
      const changedBy = request.actor;
      const unwritten = parameters.map(({ before, newText }) => {
        const { spec, revision } = before;
        return { name: spec.name, value: newText, revision: revision + 1, changedAt: at, changedBy };
      });
      return { parameters: unwritten, overrides: [], rows: [] };
    }
  }

  /** Who sets with a start option what nobody may change alone shows for it: the way in when nobody else is there. */
  #bypassRows(request: ChangeRequest, names: readonly ParameterName[], at: Date): Alongside | undefined {
    if (names.length === 0) return undefined;
    return async (writer) => {
      const rows: HistoryRow[] = [];
      for (const parameter of names) {
        const entry = { action: 'proposal.bypass', parameter, reason: 'a start option asks nobody else' } as const;
        rows.push(await this.#history.log.insert(writer, request, entry, at));
      }
      return rows;
    };
  }

  async #putInForce(
    parameters: readonly StoredParameter[],
    overrides: readonly WrittenOverride[],
    rows: readonly HistoryRow[],
    request: ChangeRequest | null,
  ): Promise<readonly PartOutcome[]> {
    // Without a request it is another process's change.
    const door = request === null ? 'other' : 'running';
    const applied = parameters.map((stored) => this.#take(stored, door)).filter((change) => change !== undefined);
    for (const { planned, after } of overrides) {
      const key = overrideKey(planned.spec.name, planned.scope);
      if (after === null) this.#overrides.delete(key);
      else this.#overrides.set(key, after);
    }
    const told = [
      await tellAll(applied.length === 0 ? [] : this.#appliedListeners, applied),
      await tellAll(overrides.length === 0 ? [] : this.#overridesListeners, this.overrideTexts()),
    ];
    const failures = told.flatMap((one) => one.failures);
    this.#history.log.announce(rows);
    // Parameters and overrides of one request: it is in force where both are.
    const workers = mergeOutcomes(told.flatMap((one) => one.workers));
    if (request !== null && workers.length > 0) {
      const applied = workers.filter(({ failure }) => failure === null).length;
      const everyFailure = [...failures, ...workers.flatMap(({ failure }) => failure ?? [])];
      await recordApplied(this.#history, request, { applied, total: workers.length }, everyFailure);
    }
    const names = new Set([
      ...parameters.map(({ name }) => name),
      ...overrides.map(({ planned }) => planned.spec.name),
    ]);
    for (const name of names) this.#changed.emit('changed', this.parameter(name as ParameterName));
    if (failures.length > 0) {
      throw new NotInForce('INTERNAL', {
        detail: `the change is stored, but not in force everywhere: ${failures.join('; ')}`,
      });
    }
    return workers;
  }

  /** Takes over what another process has written since. */
  async #reload(): Promise<void> {
    const { parameters, overrides } = await readStored(this.#history, this.#log);
    const newer = parameters.filter((stored) => {
      const spec = findParameter(stored.name);
      return spec !== undefined && this.parameter(spec.name).revision < stored.revision;
    });
    await this.#putInForce(newer, differences(this.#overrides, overrides), [], null);
  }
}

function wantedChanges(planned: readonly PlannedChange[], overrides: readonly PlannedOverride[]): WantedChange[] {
  const forAll = planned.map(({ before: { spec, storedText: oldText, revision: baseRevision }, newText }) => {
    return { spec, scope: null, oldText, newText, baseRevision };
  });
  const forParts = overrides.map(({ spec, scope, before, newText }) => {
    return { spec, scope, oldText: before?.text ?? null, newText, baseRevision: before?.revision ?? 0 };
  });
  return [...forAll, ...forParts];
}

const wayOfTwo = 'Propose the change on the console, at Configuration, and have somebody else approve it';

/** A change that is stored, and not in force everywhere. */
class NotInForce extends OdpError {}

/** Tells all listeners and waits for them. `failures`: what went wrong in listeners themselves. */
async function tellAll<Told>(
  listeners: Iterable<Listener<Told>>,
  told: Told,
): Promise<{ workers: PartOutcome[]; failures: string[] }> {
  const outcomes = await Promise.allSettled([...listeners].map(async (listener) => listener(told)));
  return {
    workers: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : [])),
    failures: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [errorText(outcome.reason)] : [])),
  };
}
