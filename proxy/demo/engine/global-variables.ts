import { MysqlError } from '../mysql-error.ts';
import type { EngineConnection } from './connection.ts';
import { systemVariableTable, type VariableKind } from './system-variable-table.ts';

export interface VariableSpec {
  readonly name: string;
  readonly kind: VariableKind;
  readonly defaultValue: string;
  readonly flags: number;
}

const specs: ReadonlyMap<string, VariableSpec> = new Map(
  systemVariableTable.map(([name, kind, value, flags]) => {
    const defaultValue = name === 'time_zone' ? machineTimeZone() : value;
    return [name.toLowerCase(), { name, kind, defaultValue, flags }];
  }),
);

/** MySQL's newer names of variables that the table has under the older ones. */
const SYNONYMS: Readonly<Record<string, string>> = {
  transaction_read_only: 'tx_read_only',
  transaction_isolation: 'tx_isolation',
};

/** @throws MysqlError UNKNOWN_VARIABLE */
export function variableSpec(name: string): VariableSpec {
  const lower = name.toLowerCase();
  const found = specs.get(lower) ?? specs.get(SYNONYMS[lower] ?? '');
  if (!found) throw new MysqlError('UNKNOWN_VARIABLE', { name });
  return found;
}

export function allVariables(): IterableIterator<VariableSpec> {
  return specs.values();
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  ob_read_consistency: ['', 'FROZEN', 'WEAK', 'STRONG'],
  ob_route_policy: ['', 'READONLY_ZONE_FIRST', 'ONLY_READONLY_ZONE', 'UNMERGE_ZONE_FIRST'],
  tx_isolation: ['READ-UNCOMMITTED', 'READ-COMMITTED', 'REPEATABLE-READ', 'SERIALIZABLE'],
};

/** Modes under which the translator would read or write other SQL than it knows. */
const REFUSED_MODES =
  /ANSI|PIPES_AS_CONCAT|NO_BACKSLASH_ESCAPES|ORACLE|MSSQL|DB2|POSTGRESQL|IGNORE_SPACE|HIGH_NOT_PRECEDENCE/;

/**
 * Brings a value to the form that the variable shows.
 * @throws MysqlError for a value that the variable cannot have
 */
export function checkedValue(spec: VariableSpec, value: string | null): string {
  const wrong = (): MysqlError =>
    new MysqlError('WRONG_VALUE_FOR_VARIABLE', { name: spec.name, value: value ?? 'NULL' });
  const text = value ?? '';
  if (spec.kind === 'bool') {
    if (/^(1|on|true)$/i.test(text)) return 'ON';
    if (/^(0|off|false)$/i.test(text)) return 'OFF';
    throw wrong();
  }
  if (spec.kind === 'int') {
    if (value === null || !/^-?\d+$/.test(text)) throw new MysqlError('WRONG_TYPE_FOR_VARIABLE', { name: spec.name });
    return String(BigInt(text));
  }
  if (spec.kind === 'decimal') {
    if (value === null || Number.isNaN(Number(text)))
      throw new MysqlError('WRONG_TYPE_FOR_VARIABLE', { name: spec.name });
    return text;
  }
  const choices = CHOICES[spec.name];
  if (choices) {
    const chosen = /^\d+$/.test(text) ? choices[Number(text)] : choices.find((choice) => choice === text.toUpperCase());
    if (!chosen) throw wrong();
    return chosen;
  }
  if (spec.name === 'sql_mode') {
    const mode = text.toUpperCase();
    if (REFUSED_MODES.test(mode)) throw new MysqlError('NOT_SUPPORTED', { detail: `sql_mode ${text}` });
    return mode;
  }
  if (spec.name === 'time_zone') return checkedTimeZone(text);
  if (/^(character_set_|collation_)/.test(spec.name)) return checkedCharset(spec.name, value);
  return text;
}

/** Offset of this machine's clock, which NOW() follows: `+00:00`. */
function machineTimeZone(): string {
  const minutes = -new Date().getTimezoneOffset();
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

function checkedTimeZone(text: string): string {
  const zone = text.replace(/^([+-])(\d):/, '$10$2:');
  if (zone.toUpperCase() === 'SYSTEM' || zone === machineTimeZone()) return machineTimeZone();
  throw new MysqlError('NOT_SUPPORTED', {
    detail: `the time zone ${text} (it has its machine's, ${machineTimeZone()})`,
  });
}

function checkedCharset(name: string, value: string | null): string {
  if (value === null && name === 'character_set_results') return '';
  const text = (value ?? '').toLowerCase();
  if (
    name.startsWith('collation_') &&
    /^(utf8mb4_(general_ci|bin|unicode_ci|0900_ai_ci)|utf8_(general_ci|bin)|binary)$/.test(text)
  )
    return text;
  if (name.startsWith('character_') && /^(utf8|utf8mb3|utf8mb4|binary|ascii)$/.test(text))
    return text.replace(/^utf8(mb3)?$/, 'utf8mb4');
  if (/^(latin1|gbk|gb18030|utf16|ascii|big5|sjis|latin1_\w+|gbk_\w+)/.test(text)) {
    throw new MysqlError('NOT_SUPPORTED', { detail: `the character set ${text}` });
  }
  throw new MysqlError('UNKNOWN_CHARSET', { charset: value ?? 'NULL' });
}

/** A tenant's global values that differ from the defaults, kept in its file. */
export class GlobalVariables {
  readonly #connection: EngineConnection;
  readonly #values = new Map<string, string>();
  /** Microseconds of the last change: `ob_proxy_global_variables_version`. */
  version = 0;

  constructor(connection: EngineConnection) {
    this.#connection = connection;
    connection.exec(
      'CREATE TABLE IF NOT EXISTS __variables (name TEXT PRIMARY KEY, value TEXT NOT NULL, changed INTEGER NOT NULL)',
    );
    for (const [name, value, changed] of connection.all('SELECT name, value, changed FROM __variables')) {
      this.#values.set(String(name), String(value));
      this.version = Math.max(this.version, Number(changed));
    }
  }

  get(spec: VariableSpec): string {
    return this.#values.get(spec.name) ?? spec.defaultValue;
  }

  set(spec: VariableSpec, value: string): void {
    this.version = Math.max(this.version + 1, Date.now() * 1000);
    this.#connection.run('INSERT OR REPLACE INTO __variables VALUES (:name, :value, :changed)', {
      ':name': spec.name,
      ':value': value,
      ':changed': this.version,
    });
    this.#values.set(spec.name, value);
  }
}
