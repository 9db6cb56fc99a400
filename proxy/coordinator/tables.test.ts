import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigView } from '../config/config-view.ts';
import { LeveledConfig } from '../config/leveled-config.ts';
import { openTables, type TableBench } from './testing-tables.ts';

let bench: TableBench;
beforeEach(async () => {
  bench = await openTables();
});
afterEach(() => bench.close());

const run = (sql: string): Promise<unknown> => bench.run(sql);

describe('the table resource_unit', () => {
  const replace = (rows: string) => `REPLACE INTO resource_unit(cluster_name, tenant_name, name, value) VALUES ${rows}`;
  const all = 'SELECT * FROM resource_unit';

  /** What sessions of t1 in c1 may be, having come to an address. */
  const limitAt = (host: string): number => {
    const levels = new LeveledConfig(new ConfigView(bench.store.texts()), bench.store.overrideTexts());
    return levels.view({ clusterName: 'c1', tenant: 't1', vip: { host, port: 2883 } }).int('resource_max_connections');
  };

  it('case B89 limits tenants, all of them or those who come to an address', async () => {
    const both = `[{"vip":"10.0.0.1","value":7},{"vip":"","value":100}]`;
    expect(await run(replace(`('c1', 't1', 'resource_max_connections', '${both}')`))).toBe(1);
    expect([limitAt('10.0.0.1'), limitAt('10.0.0.2')]).toEqual([7, 100]);
    expect(await run(all)).toEqual([
      ['c1', 't1', 'resource_max_connections', '[{"vip":"","value":100},{"vip":"10.0.0.1","value":7}]'],
    ]);
    const other = `('c1', 'T2', 'resource_max_connections', '[{"value":0}]')`;
    expect(await run(replace(`('C1', 't1', 'resource_max_connections', '[{"vip":"","value":5}]'), ${other}`))).toBe(2);
    expect([limitAt('10.0.0.1'), limitAt('10.0.0.2')]).toEqual([5, 5]);
    expect(await run("DELETE FROM resource_unit WHERE tenant_name = 't1'")).toBe(1);
    expect(limitAt('10.0.0.1')).toBe(-1);
    expect(await run(all)).toEqual([['c1', 'T2', 'resource_max_connections', '[{"vip":"","value":0}]']]);
    const { rows } = await bench.history.log.page({ parameter: 'resource_max_connections' }, 1);
    expect(rows[0]).toMatchObject({ reason: 'DELETE FROM resource_unit', oldValue: '5', newValue: null });
  });

  it('shows what was set as a parameter, and INSERT makes new rows only', async () => {
    const insert = replace(`('c1', 't1', 'resource_max_connections', '[{"value":5}]')`).replace('REPLACE', 'INSERT');
    await run(
      "REPLACE INTO proxy_config(cluster_name, tenant_name, name, value, config_level) VALUES ('c1', 't1', 'resource_max_connections', '9', 'LEVEL_TENANT')",
    );
    expect(await run(`SELECT value FROM resource_unit WHERE cluster_name = 'c1'`)).toEqual([
      ['[{"vip":"","value":9}]'],
    ]);
    await expect(run(insert)).rejects.toMatchObject({ code: 'DUPLICATE_ROW' });
    await run('DELETE FROM resource_unit');
    expect(await run(insert)).toBe(1);
  });

  it.each([
    [`('c1', 't1', 'resource_cpu', '0.5')`, 'NOT_SUPPORTED'],
    [`('c1', '', 'resource_max_connections', '[{"value":5}]')`, 'INVALID_ARGUMENT'],
    [`('c1', 't1', 'resource_max_connections', '100')`, 'INVALID_ARGUMENT'],
    [`('c1', 't1', 'resource_max_connections', '[{"value":')`, 'INVALID_ARGUMENT'],
    [`('c1', 't1', 'resource_max_connections', '[{"value":"5"}]')`, 'INVALID_ARGUMENT'],
    [`('c1', 't1', 'resource_max_connections', '[{"value":-2}]')`, 'INVALID_PARAMETER'],
    [`('c1', 't1', 'resource_max_connections', '[{"vip":7,"value":5}]')`, 'INVALID_ARGUMENT'],
    [`('c1', 't1', 'resource_max_connections', '[{"vip":"here","value":5}]')`, 'INVALID_ARGUMENT'],
    [
      `('c1', 't1', 'resource_max_connections', '[{"vip":"::1","value":5},{"vip":"0::1","value":6}]')`,
      'INVALID_ARGUMENT',
    ],
    [`('c1', 't1', 'resource_max_connections', '[null]')`, 'INVALID_ARGUMENT'],
  ])('refuses %s, and all rows beside it: %s', async (row, code) => {
    const good = `('c1', 't9', 'resource_max_connections', '[{"value":5}]')`;
    await expect(run(replace(`${good}, ${row}`))).rejects.toMatchObject({ code });
    expect(await run(all)).toEqual([]);
  });
});

