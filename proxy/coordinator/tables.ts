/** The tables of root@proxysys on top of the configuration: what is in them, and what changes of them mean. */
import type { TableChange } from '../command/config-table/table-statement.ts';
import type { TableName, TableRow } from '../command/config-table/tables.ts';
import type { ConfigStore } from '../config/config-store.ts';
import { requireEverywhere } from '../config/part-outcome.ts';
import type { Actor } from '../history/history-row.ts';
import { configRows, type PlannedTableChange, planConfigRows } from './config-table.ts';
import { planResourceUnits, resourceUnits } from './resource-unit-table.ts';
import { planSslConfig, sslConfigRows } from './ssl-config-table.ts';
import { planWhiteList, whiteListRows } from './white-list-table.ts';

interface StoredTable {
  rows(store: ConfigStore): readonly TableRow[];
  /** @throws OdpError why the change cannot be made */
  plan(store: ConfigStore, change: TableChange): PlannedTableChange;
}

const storedTables: Readonly<Record<TableName, StoredTable>> = {
  proxy_config: { rows: configRows, plan: planConfigRows },
  resource_unit: { rows: resourceUnits, plan: planResourceUnits },
  ssl_config: { rows: sslConfigRows, plan: planSslConfig },
  white_list: { rows: whiteListRows, plan: planWhiteList },
};

export const tableRows = (store: ConfigStore, table: TableName): readonly TableRow[] => storedTables[table].rows(store);

/** All rows are changed or none is. @returns rows written or removed @throws OdpError what plan and store throw */
export async function changeTable(store: ConfigStore, change: TableChange, actor: Actor): Promise<number> {
  let affected = 0;
  const { workers } = await store.change(() => {
    const { request, count } = storedTables[change.table].plan(store, change);
    affected = count;
    return { ...actor, ...request };
  });
  requireEverywhere(workers);
  return affected;
}
