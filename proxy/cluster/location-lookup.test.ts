import { describe, expect, it } from 'vitest';
import { parseRsList } from '../config/rs-list.ts';
import { LocationLookup } from './location-lookup.ts';
import { serversOfList } from './map-topology.ts';
import { type MetadataRow, ServerError } from './metadata-connection.ts';
import type { ClusterTopology } from './topology.ts';

const name = { tenant: 'trade', database: 'shop', table: 'orders' };
const rows: MetadataRow[] = [
  { svr_ip: '10.0.0.1', sql_port: '2881', role: '1', table_id: '7', part_num: '1', schema_version: '1' },
];

function setUp(answer: (address: string, sql: string) => MetadataRow[], list = '10.0.0.1:2881;10.0.0.2:2881') {
  const asked: { address: string; sql: string }[] = [];
  const world: { topology: ClusterTopology } = {
    topology: {
      clusterName: 'obdemo',
      revision: 1,
      source: 'views',
      zones: [],
      servers: serversOfList(parseRsList(list), ''),
      refreshedAtMs: 0,
      error: null,
    },
  };
  const lookup = new LocationLookup({
    query: async (address, sql) => {
      asked.push({ address, sql });
      return answer(address, sql);
    },
    topology: () => world.topology,
    random: () => 0,
  });
  return { lookup, asked, world };
}

describe('LocationLookup', () => {
  it("R4 asks for the table's own rows with a weak read", async () => {
    const { lookup, asked } = setUp(() => rows);
    const location = await lookup.lookupTable(name);
    expect(location?.replicas).toEqual([{ address: '10.0.0.1:2881', role: 'leader' }]);
    expect(asked.map(({ sql }) => sql)).toEqual([
      'SELECT /*+READ_CONSISTENCY(WEAK)*/ * FROM oceanbase.__all_virtual_proxy_schema ' +
        "WHERE tenant_name = 'trade' AND database_name = 'shop' AND table_name = 'orders' AND tablet_id = 0 " +
        'ORDER BY role ASC LIMIT 9223372036854775807',
    ]);
  });

  it('quotes names', async () => {
    const { lookup, asked } = setUp(() => []);
    expect(await lookup.lookupTable({ ...name, table: "o' OR 1=1 -- \\" })).toBeNull();
    expect(asked[0]?.sql).toContain("table_name = 'o'' OR 1=1 -- \\\\' AND");
  });

  it('gives the servers of a tenant, and none for an unknown tenant', async () => {
    const { lookup, asked } = setUp((_address, sql) => (sql.includes("'trade'") ? rows : []));
    expect(await lookup.lookupTenantServers('trade')).toEqual([{ address: '10.0.0.1:2881', role: 'leader' }]);
    expect(asked[0]?.sql).toContain("database_name = 'oceanbase' AND table_name = '__all_dummy' ORDER BY");
    expect(await lookup.lookupTenantServers('nosuch')).toEqual([]);
  });

  it('R5 gives the servers of a tenant as the place of its dummy table, too', async () => {
    const { lookup, asked } = setUp(() => rows);
    const dummy = { tenant: 'trade', database: 'oceanbase', table: '__all_dummy' };
    expect((await lookup.lookupTable(dummy))?.replicas).toEqual([{ address: '10.0.0.1:2881', role: 'leader' }]);
    expect(asked[0]?.sql).not.toContain('tablet_id = 0');
  });

  it("case B76 c: goes on to the next server, and tells every server's failure when none can answer", async () => {
    const dead = new Set(['10.0.0.1:2881']);
    const { lookup, asked } = setUp((address) => {
      if (dead.has(address)) throw new Error('timed out');
      return rows;
    });
    expect((await lookup.lookupTable(name))?.tableId).toBe('7');
    await lookup.lookupTable(name);
    expect(asked.map(({ address }) => address)).toEqual(['10.0.0.1:2881', '10.0.0.2:2881', '10.0.0.2:2881']);
    dead.add('10.0.0.2:2881');
    await expect(lookup.lookupTable(name)).rejects.toMatchObject({
      code: 'LOCATION_UNAVAILABLE',
      message: 'Get Location Cache Fail: 10.0.0.2:2881: timed out; 10.0.0.1:2881: timed out',
    });
  });

  it('asks three servers at most, the active ones first', async () => {
    const list = '10.0.0.1:2881;10.0.0.2:2881;10.0.0.3:2881;10.0.0.4:2881;10.0.0.5:2881';
    const { lookup, asked, world } = setUp(() => {
      throw new Error('down');
    }, list);
    const servers = world.topology.servers.map((server, index) =>
      index < 3 ? { ...server, state: 'INACTIVE' as const } : server,
    );
    world.topology = { ...world.topology, servers };
    await expect(lookup.lookupTable(name)).rejects.toThrow('down');
    expect(asked.map(({ address }) => address)).toEqual(['10.0.0.4:2881', '10.0.0.5:2881', '10.0.0.1:2881']);
  });

  it('has a clear error when the cluster has no servers', async () => {
    const { lookup, world } = setUp(() => rows);
    world.topology = { ...world.topology, servers: [] };
    await expect(lookup.lookupTable(name)).rejects.toThrow('the cluster has no servers');
  });

  it("uses V3's key column where the server has no tablets, and remembers it", async () => {
    const { lookup, asked } = setUp((_address, sql) => {
      if (sql.includes('tablet_id')) throw new ServerError(1054, "Unknown column 'tablet_id' in 'where clause'");
      return rows;
    });
    await lookup.lookupTable(name);
    await lookup.lookupTable(name);
    expect(asked.map(({ sql }) => /\w+_id = 0/.exec(sql)?.[0])).toEqual([
      'tablet_id = 0',
      'partition_id = 0',
      'partition_id = 0',
    ]);
  });
});
