import { describe, expect, it } from 'vitest';
import { classifyStatement } from './classify.ts';

const targetOf = (sql: string) => classifyStatement(Buffer.from(sql)).targetServers;

describe('target_db_server in the comments before a statement', () => {
  it.each([
    ["/* target_db_server='1.1.1.1:1' */ select 1", '1.1.1.1:1'],
    ["/*target_db_server = '1.1.1.1:1,2.2.2.2:2;3.3.3.3:3'*/select 1", '1.1.1.1:1,2.2.2.2:2;3.3.3.3:3'],
    ['/*TARGET_DB_SERVER=1.1.1.1:1*/ insert into t values (1)', '1.1.1.1:1'],
    ["/* trace_id=7, trace_log, target_db_server='1.1.1.1:1', db.tbl='x' */ select 1", '1.1.1.1:1'],
    ["/*ODP: trace_id = , target_db_server='1.1.1.1:1'*/ select 1", '1.1.1.1:1'],
    ["-- hello\n /* a */ # b\n /* target_db_server='1.1.1.1:1' */ select 1", '1.1.1.1:1'],
    ["/* target_db_server='1.1.1.1:1' */ /* target_db_server='2.2.2.2:2' */ select 1", '2.2.2.2:2'],
    ["/* target_db_server='1.1.1.1:1' */", '1.1.1.1:1'],
  ])('%s', (sql, wanted) => {
    expect(targetOf(sql)).toBe(wanted);
  });

  it.each([
    "select /* target_db_server='1.1.1.1:1' */ 1",
    "select 1 /* target_db_server='1.1.1.1:1' */",
    "/* see target_db_server='1.1.1.1:1' */ select 1",
    "/*+ target_db_server='1.1.1.1:1' */ select 1",
    "/*! target_db_server='1.1.1.1:1' */ select 1",
    "/* target_db_server='' */ select 1",
    '/* target_db_server */ select 1',
    "/* target_db_server='1.1.1.1:1' select 1",
    `/* ${'x'.repeat(5000)} */ /* target_db_server='1.1.1.1:1' */ select 1`,
    'select 1',
  ])('means nothing in %s', (sql) => {
    expect(targetOf(sql)).toBeNull();
  });

  it('costs no more than the length of the comment', () => {
    const sql = `/* ${'a='.repeat(1500)}, target_db_server ${"'".repeat(500)} */ select 1`;
    expect(targetOf(sql)).toBeNull();
  });
});
