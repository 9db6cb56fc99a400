import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTables, type TableBench } from './testing-tables.ts';

let bench: TableBench;
beforeEach(async () => {
  bench = await openTables();
});
afterEach(() => bench.close());

const run = (sql: string): Promise<unknown> => bench.run(sql);

const replace = (rows: string) =>
  `REPLACE INTO proxy_config(cluster_name, tenant_name, name, value, config_level) VALUES ${rows}`;
const levels = "SELECT cluster_name, tenant_name, value, config_level FROM proxy_config WHERE name = 'proxy_idc_name'";

describe('the table proxy_config', () => {
  it('case B96: REPLACE writes many rows, SELECT shows them beside the global one, DELETE tells how many it removed', async () => {
    const rows =
      "('c1', '', 'proxy_idc_name', 'a', 'LEVEL_CLUSTER'), ('c1', 't1', 'proxy_idc_name', 'b', 'level_tenant')";
    expect(await run(replace(rows))).toBe(2);
    expect(await run(levels)).toEqual([
      ['', '', '', 'LEVEL_GLOBAL'],
      ['c1', '', 'a', 'LEVEL_CLUSTER'],
      ['c1', 't1', 'b', 'LEVEL_TENANT'],
    ]);
    expect(await run("SELECT COUNT(*) FROM proxy_config WHERE cluster_name <> ''")).toEqual([['2']]);
    expect(await run("DELETE FROM proxy_config WHERE tenant_name = 't2'")).toBe(0);
    expect(await run("DELETE FROM proxy_config WHERE tenant_name = 't1' AND config_level = 'LEVEL_CLUSTER'")).toBe(0);
    expect(await run("DELETE FROM proxy_config WHERE tenant_name = 't1'")).toBe(1);
    expect(await run(`${levels} AND config_level <> 'LEVEL_GLOBAL'`)).toEqual([['c1', '', 'a', 'LEVEL_CLUSTER']]);
    const { rows: written } = await bench.history.log.page({}, 10);
    expect(written.map(({ reason, scope, newValue }) => [reason, scope, newValue])).toEqual([
      ['DELETE FROM proxy_config', 'tenant=t1 cluster=c1', null],
      ['REPLACE INTO proxy_config', 'tenant=t1 cluster=c1', 'b'],
      ['REPLACE INTO proxy_config', 'cluster=c1', 'a'],
    ]);
  });

  it('a LEVEL_GLOBAL row is the parameter itself, and cannot be removed', async () => {
    expect(await run(replace("('', '', 'proxy_idc_name', 'g', 'LEVEL_GLOBAL')"))).toBe(1);
    expect(bench.store.parameter('proxy_idc_name').text).toBe('g');
    await expect(run("DELETE FROM proxy_config WHERE name = 'proxy_idc_name'")).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      message: expect.stringContaining('LEVEL_GLOBAL row of proxy_idc_name'),
    });
    await expect(run('DELETE FROM proxy_config')).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
    await expect(run(replace("('c1', '', 'proxy_idc_name', 'g', 'LEVEL_GLOBAL')"))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('case B95 case B96: one bad row keeps all out, with what is wrong', async () => {
    const good =
      "('c1', '', 'proxy_idc_name', 'a', 'LEVEL_CLUSTER'), ('', '', 'proxy_idc_name', 'g', 'LEVEL_GLOBAL'), ";
    const bad: [string, string][] = [
      ["('c1', '', 'proxy_idc', 'a', 'LEVEL_CLUSTER')", 'UNKNOWN_PARAMETER'],
      ["('c1', '', 'enable_congestion', 'true', 'LEVEL_CLUSTER')", 'PARAMETER_NOT_ALTERABLE'],
      ["('c1', '', 'obproxy_read_only', '2', 'LEVEL_CLUSTER')", 'INVALID_PARAMETER'],
      ["('c1', '', 'obproxy_read_only', '1', 'LEVEL_TENANT')", 'INVALID_ARGUMENT'],
      ["('c1', '', 'obproxy_read_only', '1', 'LEVEL_ZONE')", 'INVALID_ARGUMENT'],
      ["('C1', '', 'proxy_idc_name', 'b', 'LEVEL_CLUSTER')", 'INVALID_ARGUMENT'],
    ];
    for (const [row, code] of bad) await expect(run(replace(good + row)), row).rejects.toMatchObject({ code });
    expect(await run(levels)).toEqual([['', '', '', 'LEVEL_GLOBAL']]);
    expect((await bench.history.log.page({ outcome: 'persisted' }, 10)).total).toBe(0);
    expect((await bench.history.log.page({ outcome: 'refused' }, 50)).rows[0]).toMatchObject({
      reason: 'REPLACE INTO proxy_config',
    });
  });

  it('INSERT makes new rows only', async () => {
    const insert = `${replace("('c1', '', 'proxy_idc_name', 'a', 'LEVEL_CLUSTER')").replace('REPLACE', 'INSERT')}`;
    expect(await run(insert)).toBe(1);
    await expect(run(insert)).rejects.toMatchObject({ code: 'DUPLICATE_ROW' });
  });

  it('case B99: passwords are stars, in the table and in its history', async () => {
    await run(replace("('c1', '', 'observer_sys_password', 'secret', 'LEVEL_CLUSTER')"));
    expect(
      await run("SELECT value FROM proxy_config WHERE name = 'observer_sys_password' AND cluster_name = 'c1'"),
    ).toEqual([['******']]);
  });

  it('sorts, renames and cuts', async () => {
    const sql =
      "SELECT name AS n FROM proxy_config WHERE name IN ('proxy_id', 'app_name') ORDER BY name DESC LIMIT 1, 1";
    expect(await run(sql)).toEqual([['app_name']]);
    expect(await run("SELECT * FROM proxy_config WHERE name = 'proxy_id'")).toEqual([
      expect.arrayContaining(['-1', '0', 'proxy_id', 'LEVEL_GLOBAL']),
    ]);
  });
});
