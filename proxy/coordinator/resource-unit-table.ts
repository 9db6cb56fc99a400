/**
 * The table `resource_unit`: how many client sessions a tenant may have, as `[{"vip":"","value":100}]`. Each entry is a
 * value of `resource_max_connections`, for the tenant or, with an address, for those who come to it.
 */
import { fits } from '../command/config-table/condition.ts';
import type { TableChange } from '../command/config-table/table-statement.ts';
import type { TableRow } from '../command/config-table/tables.ts';
import { canonicalVip } from '../config/check-scope.ts';
import type { OverrideScope } from '../config/config-level.ts';
import type { ConfigStore } from '../config/config-store.ts';
import type { OverrideChange, OverrideStatus } from '../config/plan-overrides.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';
import type { PlannedTableChange } from './config-table.ts';

const NAME = 'resource_max_connections';

interface Entry {
  readonly vip: string;
  readonly value: number;
}

/** One row for each tenant, with its entries in the order of the addresses. */
export function resourceUnits(store: ConfigStore): TableRow[] {
  const entries = Map.groupBy(statuses(store), ({ scope }) => keyOf(scope.cluster, scope.tenant));
  return [...entries.values()].map((group) => {
    const { cluster, tenant } = (group[0] as OverrideStatus).scope;
    const value = group
      .map(({ scope: { vip }, text }) => ({ vip, value: Number(text) }))
      .sort((left, right) => (left.vip < right.vip ? -1 : 1));
    return { cluster_name: cluster, tenant_name: tenant, name: NAME, value: JSON.stringify(value) };
  });
}

/** A row replaces all entries of its tenant. @throws OdpError NOT_SUPPORTED, INVALID_ARGUMENT, DUPLICATE_ROW */
export function planResourceUnits(store: ConfigStore, change: TableChange): PlannedTableChange {
  if (change.kind === 'delete') {
    const removed = resourceUnits(store).filter((row) => fits(change.where, row));
    const keys = new Set(removed.map(({ cluster_name = '', tenant_name = '' }) => keyOf(cluster_name, tenant_name)));
    const overrides = statuses(store)
      .filter(({ scope }) => keys.has(keyOf(scope.cluster, scope.tenant)))
      .map(({ scope }): OverrideChange => ({ name: NAME, scope, value: null }));
    return { request: { changes: [], overrides, reason: 'DELETE FROM resource_unit' }, count: removed.length };
  }
  const overrides = change.rows.flatMap((row) => planRow(store, row, change.mode));
  const reason = `${change.mode.toUpperCase()} INTO resource_unit`;
  return { request: { changes: [], overrides, reason }, count: change.rows.length };
}

function planRow(store: ConfigStore, row: TableRow, mode: 'insert' | 'replace'): OverrideChange[] {
  const { cluster_name: cluster = '', tenant_name: tenant = '', name = '', value = '' } = row;
  if (name !== NAME) throw new OdpError('NOT_SUPPORTED', { detail: `'${name}' in resource_unit; ${NAME} is` });
  if (cluster === '' || tenant === '') {
    throw new OdpError('INVALID_ARGUMENT', { detail: 'resource_unit needs a cluster_name and a tenant_name' });
  }
  const before = statuses(store).filter(({ scope }) => keyOf(scope.cluster, scope.tenant) === keyOf(cluster, tenant));
  if (mode === 'insert' && before.length > 0) {
    throw new OdpError('DUPLICATE_ROW', { detail: `${NAME} of tenant ${tenant} in ${cluster}` });
  }
  const entries = readEntries(value);
  const written = entries.map(({ vip, value: limit }): OverrideChange => {
    const level = vip === '' ? 'LEVEL_TENANT' : 'LEVEL_VIP';
    return { name: NAME, scope: { level, cluster, tenant, vip, vport: 0, vid: -1 }, value: String(limit) };
  });
  const kept = new Set(entries.map(({ vip }) => vip));
  const removed = before.filter(({ scope }) => !kept.has(scope.vip));
  return [...written, ...removed.map(({ scope }): OverrideChange => ({ name: NAME, scope, value: null }))];
}

/** @throws OdpError INVALID_ARGUMENT */
function readEntries(text: string): Entry[] {
  const refused = (why: string) =>
    new OdpError('INVALID_ARGUMENT', { detail: `value is JSON like [{"vip":"","value":100}], and '${text}' ${why}` });
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw refused(`is none: ${errorText(error)}`);
  }
  if (!Array.isArray(list) || list.length === 0) throw refused('is no list of entries');
  return list.map((entry: unknown) => {
    const { vip = '', value } = (entry ?? {}) as { vip?: unknown; value?: unknown };
    if (typeof vip !== 'string') throw refused('has a vip that is no text');
    if (typeof value !== 'number' || !Number.isInteger(value)) throw refused('has a value that is no integer');
    return { vip: vip === '' ? vip : canonicalVip(vip), value };
  });
}

/** The values that the table can show: for a tenant, or for a tenant at an address, whatever the port. */
function statuses(store: ConfigStore): OverrideStatus[] {
  const isShown = ({ level, cluster, tenant, vport, vid }: OverrideScope): boolean =>
    level !== 'LEVEL_CLUSTER' && cluster !== '' && tenant !== '' && vport === 0 && vid === -1;
  return store.overrides().filter(({ spec, scope }) => spec.name === NAME && isShown(scope));
}

const keyOf = (cluster: string, tenant: string): string => JSON.stringify([cluster, tenant]).toLowerCase();
