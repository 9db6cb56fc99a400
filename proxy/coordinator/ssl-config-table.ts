/** The table `ssl_config`: its row for everybody (`*`, `*`, `key_info`) is the parameter `ssl_key_info`. */
import { fits } from '../command/config-table/condition.ts';
import type { TableChange } from '../command/config-table/table-statement.ts';
import type { TableRow } from '../command/config-table/tables.ts';
import type { ConfigStore } from '../config/config-store.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { PlannedTableChange } from './config-table.ts';

const PARAMETER = 'ssl_key_info';
const EVERYBODY = '*';
const NAME = 'key_info';

export function sslConfigRows(store: ConfigStore): TableRow[] {
  const value = store.parameter(PARAMETER).storedText;
  return value === '' ? [] : [{ cluster_name: EVERYBODY, tenant_name: EVERYBODY, name: NAME, value }];
}

/** @throws OdpError NOT_SUPPORTED for certificates of one cluster or tenant, INVALID_ARGUMENT, DUPLICATE_ROW */
export function planSslConfig(store: ConfigStore, change: TableChange): PlannedTableChange {
  const before = sslConfigRows(store);
  if (change.kind === 'delete') {
    const count = before.filter((row) => fits(change.where, row)).length;
    const changes = count === 0 ? [] : [{ name: PARAMETER, value: '' }];
    return { request: { changes, reason: 'DELETE FROM ssl_config' }, count };
  }
  for (const row of change.rows) check(row);
  if (change.rows.length > 1)
    throw new OdpError('INVALID_ARGUMENT', { detail: 'the row of ssl_config is given twice' });
  if (change.mode === 'insert' && before.length > 0) {
    throw new OdpError('DUPLICATE_ROW', { detail: `${NAME} for everybody` });
  }
  const changes = change.rows.map(({ value = '' }) => ({ name: PARAMETER, value }));
  return { request: { changes, reason: `${change.mode.toUpperCase()} INTO ssl_config` }, count: changes.length };
}

function check({ cluster_name: cluster = '', tenant_name: tenant = '', name = '', value = '' }: TableRow): void {
  if (name !== NAME) throw new OdpError('NOT_SUPPORTED', { detail: `'${name}' in ssl_config; ${NAME} is` });
  if (cluster !== EVERYBODY || tenant !== EVERYBODY) {
    const detail = `ssl_config for '${tenant}' of '${cluster}': one certificate serves all, give '*' and '*'`;
    throw new OdpError('NOT_SUPPORTED', { detail });
  }
  if (value === '') throw new OdpError('INVALID_ARGUMENT', { detail: 'the value of key_info is empty' });
}
