/**
 * State of a client session that every one of its server sessions has to share (C1, C11, C12): system variables and
 * user variables, each with the version of its last change. A server session remembers the version it was brought to;
 * what changed since is sent to it before its next request.
 *
 * All texts here are bytes in disguise (latin1): values come in whatever character set the client has chosen, and have
 * to go out again exactly as they came (cases B34, B36).
 */
import { decodeVariableBlock } from '../wire/ob-variables.ts';
import { ImposedVariables } from './imposed-variables.ts';
import { LazyMap } from './lazy-map.ts';
import { keptLoginValues, loginValuesOf, NO_VALUES } from './login-variables.ts';
import { LastChanges, type VariableKind, type VariableVersions } from './variable-versions.ts';

/** Variables that an OBServer reports but nobody can, or may, set on another one. */
const NOT_SYNCED: ReadonlySet<string> = new Set([
  'catalog',
  'character_set_database',
  'collation_database',
  'identity',
  'ob_capability_flag',
  'ob_client_reroute_info',
  'ob_enable_transmission_checksum',
  'ob_last_schema_version',
  'ob_proxy_global_variables_version',
  'ob_proxy_partition_hit',
  '_ob_proxy_weakread_feedback',
  'ob_proxy_set_trx_executed',
  'ob_proxy_user_privilege',
  'ob_proxy_weakread_feedback',
  'ob_safe_weak_read_snapshot',
  'ob_statement_trace_id',
  '_ob_proxy_weakread_feedback',
  '_ob_proxy_session_temporary_table_used',
  '_current_default_catalog',
  '_nlj_batching_enabled',
]);

/** Variables that clients set all the time: compared by value with each server session, not by version (C12). */
const COMPARED_BY_VALUE: ReadonlySet<string> = new Set(['autocommit', 'ob_query_timeout', 'ob_trx_timeout']);

/** Version of a server session whose log-in told other values than the client's. */
const NEVER_SYNCED = -1;

interface Entry {
  readonly text: string;
  readonly version: number;
}

interface SyncedStateState {
  readonly version: number;
  readonly values: readonly (readonly [name: string, text: string])[];
  readonly differing: readonly string[];
}

type VersionedValues = readonly (readonly [name: string, text: string, version: number])[];

interface VariablesState {
  readonly version: number;
  /** Values of the log-in. */
  readonly login: readonly (readonly [name: string, text: string])[];
  readonly system: VersionedValues;
  readonly user: VersionedValues;
  readonly changes: VariableVersions;
}

/** What one server session is known to have. */
export class SyncedState {
  /** Version of the client session's variables that it was brought to. */
  version = 0;
  /** Values of the often-set variables, by name. */
  readonly values = new LazyMap<string, string>();
  /** System variables that had other values at its log-in than at the client's: global ones have changed in between. */
  differing: readonly string[] = [];

  save(): SyncedStateState {
    return { version: this.version, values: [...this.values], differing: this.differing };
  }

  restore({ version, values, differing }: SyncedStateState): void {
    this.version = version;
    for (const [name, text] of values) this.values.set(name, text);
    this.differing = differing;
  }

  /** The server session is as it was at log-in. */
  reset(): void {
    this.version = 0;
    this.values.clear();
    this.differing = [];
  }
}

/** What an OK packet told besides variable changes. */
export interface StateReport {
  /** New current database, or null. */
  readonly database: string | null;
  /** R22: whether the first DML met the right server; null when the reply does not say. */
  readonly partitionHit: boolean | null;
  readonly weakReadFeedback: string | null;
  /** The request has generated an id: LAST_INSERT_ID() is of this server. */
  readonly tellsLastInsertId: boolean;
}

const LAST_INSERT_ID = 'last_insert_id';

/** Counts the changes of global variables: lists of log-ins with the same number are alike. */
const GLOBAL_VERSION = 'ob_proxy_global_variables_version';

/** Of these it depends how the literals of user variables are read. */
const READS_LITERALS = /^(character_set_|collation_|sql_mode$)/;

/** What a server says of the replicas that a weak read has touched. */
const WEAK_READ_FEEDBACK = '_ob_proxy_weakread_feedback';

const NO_BLOCK = Buffer.alloc(0);

const NOTHING: StateReport = {
  database: null,
  partitionHit: null,
  weakReadFeedback: null,
  tellsLastInsertId: false,
};

/**
 * A user variable's name between backticks. Servers that report it as it was written have doubled its own backticks
 * already (seen at a genuine kernel).
 */
