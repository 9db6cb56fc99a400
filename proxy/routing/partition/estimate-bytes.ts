/** What a table's partitioning holds in memory. Compared with the heap by `npm run bench -- --micro`. */
import type { BoundValue, Partition, Partitioning } from '../../cluster/partitioning.ts';

/** The entry, its key and its ways in; the rules with their columns and expressions. */
const ENTRY_BYTES = 480;
const RULE_BYTES = 1_200;
/** The partition, its two short texts and its lists. */
const PARTITION_BYTES = 128;
const ROW_BYTES = 32;
const NUMBER_BYTES = 32;
const BUFFER_BYTES = 176;

/** Estimated: objects by their shape, texts by their length. */
export function estimateBytes(partitioning: Partitioning | null): number {
  if (partitioning === null) return ENTRY_BYTES;
  return ENTRY_BYTES + RULE_BYTES + sum(partitioning.partitions, partitionBytes);
}

function partitionBytes({ name, tabletId, bounds, subPartitions }: Partition): number {
  const rows = sum(bounds, (row) => ROW_BYTES + sum(row, valueBytes));
  return PARTITION_BYTES + name.length + tabletId.length + rows + sum(subPartitions, partitionBytes);
}

function valueBytes(value: BoundValue): number {
  if (typeof value === 'bigint') return NUMBER_BYTES;
  return value === null || value === 'max' ? 0 : BUFFER_BYTES + value.length;
}

function sum<Item>(items: readonly Item[], bytesOf: (item: Item) => number): number {
  let bytes = 0;
  for (const item of items) bytes += bytesOf(item);
  return bytes;
}
