import { describe, expect, it } from 'vitest';
import type { MetadataRow } from './metadata-connection.ts';
import { lookupRoutine } from './routine-lookup.ts';

/** As OceanBase 4.3.5 answers, less what is not used. */
const row: MetadataRow = {
  tenant_name: 'trade',
  database_name: 'shop',
  package_name: '',
  routine_name: 'p1',
  routine_id: '310101',
  routine_type: '1',
  schema_version: '1796106063862944',
  routine_sql: 'SELECT COUNT(*) as "COUNT(*)" FROM customers WHERE id = :0',
};

async function lookUp(qualifiers: string[], found: (sql: string) => boolean, database = 'shop', name = 'p1') {
  const asked: string[] = [];
  const routine = await lookupRoutine('trade', database, { qualifiers, name }, async (sql) => {
    asked.push(/database_name = (.*)$/.exec(sql)?.[1] ?? sql);
    return found(sql) ? [row] : [];
  });
  return { routine, asked };
}

describe('lookupRoutine', () => {
  it('asks with all four names, which the server insists on', async () => {
    const asked: string[] = [];
    const routine = await lookupRoutine('trade', 'shop', { qualifiers: [], name: 'p1' }, async (sql) => {
      asked.push(sql);
      return [row];
    });
    expect(asked).toEqual([
      'SELECT /*+READ_CONSISTENCY(WEAK)*/ * FROM oceanbase.__all_virtual_proxy_routine ' +
        "WHERE tenant_name = 'trade' AND database_name = 'shop' AND package_name = '' AND routine_name = 'p1'",
    ]);
    expect(routine).toEqual({
      database: 'shop',
      packageName: '',
      name: 'p1',
      routineId: '310101',
      routineType: 1,
      schemaVersion: '1796106063862944',
      routeSql: 'SELECT COUNT(*) as "COUNT(*)" FROM customers WHERE id = :0',
    });
  });

  it('takes one word before the name for a database, then for a package of the current one', async () => {
    const { routine, asked } = await lookUp(['a'], () => false);
    expect(routine).toBeNull();
    expect(asked).toEqual([
      "'a' AND package_name = '' AND routine_name = 'p1'",
      "'shop' AND package_name = 'a' AND routine_name = 'p1'",
    ]);
    expect((await lookUp(['a'], () => true)).asked).toHaveLength(1);
  });

  it('takes two words for database and package', async () => {
    expect((await lookUp(['a', 'b'], () => false)).asked).toEqual([
      "'a' AND package_name = 'b' AND routine_name = 'p1'",
    ]);
  });

  it('asks for nothing without a database', async () => {
    expect(await lookUp([], () => true, '')).toEqual({ routine: null, asked: [] });
    expect((await lookUp(['a'], () => false, '')).asked).toHaveLength(1);
  });

  it('quotes names', async () => {
    const { asked } = await lookUp([], () => false, "o'x", "p' OR 1=1");
    expect(asked).toEqual(["'o''x' AND package_name = '' AND routine_name = 'p'' OR 1=1'"]);
  });
});