describe('the table white_list', () => {
  const replace = (rows: string) => `REPLACE INTO white_list(cluster_name, tenant_name, name, value) VALUES ${rows}`;
  const all = 'SELECT cluster_name, tenant_name, value FROM white_list';

  it('case B12 holds where clients of a tenant may come from', async () => {
    expect(await run(replace("('c1', 't1', 'any', '10.0.0.0/8, 192.0.2.7'), ('c1', 't2', '', '0.0.0.0')"))).toBe(2);
    expect(await run(all)).toEqual([
      ['c1', 't1', '10.0.0.0/8,192.0.2.7'],
      ['c1', 't2', '0.0.0.0/0'],
    ]);
    const levels = new LeveledConfig(new ConfigView(bench.store.texts()), bench.store.overrideTexts());
    const scope = { clusterName: 'c1', tenant: 't1', vip: { host: '', port: 0 } };
    expect(levels.view(scope).list('client_white_list')).toEqual(['10.0.0.0/8', '192.0.2.7']);
    expect(await run("REPLACE INTO white_list(cluster_name, tenant_name, value) VALUES ('C1', 't1', '::1')")).toBe(1);
    expect(await run("DELETE FROM white_list WHERE tenant_name = 't2'")).toBe(1);
    expect(await run(all)).toEqual([['C1', 't1', '::1']]);
    await expect(
      run("INSERT INTO white_list(cluster_name, tenant_name, value) VALUES ('c1', 't1', '::1')"),
    ).rejects.toMatchObject({ code: 'DUPLICATE_ROW' });
  });

  it.each([
    ["('c1', 't1', '', '10.0.0.0/33')", 'INVALID_PARAMETER'],
    ["('c1', 't1', '', '10.0.0.1,here')", 'INVALID_PARAMETER'],
    ["('c1', 't1', '', '')", 'INVALID_ARGUMENT'],
    ["('c1', '', '', '10.0.0.1')", 'INVALID_ARGUMENT'],
  ])('refuses %s: %s', async (row, code) => {
    await expect(run(replace(row))).rejects.toMatchObject({ code });
    expect(await run(all)).toEqual([]);
  });
});

describe('the table ssl_config', () => {
  const files = '{"sourceType":"FILE","CA":"ca.pem","publicKey":"cert.pem","privateKey":"key.pem"}';
  const replace = (rows: string) => `REPLACE INTO ssl_config(cluster_name, tenant_name, name, value) VALUES ${rows}`;

  it('is the parameter ssl_key_info, as a row for everybody', async () => {
    expect(await run('SELECT COUNT(*) FROM ssl_config')).toEqual([['0']]);
    expect(await run(replace(`('*', '*', 'key_info', '${files}')`))).toBe(1);
    expect(bench.store.parameter('ssl_key_info').text).toBe(files);
    expect(await run('SELECT * FROM ssl_config')).toEqual([['*', '*', 'key_info', files]]);
    expect(await run("DELETE FROM ssl_config WHERE cluster_name = 'c1'")).toBe(0);
    expect(await run("DELETE FROM ssl_config WHERE cluster_name = '*' AND tenant_name = '*'")).toBe(1);
    expect(bench.store.parameter('ssl_key_info').text).toBe('');
  });

  it.each([
    [`('c1', 't1', 'key_info', '${files}')`, 'NOT_SUPPORTED'],
    [`('*', '*', 'options', '{}')`, 'NOT_SUPPORTED'],
    [`('*', '*', 'key_info', '')`, 'INVALID_ARGUMENT'],
    [`('*', '*', 'key_info', '{"sourceType":"DBMESH"}')`, 'INVALID_PARAMETER'],
    [`('*', '*', 'key_info', '${files}'), ('*', '*', 'key_info', '${files}')`, 'INVALID_ARGUMENT'],
  ])('refuses %s: %s', async (row, code) => {
    await expect(run(replace(row))).rejects.toMatchObject({ code });
    expect(bench.store.parameter('ssl_key_info').text).toBe('');
  });
});
