import { expect, it } from 'vitest';
import { readTableChange } from './table-change.ts';

const dialect = { charset: 'utf8mb4', ansiQuotes: false, noBackslashEscapes: false } as const;

it.each([
  ['CREATE /*c*/ TEMPORARY TABLE tmp1(id int)', 'create', ['tmp1']],
  ['create or replace temporary table if not exists `a b`.`c``d` like t', 'create', ['a b.c`d']],
  ['DROP TEMPORARY TABLE IF EXISTS a, d.b CASCADE;', 'drop', ['a', 'd.b']],
  ['drop tables a', 'drop', ['a']],
  ['drop view a', 'other', []],
  ['drop table', 'other', []],
  ['alter table a rename to b', 'other', []],
  ['', 'other', []],
])('case B45 the tables of %s', (text, action, names) => {
  const change = readTableChange(Buffer.from(text), dialect);
  const tables = change.tables.map(({ database, name }) => (database === null ? name : `${database}.${name}`));
  expect([change.action, tables]).toEqual([action, names]);
});
