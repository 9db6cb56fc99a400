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
    maxEntries: 10,
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