const quotedName = (name: string): string => (/^([^`]|``)*$/.test(name) ? name : name.replaceAll('`', '``'));

/** Only ASCII letters: the name may be in any character set. */
const lowerCaseOf = (name: string): string =>
  Buffer.from(name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())).toString('latin1');

export class SessionVariables {
  readonly #system = new LazyMap<string, Entry>();
  readonly #user = new LazyMap<string, Entry>();
  /** What parameters have set. */
  readonly imposed = new ImposedVariables();
  #loginValues: ReadonlyMap<string, string> = NO_VALUES;
  #version = 0;
  readonly #lastChanges = new LastChanges();
  #bytes = 0;
  /** The last report, byte for byte: proxied sessions repeat theirs with every result set. */
  #lastBlock: Buffer = NO_BLOCK;
  #lastBlockLength = 0;
  #lastBlockVersion = -1;
  #lastReport: StateReport = NOTHING;

  get version(): number {
    return this.#version;
  }

  /** Of each kind the version of its last change. */
  get versions(): VariableVersions {
    return this.#lastChanges.all;
  }

  /** The same as far as a server session has them; below 0: its global values differ, and it was never brought up to date. */
  versionsAt(server: SyncedState): VariableVersions {
    const has = this.#lastChanges.upTo(server.version);
    return server.differing.length === 0 && this.#hasHotValues(server) ? { ...has, hot: this.versions.hot } : has;
  }

  #hasHotValues(server: SyncedState): boolean {
    for (const name of COMPARED_BY_VALUE) {
      const entry = this.#system.get(name);
      if (entry !== undefined && (server.values.get(name) ?? this.#loginValues.get(name)) !== entry.text) return false;
    }
    return true;
  }

  /** What the names and values take that differ from the log-in's. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Current value of a system variable as last reported, or undefined. */
  value(name: string): string | undefined {
    return this.#system.get(name)?.text ?? this.#loginValues.get(name);
  }

  /** Names and values that differ from the log-in's, for SHOW PROXYSESSION VARIABLES. */
  changedSystem(): [name: string, value: string][] {
    return [...this.#system].map(([name, entry]) => [name, entry.text]);
  }

  /** Values every system variable had at log-in. */
  loginSystem(): ReadonlyMap<string, string> {
    return this.#loginValues;
  }

  /** A user variable as an SQL literal, or undefined. @param name in lower case */
  userVariable(name: string): string | undefined {
    return this.#user.get(name)?.text;
  }

  userVariables(): [name: string, literal: string][] {
    return [...this.#user].map(([name, entry]) => [name, entry.text]);
  }

  /** Sets a system variable for the session: every server session is told before its next request. */
  impose(name: string, text: string): void {
    if (this.value(name) !== text) this.#set(this.#system, name, text);
  }

  /** Begins anew with a log-in. @param state variable list of the server's OK; null when it sent none */
  begin(state: Buffer | null): void {
    this.reset();
    this.#loginValues = state === null ? NO_VALUES : loginValuesOf(state);
  }

  /** Takes what a server session reported after a request; that session is then up to date. */
  apply(chunk: Buffer, start: number, end: number, server: SyncedState): StateReport {
    if (this.#isRepeated(chunk, start, end)) return this.#lastReport;
    const block = decodeVariableBlock(chunk.subarray(start, end));
    const wasCurrent = server.version === this.#version;
    let partitionHit: boolean | null = null;
    let weakReadFeedback: string | null = null;
    let tellsLastInsertId = false;
    for (const [name, value] of block.system) {
      const text = value.toString('latin1');
      if (name === 'ob_proxy_partition_hit') partitionHit = text === '1' || text === 'ON';
      if (name === WEAK_READ_FEEDBACK) weakReadFeedback = text;
      if (name === LAST_INSERT_ID) tellsLastInsertId = true;
      if (NOT_SYNCED.has(name)) continue;
      if (COMPARED_BY_VALUE.has(name)) server.values.set(name, text);
      if (this.value(name) !== text) this.#set(this.#system, name, text);
    }
    for (const [name, value] of block.user) this.#setUser(lowerCaseOf(name), value.toString('latin1'));
    if (wasCurrent) server.version = this.#version;
    const report = { database: block.schema, partitionHit, weakReadFeedback, tellsLastInsertId };
    this.#remember(chunk, start, end, report);
    return report;
  }

  /**
   * Notes what a further server session has told at its log-in. Session values begin with the global ones: where those
   * have changed since the client's log-in, the client's own count.
   */
  noteLogin(state: Buffer, server: SyncedState): void {
    const values = loginValuesOf(state);
    if (values.get(GLOBAL_VERSION) === this.#loginValues.get(GLOBAL_VERSION)) return;
    const differs = ([name, value]: [string, string]): boolean => values.has(name) && values.get(name) !== value;
    server.differing = [...this.#loginValues].filter(differs).flatMap(([name]) => (NOT_SYNCED.has(name) ? [] : name));
    if (server.differing.length === 0) return;
    for (const name of COMPARED_BY_VALUE) {
      const value = values.get(name);
      if (value !== undefined) server.values.set(name, value);
    }
    server.version = NEVER_SYNCED;
  }

  /** What a server session has to be SET to be up to date: lists of assignments, in the order in which they must be made. */
  missing(server: SyncedState): string[][] {
    const system: string[] = [];
    const user: string[] = [];
    let mustPrecede = false;
    const set = (name: string, text: string): void => {
      system.push(`@@session.${name} = ${sqlLiteral(text)}`);
      mustPrecede ||= READS_LITERALS.test(name);
    };
    for (const name of server.differing) {
      if (!this.#system.has(name)) set(name, this.#loginValues.get(name) ?? '');
    }
    for (const [name, entry] of this.#system) {
      const isStale = COMPARED_BY_VALUE.has(name)
        ? (server.values.get(name) ?? this.#loginValues.get(name)) !== entry.text
        : entry.version > server.version;
      if (isStale) set(name, entry.text);
    }
    for (const [name, entry] of this.#user) {
      if (entry.version > server.version) user.push(`@\`${quotedName(name)}\` = ${entry.text}`);
    }
    const lists = mustPrecede ? [system, user] : [[...system, ...user]];
    return lists.filter((list) => list.length > 0);
  }

  /** Notes that a server session has been sent everything. */
  markSynced(server: SyncedState): void {
    server.version = this.#version;
    server.differing = [];
    for (const name of COMPARED_BY_VALUE) {
      const value = this.value(name);
      if (value !== undefined) server.values.set(name, value);
    }
  }

  save(): VariablesState {
    const entries = (values: LazyMap<string, Entry>) =>
      [...values].map(([name, { text, version }]) => [name, text, version] as const);
    const [system, user] = [entries(this.#system), entries(this.#user)];
    return { version: this.#version, login: [...this.#loginValues], system, user, changes: this.#lastChanges.all };
  }

  restore({ version, login, system, user, changes }: VariablesState): void {
    this.reset();
    this.#loginValues = keptLoginValues(login);
    for (const [name, text, at] of system) this.#system.set(name, { text, version: at });
    for (const [name, text, at] of user) this.#user.set(name, { text, version: at });
    for (const [name, text] of [...system, ...user]) this.#bytes += name.length + text.length;
    this.#lastChanges.restore(changes);
    this.#version = version;
  }

  /** COM_RESET_CONNECTION: back to the log-in's values. */
  reset(): void {
    this.imposed.reset();
    this.#system.clear();
    this.#user.clear();
    this.#bytes = 0;
    this.#version = 0;
    this.#lastChanges.reset();
    this.#lastBlockVersion = -1;
  }

  #setUser(name: string, text: string): void {
    if (this.#user.get(name)?.text !== text) this.#set(this.#user, name, text);
  }

  #set(map: LazyMap<string, Entry>, name: string, text: string): void {
    const before = map.get(name);
    this.#bytes += before === undefined ? name.length + text.length : text.length - before.text.length;
    map.set(name, { text, version: ++this.#version });
    this.#lastChanges.note(map === this.#user ? 'user' : kindOfSystem(name), this.#version);
  }

  #isRepeated(chunk: Buffer, start: number, end: number): boolean {
    return (
      this.#lastBlockVersion === this.#version &&
      this.#lastBlockLength === end - start &&
      this.#lastBlock.compare(chunk, start, end, 0, this.#lastBlockLength) === 0
    );
  }

  #remember(chunk: Buffer, start: number, end: number, report: StateReport): void {
    const length = end - start;
    if (length > this.#lastBlock.length) this.#lastBlock = Buffer.allocUnsafeSlow(Math.max(128, length));
    chunk.copy(this.#lastBlock, 0, start, end);
    this.#lastBlockLength = length;
    this.#lastBlockVersion = this.#version;
    this.#lastReport = report;
  }
}

/** Which of the kinds of system variables one is. */
export function kindOfSystem(name: string): Exclude<VariableKind, 'user'> {
  if (COMPARED_BY_VALUE.has(name)) return 'hot';
  return name === LAST_INSERT_ID ? 'lastInsertId' : 'system';
}

/** A reported value as an SQL literal: numbers bare, since OceanBase refuses quoted ones for numeric variables. */
export function sqlLiteral(text: string): string {
  if (/^-?\d+(\.\d+)?$/.test(text)) return text;
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
