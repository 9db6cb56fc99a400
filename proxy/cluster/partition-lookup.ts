/** Asking a cluster how a table is partitioned (reference proxy's partition queries, V4). */
import { orderColumns } from './map-columns.ts';
import { mapPartitioning, type TableColumns } from './map-partitioning.ts';
import type { MetadataRow } from './metadata-connection.ts';
import type { Partitioning } from './partitioning.ts';
import { ALL_ROWS, quoteText, WEAK_READ } from './sql-text.ts';

/** SELECT with rows from any server of the cluster. */
type Query = (sql: string) => Promise<MetadataRow[]>;

/**
 * Null when its partitions can't be calculated (see `mapPartitioning`). Rejects when nobody answers, or what is
 * answered can't be read.
 * @param tableId decimal text
 * @param onColumnsUnknown told why INSERTs that need the order or the defaults of the columns stay undecided
 */
export async function lookupPartitioning(
  tenant: string,
  tableId: string,
  query: Query,
  onColumnsUnknown: (error: unknown) => void,
): Promise<Partitioning | null> {
  if (!/^\d+$/.test(tableId)) return null;
  const where = `WHERE tenant_name = ${quoteText(tenant)} AND table_id = ${tableId}`;
  const from = 'FROM oceanbase.__all_virtual_proxy_';
  const info = await query(`SELECT ${WEAK_READ} * ${from}partition_info ${where} ORDER BY part_key_idx ${ALL_ROWS}`);
  if (info.length === 0) return null;
  const bound = 'HEX(high_bound_val_bin) AS high_bound';
  const columns = `part_id, part_name, part_position, tablet_id, ${bound}`;
  const parts = await query(`SELECT ${WEAK_READ} ${columns} ${from}partition ${where} ${ALL_ROWS}`);
  const subColumns = `part_id, part_name, sub_part_position, tablet_id, ${bound}`;
  const subParts =
    info[0]?.part_level === '2'
      ? await query(`SELECT ${WEAK_READ} ${subColumns} ${from}sub_partition ${where} ${ALL_ROWS}`)
      : [];
  const table = await lookupColumns(tenant, tableId, query).catch((error: unknown) => {
    onColumnsUnknown(error);
    return null;
  });
  return mapPartitioning(info, parts, subParts, table);
}

/**
 * The reference proxy goes by part_key_idx for an INSERT without a list of columns; that counts columns in the order in
 * which they were made, which ADD COLUMN … FIRST and AFTER do not follow.
 */
async function lookupColumns(tenant: string, tableId: string, query: Query): Promise<TableColumns | null> {
  const isSys = tenant === 'sys';
  const ofTenant = `SELECT tenant_id FROM oceanbase.DBA_OB_TENANTS WHERE tenant_name = ${quoteText(tenant)}`;
  const names =
    'column_id, column_name, prev_column_id, is_hidden, nullable, autoincrement, column_flags, data_type, ' +
    'collation_type, data_length, data_precision, data_scale, cur_default_value_v2 IS NOT NULL AS has_default';
  const rows = await query(
    `SELECT ${WEAK_READ} ${names} FROM oceanbase.__all_virtual_column WHERE tenant_id = ${isSys ? 1 : `(${ofTenant})`} AND table_id = ${tableId} ${ALL_ROWS}`,
  );
  const columns = orderColumns(rows);
  if (columns === null) return null;
  const defaults = await query(
    `SELECT ${WEAK_READ} part_key_name, HEX(part_key_default_value) AS default_value FROM oceanbase.__all_virtual_proxy_partition_info WHERE tenant_name = ${quoteText(tenant)} AND table_id = ${tableId} ${ALL_ROWS}`,
  );
  return {
    columns,
    defaults: new Map(defaults.map((row) => [(row.part_key_name ?? '').toLowerCase(), row.default_value ?? null])),
  };
}
