/**
 * The table `white_list`: where clients of a tenant may log in from, as `10.0.0.0/8,192.0.2.7`. A row is the value of
 * `client_white_list` for the tenant; its name means nothing, as in the reference.
 */
import { fits } from '../command/config-table/condition.ts';
import type { TableChange } from '../command/config-table/table-statement.ts';
import type { TableRow } from '../command/config-table/tables.ts';
import type { ConfigStore } from '../config/config-store.ts';
import type { OverrideChange, OverrideStatus } from '../config/plan-overrides.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { PlannedTableChange } from './config-table.ts';

const PARAMETER = 'client_white_list';

export function whiteListRows(store: ConfigStore): TableRow[] {
  return statuses(store).map(rowOf);
}

/** @throws OdpError INVALID_ARGUMENT */
export function planWhiteList(store: ConfigStore, change: TableChange): PlannedTableChange {
  if (change.kind === 'delete') {
    const overrides = statuses(store)
      .filter((status) => fits(change.where, rowOf(status)))
      .map(({ scope }): OverrideChange => ({ name: PARAMETER, scope, value: null }));
    return { request: { changes: [], overrides, reason: 'DELETE FROM white_list' }, count: overrides.length };
  }
  const overrides = change.rows.map((row) => planRow(row, change.mode === 'insert'));
  const reason = `${change.mode.toUpperCase()} INTO white_list`;
  return { request: { changes: [], overrides, reason }, count: overrides.length };
}

function planRow({ cluster_name: cluster = '', tenant_name: tenant = '', value = '' }: TableRow, mustBeNew: boolean) {
  if (cluster === '' || tenant === '' || value.trim() === '') {
    throw new OdpError('INVALID_ARGUMENT', { detail: 'white_list needs a cluster_name, a tenant_name and a value' });
  }
  const scope = { level: 'LEVEL_TENANT', cluster, tenant, vip: '', vport: 0, vid: -1 } as const;
  const items = value.split(',').map((item) => EVERYBODY[item.trim()] ?? item.trim());
  return { name: PARAMETER, scope, value: items.join(';'), mustBeNew };
}

/** The reference lets everybody in by an address of zeros. */
const EVERYBODY: Readonly<Record<string, string>> = { '0.0.0.0': '0.0.0.0/0', '::': '::/0' };

function rowOf({ scope, text }: OverrideStatus): TableRow {
  const value = text.split(';').join(',');
  return { cluster_name: scope.cluster, tenant_name: scope.tenant, name: '', value };
}

function statuses(store: ConfigStore): OverrideStatus[] {
  return store.overrides().filter(({ spec, scope }) => spec.name === PARAMETER && scope.level === 'LEVEL_TENANT');
}
