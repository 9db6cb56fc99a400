import { describe, expect, it } from 'vitest';
import { answer, errnoOf, rowsOf } from './testing/answering.ts';

describe('case B97 the proxysys tenant', () => {
  it.each<[string, string[], (string | null)[][]]>([
    ['SELECT 1', ['1'], [['1']]],
    [
      'select @@version_comment limit 1',
      ['@@version_comment'],
      [['OceanBase Database Proxy (internal account, no database)']],
    ],
    ['SELECT DATABASE()', ['DATABASE()'], [[null]]],
    ['select USER()', ['USER()'], [['root@127.0.0.1']]],
    ['SELECT CURRENT_USER, connection_id()', ['CURRENT_USER', 'connection_id()'], [['root@127.0.0.1', '1']]],
    ['SELECT VERSION() AS v FROM dual', ['v'], [['5.7.25']]],
    ['/* ApplicationName=DBeaver */ SELECT DATABASE ( )', ['DATABASE ( )'], [[null]]],
    [
      '/* mysql-connector-j-8.0.33 */SELECT  @@session.auto_increment_increment AS auto_increment_increment, @@character_set_client AS character_set_client, @@wait_timeout AS wait_timeout',
      ['auto_increment_increment', 'character_set_client', 'wait_timeout'],
      [['1', 'utf8mb4', '28800']],
    ],
    ['SELECT @@session.transaction_read_only', ['@@session.transaction_read_only'], [['0']]],
    ["select 'a' 'b'", ['b'], [['a']]],
    ['select @x', ['@x'], [[null]]],
    [
      'SELECT @@max_allowed_packet,@@system_time_zone',
      ['@@max_allowed_packet', '@@system_time_zone'],
      [['16777216', 'UTC']],
    ],
    ['SHOW DATABASES', ['Database'], []],
    ['show tables', ['Tables_in_proxysys'], []],
    ['SHOW FULL TABLES', ['Tables_in_proxysys', 'Table_type'], []],
    ['SHOW WARNINGS', ['Level', 'Code', 'Message'], []],
    ['SHOW COUNT(*) WARNINGS', ['@@session.warning_count'], [['0']]],
    ["SHOW VARIABLES LIKE 'x'", ['Variable_name', 'Value'], []],
    [
      "SHOW SESSION VARIABLES LIKE 'lower_case_table_names'",
      ['Variable_name', 'Value'],
      [['lower_case_table_names', '2']],
    ],
    [
      "SHOW VARIABLES WHERE Variable_name = 'version' OR `Variable_name` LIKE 'tx\\_%' OR Variable_name IN ('time_zone')",
      ['Variable_name', 'Value'],
      [
        ['time_zone', '+00:00'],
        ['tx_isolation', 'READ-COMMITTED'],
        ['tx_read_only', '0'],
        ['version', '5.7.25'],
      ],
    ],
    ['SHOW GLOBAL STATUS', ['Variable_name', 'Value'], []],
    ["SHOW COLLATION WHERE Charset = 'x'", ['Collation', 'Charset', 'Id', 'Default', 'Compiled', 'Sortlen'], []],
    [
      'SHOW CHARACTER SET LIKE "utf8mb4"',
      ['Charset', 'Description', 'Default collation', 'Maxlen'],
      [['utf8mb4', 'UTF-8 Unicode', 'utf8mb4_general_ci', '4']],
    ],
  ])('answers %s', async (statement, columns, rows) => {
    expect(await rowsOf(statement)).toEqual({ columns, rows });
  });

  it.each([
    'SET NAMES utf8mb4',
    'SET autocommit=1',
    'set character_set_results = NULL',
    'BEGIN',
    'start transaction',
    'COMMIT',
    'rollback;',
  ])('says OK to %s', async (statement) => expect(await answer(statement)).toEqual({ kind: 'ok' }));

  it.each([
    ['show bogus', 5010, 'no SHOW bogus'],
    ['USE x', 5010, 'no databases'],
    ['select * from t', 5010, 'no expressions'],
    ['select a from t', 5010, "'a'"],
    ['select 1+1', 5010, "'+' found"],
    ['select $$', 5010, "'$$'"],
    ['select @@nosuch', 1193, "'nosuch'"],
    ['select constructor()', 5010, "'constructor'"],
    ['insert into t values (1)', 5010, "'insert …'"],
    ['prepare s from "select 1"', 5010, 'internal commands only'],
    ['select 1; select 2', 5010, 'one statement'],
    ['', 1065, 'empty'],
    ['/* x */', 1065, 'empty'],
    ['frobnicate', 5010, 'frobnicate'],
    ['table t', 5010, 'no tables'],
    ["show variables where nosuch = 'x'", 5010, "no column 'nosuch'"],
    ['show full bogus', 5010, 'no SHOW full bogus'],
    ['show constructor', 5010, 'no SHOW constructor'],
    ['show', 5010, 'no SHOW'],
  ])('refuses %j with %i', async (statement, errno, text) => {
    const reply = await answer(statement);
    expect(errnoOf(reply)).toBe(errno);
    expect(reply.kind === 'error' && reply.error.message).toContain(text);
  });
});
