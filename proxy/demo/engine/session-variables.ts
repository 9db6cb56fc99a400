import { MysqlError } from '../mysql-error.ts';
import type { SqlValue } from '../translate/context.ts';
import {
  BIGINT,
  DOUBLE,
  decimal,
  LONG_TEXT,
  NULL_TYPE,
  type SqlType,
  varbinary,
  varchar,
} from '../translate/sql-type.ts';
import {
  allVariables,
  checkedValue,
  type GlobalVariables,
  type VariableSpec,
  variableSpec,
} from './global-variables.ts';
import { VARIABLE_FLAG } from './system-variable-table.ts';

/** Values that a server or the session itself puts in place of the table's. */
export type FixedValues = ReadonlyMap<string, string>;

/** The variables of one session and what has changed since its last answer. */
export class SessionVariables {
  readonly #globals: GlobalVariables;
  readonly #fixed: FixedValues;
  /** Session values: taken over from the global ones at login. */
  #session = new Map<string, string>();
  #user = new Map<string, SqlValue>();
  /** Digits behind the point of user variables that are decimals. */
  readonly #userScales = new Map<string, number>();
  readonly #changedSystem = new Map<string, string>();
  readonly #changedUser = new Map<string, SqlValue>();

  constructor(globals: GlobalVariables, fixed: FixedValues) {
    this.#globals = globals;
    this.#fixed = fixed;
    this.reset();
  }

  /** Takes the global values anew and forgets all user variables. */
  reset(): void {
    this.#session = new Map();
    for (const spec of allVariables())
      this.#session.set(spec.name, this.#fixed.get(spec.name) ?? this.#globals.get(spec));
    this.#user = new Map();
    this.#changedSystem.clear();
    this.#changedUser.clear();
  }

  /** The value as SHOW VARIABLES writes it. */
  get(name: string, scope: '' | 'global' | 'session' = ''): string {
    const spec = variableSpec(name);
    const global = scope === 'global' || (scope === '' && !(spec.flags & VARIABLE_FLAG.SESSION));
    if (global) return this.#fixed.get(spec.name) ?? this.#globals.get(spec);
    return this.#session.get(spec.name) ?? spec.defaultValue;
  }

  /** The value as an expression sees it. */
  valueOf(name: string, scope: '' | 'global' | 'session'): SqlValue {
    const spec = variableSpec(name);
    const text = this.get(name, scope);
    if (spec.kind === 'bool') return text === 'ON' ? 1n : 0n;
    if (spec.kind === 'int') return BigInt(text);
    if (spec.kind === 'decimal') return Number(text);
    return text;
  }

  static typeOf(name: string): SqlType {
    const { kind } = variableSpec(name);
    if (kind === 'bool' || kind === 'int') return BIGINT;
    return kind === 'decimal' ? DOUBLE : varchar(1024);
  }

  /** Whether a name is one that SHOW VARIABLES lists. */
  listed(global: boolean): [name: string, value: string][] {
    const rows: [string, string][] = [];
    for (const { name, flags } of allVariables()) {
      if (flags & VARIABLE_FLAG.HIDDEN || (global && !(flags & VARIABLE_FLAG.GLOBAL))) continue;
      rows.push([name, this.get(name, global ? 'global' : '')]);
    }
    return rows;
  }

  /** Every variable in the order of a login answer. */
  everything(): [name: string, value: string][] {
    return [...allVariables()].map(({ name }) => [name, this.#session.get(name) ?? '']);
  }

  /**
   * Sets a session value, checked.
   * @throws MysqlError for read-only and global-only variables and values that are not allowed
   */
  setSession(name: string, value: string | null): void {
    const spec = variableSpec(name);
    this.#refuseReadOnly(spec);
    if (!(spec.flags & VARIABLE_FLAG.SESSION)) throw new MysqlError('GLOBAL_VARIABLE', { name: spec.name });
    this.put(spec.name, checkedValue(spec, value));
  }

  setGlobal(name: string, value: string | null): void {
    const spec = variableSpec(name);
    this.#refuseReadOnly(spec);
    if (!(spec.flags & VARIABLE_FLAG.GLOBAL)) {
      throw new MysqlError('WRONG_VALUE_FOR_VARIABLE', { name: spec.name, value: `GLOBAL ${value}` });
    }
    this.#globals.set(spec, checkedValue(spec, value));
  }

  /** The value that DEFAULT stands for. */
  defaultOf(name: string, global: boolean): string {
    const spec = variableSpec(name);
    return global ? spec.defaultValue : this.#globals.get(spec);
  }

  /** Sets a session value as it is and notes the change for the answer. */
  put(name: string, value: string): void {
    this.#session.set(name, value);
    this.#changedSystem.set(name, value);
  }

  user(name: string): SqlValue {
    return this.#user.get(name.toLowerCase()) ?? null;
  }

  userType(name: string): SqlType {
    const value = this.user(name);
    if (value === null) return NULL_TYPE;
    if (typeof value === 'bigint') return BIGINT;
    const scale = this.#userScales.get(name.toLowerCase());
    if (typeof value === 'number') return scale === undefined ? DOUBLE : decimal(15, scale);
    if (typeof value === 'string') return value.length > 16_383 ? LONG_TEXT : varchar(Math.max(1, value.length));
    return varbinary(value.length);
  }

  /** @param scale digits behind the point when the value is a decimal */
  setUser(name: string, value: SqlValue, scale?: number): void {
    if (scale === undefined) this.#userScales.delete(name.toLowerCase());
    else this.#userScales.set(name.toLowerCase(), scale);
    this.#user.set(name.toLowerCase(), value);
    this.#changedUser.set(name.toLowerCase(), value);
  }

  /** What changed since the last call: system variables, and user variables as SQL literals. */
  takeChanges(): { system: [string, string][]; user: [string, string][] } {
    const changes = {
      system: [...this.#changedSystem],
      user: [...this.#changedUser].map(([name, value]): [string, string] => [name, this.#literalOf(name, value)]),
    };
    this.#changedSystem.clear();
    this.#changedUser.clear();
    return changes;
  }

  #literalOf(name: string, value: SqlValue): string {
    const scale = this.#userScales.get(name);
    return typeof value === 'number' && scale !== undefined ? value.toFixed(scale) : literal(value);
  }

  #refuseReadOnly(spec: VariableSpec): void {
    if (spec.flags & VARIABLE_FLAG.READ_ONLY) throw new MysqlError('READ_ONLY_VARIABLE', { name: spec.name });
  }
}

/** A value as it stands in SQL. */
function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, (character) => `\\${character}`)}'`;
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`;
  return String(value);
}
