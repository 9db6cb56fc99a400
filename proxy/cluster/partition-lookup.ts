/** Asking a cluster how a table is partitioned (reference proxy's partition queries, V4). */
import { mapPartitioning } from './map-partitioning.ts';
import type { MetadataRow } from './metadata-connection.ts';
import type { Partitioning } from './partitioning.ts';
import { ALL_ROWS, quoteText, WEAK_READ } from './sql-text.ts';

/**
 * Null when its partitions can't be calculated (see `mapPartitioning`). Rejects when nobody answers, or what is
 * answered can't be read.
 * @param tableId decimal text
 * @param query rows of one SELECT from any server of the cluster
 */
export async function lookupPartitioning(
  tenant: string,
  tableId: string,
  query: (sql: string) => Promise<MetadataRow[]>,
): Promise<Partitioning | null> {
  if (!/^\d+$/.test(tableId)) return null;
  const where = `WHERE tenant_name = ${quoteText(tenant)} AND table_id = ${tableId}`;
  const from = 'FROM oceanbase.__all_virtual_proxy_';
  const info = await query(`SELECT ${WEAK_READ} * ${from}partition_info ${where} ORDER BY part_key_idx ${ALL_ROWS}`);
  if (info.length === 0) return null;
  const bound = 'HEX(high_bound_val_bin) AS high_bound';
  const columns = `part_id, part_name, part_position, tablet_id, ${bound}`;
  const parts = await query(`SELECT ${WEAK_READ} ${columns} ${from}partition ${where} ${ALL_ROWS}`);
  if (info[0]?.part_level !== '2') return mapPartitioning(info, parts, []);
  const subColumns = `part_id, part_name, sub_part_position, tablet_id, ${bound}`;
  const subParts = await query(`SELECT ${WEAK_READ} ${subColumns} ${from}sub_partition ${where} ${ALL_ROWS}`);
  return mapPartitioning(info, parts, subParts);
}
