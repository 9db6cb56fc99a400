import { describe, expect, it } from 'vitest';
import { fits } from './condition.ts';
import type { ConfigRow } from './config-row.ts';
import { readTableStatement } from './table-statement.ts';

const row: ConfigRow = {
  vid: '-1',
  vip: '10.0.0.1',
  vport: '2883',
  tenant_name: 'T1',
  cluster_name: 'c1',
  name: 'proxy_idc_name',
  value: 'hz001',
  info: '',
  range: '',
  need_reboot: 'false',
  visible_level: 'SYS',
  config_level: 'LEVEL_VIP',
};

function matches(where: string): boolean {
  const statement = readTableStatement(`DELETE FROM proxy_config WHERE ${where}`);
  if (statement?.kind !== 'delete') throw new Error('no DELETE');
  return fits(statement.where, row);
}

describe('WHERE on proxy_config', () => {
  it.each([
    ["tenant_name = 't1'", true],
    ["value = 'HZ001'", false],
    ["name like 'proxy\\_idc%' and vport = 2883", true],
    ["vport > 100 and vport <= '2883' and vid <> 0 and vid != 1", true],
    ['vid = -1 and vport >= 9000', false],
    ["not (tenant_name = 't2' or cluster_name = 'c2')", true],
    ["tenant_name = 't2' or cluster_name = 'c1' and vip = '10.0.0.1'", true],
    ["(tenant_name = 't2' or cluster_name = 'c1') and vip = '10.0.0.2'", false],
    ["name not in ('a', 'b') and config_level in ('level_vip')", true],
    ["name not like '%idc%'", false],
    ["`value` < 'hz002'", true],
  ])('%s: %s', (where, expected) => expect(matches(where)).toBe(expected));

  it.each([
    ["tenant = 't1'", 'UNKNOWN_COLUMN'],
    ["vport = 'x'", 'INVALID_ARGUMENT'],
    ['vport =', 'BAD_INTERNAL_COMMAND'],
    ['name = proxy_idc_name', 'BAD_INTERNAL_COMMAND'],
    ['name is null', 'BAD_INTERNAL_COMMAND'],
    ['name not = 1', 'BAD_INTERNAL_COMMAND'],
    [`${'('.repeat(500)}vid = 1${')'.repeat(500)}`, 'BAD_INTERNAL_COMMAND'],
    [`${'not '.repeat(500)}vid = 1`, 'BAD_INTERNAL_COMMAND'],
  ])('%s: %s', (where, code) => expect(() => matches(where)).toThrow(expect.objectContaining({ code })));
});

describe('statements on proxy_config', () => {
  it('case B96: REPLACE takes many rows, and columns left out have their defaults', () => {
    const sql = `REPLACE INTO proxy_config(vid, vip, vport, cluster_name, tenant_name, name, value, config_level)
      VALUES (-1, '10.0.0.1', 2883, 'c1', 't1', 'proxy_idc_name', 'a', 'LEVEL_VIP'), ('0', '', '0', '', '', 'x', 5, '');`;
    expect(readTableStatement(sql)).toMatchObject({
      kind: 'write',
      table: 'proxy_config',
      mode: 'replace',
      rows: [
        { vid: '-1', vip: '10.0.0.1', vport: '2883', tenant_name: 't1', value: 'a', config_level: 'LEVEL_VIP' },
        { vid: '0', value: '5' },
      ],
    });
    const short = "insert proxy_config (name, value, config_level) value ('n', 'v', 'LEVEL_CLUSTER')";
    expect(readTableStatement(short)).toEqual({
      kind: 'write',
      table: 'proxy_config',
      mode: 'insert',
      rows: [
        {
          vid: '-1',
          vip: '',
          vport: '0',
          tenant_name: '',
          cluster_name: '',
          name: 'n',
          value: 'v',
          config_level: 'LEVEL_CLUSTER',
        },
      ],
    });
  });

  it.each([
    ["REPLACE INTO proxy_config VALUES ('a')", 'BAD_INTERNAL_COMMAND'],
    ["REPLACE INTO proxy_config(name, value) VALUES ('a', 'b')", 'INVALID_ARGUMENT'],
    ["REPLACE INTO proxy_config(name, name, value, config_level) VALUES ('a', 'a', 'b', 'c')", 'INVALID_ARGUMENT'],
    ["REPLACE INTO proxy_config(name, value, config_level) VALUES ('a', 'b')", 'INVALID_ARGUMENT'],
    ["REPLACE INTO proxy_config(name, value, config_level, info) VALUES ('a', 'b', 'c', 'd')", 'NOT_SUPPORTED'],
    ["REPLACE INTO proxy_config(name, value, config_level, colour) VALUES ('a', 'b', 'c', 'd')", 'UNKNOWN_COLUMN'],
    ["REPLACE INTO proxy_config(name, value, config_level) VALUES ('a', NULL, 'c')", 'BAD_INTERNAL_COMMAND'],
    [
      `REPLACE INTO proxy_config(name, value, config_level) VALUES ${Array(201).fill("('a','b','c')").join()}`,
      'NOT_SUPPORTED',
    ],
    ["UPDATE proxy_config SET value = 'x'", 'NOT_SUPPORTED'],
    ['SELECT * FROM all_table_version', 'NOT_SUPPORTED'],
    ["REPLACE INTO resource_unit(cluster_name, tenant_name, name) VALUES ('c', 't', 'n')", 'INVALID_ARGUMENT'],
    ["REPLACE INTO ssl_config(name, value, config_level) VALUES ('a', 'b', 'c')", 'UNKNOWN_COLUMN'],
    ["UPDATE ssl_config SET value = 'x'", 'NOT_SUPPORTED'],
    ['SELECT nothing FROM proxy_config', 'UNKNOWN_COLUMN'],
    ['SELECT name, COUNT(*) FROM proxy_config', 'NOT_SUPPORTED'],
    ['SELECT * FROM proxy_config GROUP BY name', 'BAD_INTERNAL_COMMAND'],
    ['DELETE FROM proxy_config LIMIT 1', 'BAD_INTERNAL_COMMAND'],
  ])('%s is refused', (sql, code) => {
    expect(() => readTableStatement(sql)).toThrow(expect.objectContaining({ code }));
  });

  it('leaves statements on anything else alone', () => {
    const others = [
      'SELECT 1',
      "SELECT 'a from proxy_config'",
      'SELECT 1 FROM DUAL',
      'SHOW TABLES',
      'DELETE FROM t',
      '',
    ];
    for (const sql of others) expect(readTableStatement(sql), sql).toBeNull();
  });
});
