import { describe, expect, it } from 'vitest';
import { type MetadataRow, ServerError } from './metadata-connection.ts';
import { tenantNames } from './tenant-names.ts';
import type { ClusterTopology } from './topology.ts';

const topology = {
  servers: [
    { address: 'a', state: 'INACTIVE' },
    { address: 'b', state: 'ACTIVE' },
    { address: 'c', state: 'ACTIVE' },
  ],
} as unknown as ClusterTopology;

type Answer = (address: string, sql: string) => MetadataRow[];

function names(answer: Answer) {
  const asked: string[] = [];
  const clock = { nowMs: 0 };
  const tenants = tenantNames({
    query: async (address, sql) => {
      asked.push(address);
      return answer(address, sql);
    },
    topology: () => topology,
    nowMs: () => clock.nowMs,
    lifetimeMs: 5000,
  });
  return { tenants, asked, clock };
}

const rows: MetadataRow[] = [{ tenant_name: 'sys' }, { tenant_name: 'trade' }];
const absent = (): never => {
  throw new ServerError(1146, 'no such table');
};

describe('the names of the tenants', () => {
  it('are asked for once in a while, however many want them', async () => {
    const { tenants, asked, clock } = names(() => rows);
    expect(await Promise.all([tenants.get(), tenants.get()])).toEqual([
      ['sys', 'trade'],
      ['sys', 'trade'],
    ]);
    clock.nowMs = 4999;
    await tenants.get();
    expect(asked).toEqual(['b']);
    clock.nowMs = 5000;
    await tenants.get();
    expect(asked).toEqual(['b', 'b']);
  });

  it('come from the table of older versions where there is no view', async () => {
    const { tenants } = names((_address, sql) => (sql.includes('DBA_OB_TENANTS') ? absent() : rows));
    expect(await tenants.get()).toEqual(['sys', 'trade']);
  });

  it('are not told by a server that is no OceanBase', async () => {
    expect(await names(absent).tenants.get()).toBeNull();
  });

  it('are asked of another server when one fails, of those that are down last', async () => {
    const { tenants, asked } = names((address) => {
      if (address !== 'a') throw new Error(`${address} is silent`);
      return rows;
    });
    expect(await tenants.get()).toEqual(['sys', 'trade']);
    expect(asked).toEqual(['b', 'c', 'a']);
  });

  it('are an error that tells every failure when nobody answers', async () => {
    const { tenants } = names((address) => {
      throw new Error(`${address} is silent`);
    });
    await expect(tenants.get()).rejects.toThrow(/b is silent.*c is silent.*a is silent/);
  });
});
