/** The table `proxy_config` on top of the configuration: its rows, and what changes of them mean. */
import { fits } from '../command/config-table/condition.ts';
import type { ConfigRow, WrittenRow } from '../command/config-table/config-row.ts';
import type { TableChange } from '../command/config-table/table-statement.ts';
import { configLevels, type OverrideScope } from '../config/config-level.ts';
import type { ChangeRequest, ConfigStore } from '../config/config-store.ts';
import type { ParameterSpec } from '../config/parameter-spec.ts';
import { infoText } from '../config/parameter-table.ts';
import type { OverrideChange } from '../config/plan-overrides.ts';
import { secretMask } from '../config/values.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { Actor } from '../history/history-row.ts';

const everybody = { vid: -1, vip: '', vport: 0, tenant: '', cluster: '' };

/** Every row: parameters for everybody by name, then those for parts of the sessions. */
export function configRows(store: ConfigStore): ConfigRow[] {
  const rows = store.parameters().map(({ spec, storedText }) => rowOf(spec, storedText, everybody, 'LEVEL_GLOBAL'));
  rows.sort((left, right) => (left.name < right.name ? -1 : 1));
  return [...rows, ...store.overrides().map(({ spec, text, scope }) => rowOf(spec, text, scope, scope.level))];
}

/** A change of one of the tables, as the parameters it stands for; `count` are the rows written or removed. */
export interface PlannedTableChange {
  readonly request: Omit<ChangeRequest, keyof Actor>;
  readonly count: number;
}

/** @throws OdpError NOT_SUPPORTED for removing a LEVEL_GLOBAL row, INVALID_ARGUMENT, DUPLICATE_ROW */
export function planConfigRows(store: ConfigStore, change: TableChange): PlannedTableChange {
  return change.kind === 'delete' ? removal(store, change.where) : writing(change);
}

function writing({ mode, rows: written }: Extract<TableChange, { kind: 'write' }>): PlannedTableChange {
  // The table's defaults have filled in what a statement leaves out.
  const rows = written as readonly WrittenRow[];
  const changes: { name: string; value: string }[] = [];
  const overrides: OverrideChange[] = [];
  for (const row of rows) {
    const level = configLevels.find((known) => known === row.config_level.toUpperCase());
    if (level === undefined) {
      const detail = `config_level is one of ${configLevels.join(', ')}, not '${row.config_level}'`;
      throw new OdpError('INVALID_ARGUMENT', { detail });
    }
    const { name, value } = row;
    if (level === 'LEVEL_GLOBAL') {
      checkGlobal(row);
      if (mode === 'insert') throw new OdpError('DUPLICATE_ROW', { detail: `${name} for everybody` });
      changes.push({ name, value });
    } else overrides.push({ name, value, scope: scopeOf(row, level), mustBeNew: mode === 'insert' });
  }
  return { request: { changes, overrides, reason: `${mode.toUpperCase()} INTO proxy_config` }, count: rows.length };
}

function removal(store: ConfigStore, where: Parameters<typeof fits>[0]): PlannedTableChange {
  const global = store
    .parameters()
    .find(({ spec, storedText }) => fits(where, rowOf(spec, storedText, everybody, 'LEVEL_GLOBAL')));
  if (global !== undefined) {
    const detail = `removing the LEVEL_GLOBAL row of ${global.spec.name}, which the condition fits; ALTER PROXYCONFIG changes it`;
    throw new OdpError('NOT_SUPPORTED', { detail });
  }
  const overrides = store
    .overrides()
    .filter(({ spec, text, scope }) => fits(where, rowOf(spec, text, scope, scope.level)))
    .map(({ spec, scope }) => ({ name: spec.name, scope, value: null }));
  return { request: { changes: [], overrides, reason: 'DELETE FROM proxy_config' }, count: overrides.length };
}

function checkGlobal(row: WrittenRow): void {
  if (row.vid === '-1' && row.vport === '0' && row.vip === '' && row.tenant_name === '' && row.cluster_name === '')
    return;
  throw new OdpError('INVALID_ARGUMENT', {
    detail: 'LEVEL_GLOBAL goes without vid, vip, vport, tenant_name and cluster_name',
  });
}

function scopeOf(row: WrittenRow, level: OverrideScope['level']): OverrideScope {
  const { tenant_name: tenant, cluster_name: cluster, vip } = row;
  return { level, tenant, cluster, vip, vport: numberOf('vport', row.vport), vid: numberOf('vid', row.vid) };
}

function numberOf(column: string, text: string): number {
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new OdpError('INVALID_ARGUMENT', { detail: `${column} is a number, not '${text}'` });
}

function rowOf(spec: ParameterSpec, text: string, scope: Omit<OverrideScope, 'level'>, level: string): ConfigRow {
  return {
    vid: String(scope.vid),
    vip: scope.vip,
    vport: String(scope.vport),
    tenant_name: scope.tenant,
    cluster_name: scope.cluster,
    name: spec.name,
    // Of a secret only whether there is one (cases B99, B115).
    value: spec.secret && text !== '' ? secretMask : text,
    info: infoText(spec),
    range: spec.range,
    need_reboot: String(spec.needReboot),
    visible_level: spec.visibleLevel,
    config_level: level,
  };
}
