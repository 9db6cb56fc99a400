import { expect, it } from 'vitest';
import type { Partitioning } from '../../cluster/partitioning.ts';
import type { TableLocation } from '../../cluster/topology.ts';
import { PartitioningCache } from './partitioning-cache.ts';

const partitioning: Partitioning = {
  rule: { kind: 'hash', columns: [], expression: null },
  subRule: null,
  partitions: [],
};
const table = (schemaVersion: string): TableLocation => ({
  tenant: 't',
  database: 'd',
  table: 'x',
  tableId: '1',
  partitionCount: 2,
  schemaVersion,
  replicas: [],
});

it('asks once per version of a table, and after a failure again in a while', async () => {
  let nowMs = 0;
  let asked = 0;
  let fails = true;
  const errors: unknown[] = [];
  const cache = new PartitioningCache({
    load: async () => {
      asked += 1;
      if (fails) throw new Error('nobody answers');
      return partitioning;
    },
    onLoadError: (error) => errors.push(error),
    nowMs: () => nowMs,
    maxBytes: () => 100_000,
    retryAfterMs: 100,
  });
  expect(await Promise.all([cache.get(table('1')), cache.get(table('1'))])).toEqual([null, null]);
  expect([asked, errors.length]).toEqual([1, 1]);
  expect(cache.get(table('1'))).toBeNull();
  fails = false;
  nowMs = 100;
  expect(await cache.get(table('1'))).toBe(partitioning);
  expect(cache.get(table('1'))).toBe(partitioning);
  expect(asked).toBe(2);
  expect(await cache.get(table('2'))).toBe(partitioning);
  expect(asked).toBe(3);
});

it('is bounded in bytes: what was used longest ago goes first, and is asked for again', async () => {
  let nowMs = 0;
  const asked: string[] = [];
  const limit = { bytes: 6_000 };
  const cache = new PartitioningCache({
    load: async (_tenant, tableId) => {
      asked.push(tableId);
      return partitioning;
    },
    onLoadError: () => undefined,
    nowMs: () => nowMs,
    maxBytes: () => limit.bytes,
    retryAfterMs: 100,
  });
  const tables = Array.from({ length: 6 }, (_, at) => ({ ...table('1'), tableId: String(at) }));
  const [first = table('1')] = tables;
  for (const other of tables) {
    nowMs += 1_000;
    await cache.get(other);
    await cache.get(first);
  }
  expect(cache.bytes).toBeLessThanOrEqual(limit.bytes);
  expect(tables.filter((other) => cache.peek(other) !== null).map(({ tableId }) => tableId)).toEqual(['0', '4', '5']);
  await cache.get(tables[1] ?? first);
  expect(asked).toEqual(['0', '1', '2', '3', '4', '5', '1']);
  limit.bytes = 1;
  cache.shrink();
  expect(tables.filter((other) => cache.peek(other) !== null)).toHaveLength(1);
});
