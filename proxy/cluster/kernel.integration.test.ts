import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseRsList } from '../config/rs-list.ts';
import { connectAsRoot, prepareKernel, startKernel } from '../testing/kernel.ts';
import { describeWith } from '../testing/part.ts';
import { ClusterMonitor } from './cluster-monitor.ts';
import { LocationLookup } from './location-lookup.ts';
import { MetadataClient } from './metadata-client.ts';
import { lookupRoutine } from './routine-lookup.ts';

/** Default of `observer_sys_password`, which the posed cluster's account has too. */
const DEFAULT_PASSWORD = 'ee0e5138c912aed80b683c05303684be347ce81d';

const kernel = await startKernel();
afterAll(() => kernel.close());

describeWith(kernel, 'cluster metadata of a genuine kernel', (part) => {
  const client = new MetadataClient({ passwords: () => [DEFAULT_PASSWORD] });
  const query = (server: string, sql: string) => client.query(server, sql);
  let monitor: ClusterMonitor;
  let lookup: LocationLookup;

  beforeAll(() => {
    const rsList = parseRsList(part.address);
    monitor = new ClusterMonitor({ clusterName: 'obkernel', rsList, query, intervalMs: () => 20_000 });
    lookup = new LocationLookup({ query, topology: () => monitor.topology });
  });
  afterAll(() => client.close());

  it('without the account proxyro tells that it is missing and how to create it', async () => {
    await monitor.refreshNow();
    expect(monitor.topology).toMatchObject({ source: 'rslist', revision: 0, refreshedAtMs: null });
    expect(monitor.topology.error).toContain(`${part.address} refuses the proxy's internal account 'proxyro@sys'`);
    expect(monitor.topology.error).toContain('CREATE USER proxyro');
  });

  it('once that has been followed, counts the kernel as active: it has no server view', async () => {
    const root = await connectAsRoot(part);
    // Another password than the default: the words of the error message, not the helper's set-up, are on trial here.
    await root.query("CREATE USER proxyro IDENTIFIED BY 'chosen by me'");
    await root.query('GRANT SELECT ON oceanbase.* TO proxyro');
    const chosen = createHash('sha1').update('chosen by me').digest('hex');
    const own = new MetadataClient({ passwords: () => [DEFAULT_PASSWORD, chosen] });
    const rsList = parseRsList(part.address);
    const ownMonitor = new ClusterMonitor({
      clusterName: 'obkernel',
      rsList,
      query: (server, sql) => own.query(server, sql),
      intervalMs: () => 20_000,
    });
    await ownMonitor.refreshNow();
    expect(ownMonitor.topology).toMatchObject({ source: 'rslist', error: null, revision: 1 });
    expect(ownMonitor.topology.servers).toMatchObject([{ address: part.address, state: 'ACTIVE' }]);
    ownMonitor.close();
    await own.close();
    await root.query('DROP USER proxyro');
    await root.end();
  });

  it('R6 reads zones and servers once it poses as a cluster', async () => {
    await prepareKernel(part);
    client.retainOnly([]);
    await monitor.refreshNow();
    expect(monitor.topology.error).toBeNull();
    expect(monitor.topology).toMatchObject({
      source: 'views',
      zones: [{ name: 'zone1', region: 'SHANGHAI', idc: 'idc1', state: 'ACTIVE' }],
      servers: [{ address: part.address, zone: 'zone1', state: 'ACTIVE' }],
    });
  });

  it('R4 finds a partitioned table at the kernel itself, and no missing one', async () => {
    const location = await lookup.lookupTable({ tenant: 'sys', database: 'trade', table: 'orders' });
    expect(location?.replicas).toEqual([{ address: part.address, role: 'leader' }]);
    expect(location?.partitionCount).toBeGreaterThan(1);
    expect(location?.tableId).toMatch(/^\d+$/);
    expect(await lookup.lookupTable({ tenant: 'sys', database: 'trade', table: "n'o\\such" })).toBeNull();
    expect(await lookup.lookupTable({ tenant: 'nosuch', database: 'trade', table: 'orders' })).toBeNull();
  });

  it('R4 tells by which statement CALL of a procedure is routed', async () => {
    const root = await connectAsRoot(part);
    await root.query('USE trade');
    await root.query(
      'CREATE PROCEDURE by_table(a INT) BEGIN SET @x = 1; UPDATE customers SET id = id WHERE id = a; END',
    );
    await root.query('CREATE PROCEDURE by_none() SELECT 1');
    await root.end();
    const find = (database: string, name: string, ...qualifiers: string[]) =>
      lookupRoutine('sys', database, { qualifiers, name }, (sql) => lookup.query(sql));
    expect(await find('trade', 'BY_TABLE')).toMatchObject({
      database: 'trade',
      packageName: '',
      name: 'by_table',
      routineType: 1,
      routeSql: 'UPDATE customers SET id = id WHERE id = :0',
    });
    expect(await find('', 'by_none', 'trade')).toMatchObject({ name: 'by_none', routeSql: '' });
    expect(await find('trade', 'nosuch', 'trade')).toBeNull();
  });

  it('gives the servers of its tenant and none of an unknown one', async () => {
    expect(await lookup.lookupTenantServers('sys')).toEqual([{ address: part.address, role: 'leader' }]);
    expect(await lookup.lookupTenantServers('nosuch')).toEqual([]);
  });
});
