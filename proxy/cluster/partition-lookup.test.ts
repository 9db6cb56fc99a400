import { describe, expect, it } from 'vitest';
import type { MetadataRow } from './metadata-connection.ts';
import { lookupPartitioning } from './partition-lookup.ts';

const column = (name: string, extra: MetadataRow = {}): MetadataRow => ({
  part_level: '1',
  part_num: '2',
  part_type: '0',
  part_expr: name,
  part_key_name: name,
  part_key_level: '1',
  part_key_type: '4',
  part_key_collation_type: '63',
  part_key_rowkey_idx: '-1',
  part_key_length: '-1',
  part_key_precision: '11',
  part_key_scale: '0',
  ...extra,
});

const ask = (info: MetadataRow[], parts: MetadataRow[], subParts: MetadataRow[] = [], columns: MetadataRow[] = []) => {
  const asked: string[] = [];
  const query = async (sql: string): Promise<MetadataRow[]> => {
    asked.push(sql);
    if (sql.includes('__all_virtual_column')) return columns;
    return sql.includes('partition_info') ? info : sql.includes('sub_partition ') ? subParts : parts;
  };
  const answer = lookupPartitioning("o'neil", '7', query, (error) => {
    throw error;
  });
  return { answer, asked };
};

const hashed = (position: number): MetadataRow => ({
  part_id: `${100 + position}`,
  part_name: `p${position}`,
  part_position: `${position}`,
  tablet_id: `${200 + position}`,
  high_bound: null,
});

describe('how a table is partitioned', () => {
  it('puts hash partitions in order, and quotes the tenant', async () => {
    const { answer, asked } = ask([column('Id')], [hashed(1), hashed(0)]);
    expect(await answer).toMatchObject({
      rule: { kind: 'hash', columns: [{ name: 'id', type: 4 }] },
      subRule: null,
      partitions: [{ tabletId: '200' }, { tabletId: '201' }],
    });
    expect(asked).toHaveLength(3);
    expect(asked[0]).toContain("tenant_name = 'o''neil' AND table_id = 7");
  });

  it('takes the columns of KEY in its own order, those of KEY() from the primary key', async () => {
    const keyed = { part_type: '1', part_expr: '`b x`, a' };
    const { answer } = ask([column('a', keyed), column('b x', keyed)], [hashed(0), hashed(1)]);
    expect((await answer)?.rule.columns.map(({ name }) => name)).toEqual(['b x', 'a']);
    const implicit = { part_type: '2', part_expr: '' };
    const rows = [
      column('b', { ...implicit, part_key_rowkey_idx: '1' }),
      column('a', { ...implicit, part_key_rowkey_idx: '0' }),
    ];
    expect((await ask(rows, [hashed(0), hashed(1)]).answer)?.rule.columns.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('reads bounds of all types, and sub-partitions', async () => {
    const info = column('a', { part_level: '2', part_type: '4', sub_part_type: '6', sub_part_expr: 'a' });
    const parts = [
      {
        part_id: '1',
        part_name: 'p0',
        tablet_id: '0',
        high_bound:
          '0405053F00FBFFFFFFFFFFFFFFFF010A053F00FFFFFFFFFFFFFFFFFF0127053F020802BBFEFFFFFFFFFFFF27053F03100384EAFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
      },
      { part_id: '2', part_name: 'p1', tablet_id: '0', high_bound: '0119070000FEFFFFFFFFFFFFFFFF01' },
    ];
    const sub = { tablet_id: '5', part_name: 's' };
    const subParts = [
      { ...sub, part_id: '1', high_bound: '0216042DFF01610029053FFFA1903F000216042DFF01620000063FFF00' },
      { ...sub, part_id: '2', high_bound: '0119070000FEFFFFFFFFFFFFFFFF0100' },
    ];
    const found = await ask([info], parts, subParts).answer;
    expect(found?.partitions.map(({ bounds }) => bounds)).toEqual([[[-5n, 2n ** 64n - 1n, -325n, -5500n]], [['max']]]);
    expect(found?.partitions[0]?.subPartitions[0]?.bounds).toEqual([
      [Buffer.from('a'), 1034273n],
      [Buffer.from('b'), null],
    ]);
  });

  it('reads expressions, and the columns they take', async () => {
    const parts = [hashed(0), hashed(1)];
    const keyed = { part_expr: 'mod(`a` + 2, b)' };
    const found = await ask([column('a', keyed), column('b', keyed)], parts).answer;
    expect(found?.rule.columns.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(found?.rule.expression).toEqual({
      kind: 'call',
      name: '%',
      args: [
        {
          kind: 'call',
          name: '+',
          args: [
            { kind: 'column', name: 'a' },
            { kind: 'number', text: '2' },
          ],
        },
        { kind: 'column', name: 'b' },
      ],
    });
    expect((await ask([column('d', { part_expr: '(d)' })], parts).answer)?.rule.expression).toBeNull();
  });

  const tableColumn = (id: string, before: string, name: string, extra: MetadataRow = {}): MetadataRow => ({
    column_id: id,
    prev_column_id: before,
    column_name: name,
    is_hidden: '0',
    nullable: '1',
    autoincrement: '0',
    column_flags: '0',
    has_default: '0',
    data_type: '22',
    collation_type: '45',
    data_length: '20',
    data_precision: '-1',
    data_scale: '-1',
    ...extra,
  });

  it('case B60: tells the places of columns as they are written, not as they were made', async () => {
    const columns = [
      tableColumn('16', '24', 'z'),
      tableColumn('18', '16', 'Id', { nullable: '0', autoincrement: '1' }),
      tableColumn('24', '1', 'w'),
      tableColumn('1', '0', '__pk', { is_hidden: '1' }),
    ];
    const parts = [hashed(0), hashed(1)];
    const row = column('id', { default_value: null });
    expect((await ask([row], parts, [], columns).answer)?.rule.columns[0]?.insert).toEqual({
      position: 2,
      isNullable: false,
      isAutoIncrement: true,
      defaultValue: undefined,
    });
    const inCircles = [tableColumn('16', '18', 'z'), tableColumn('18', '16', 'id')];
    expect((await ask([row], parts, [], inCircles).answer)?.rule.columns[0]?.insert).toBeUndefined();
    const withInvisible = [tableColumn('16', '0', 'z', { column_flags: '131072' }), tableColumn('18', '16', 'id')];
    expect((await ask([row], parts, [], withInvisible).answer)?.rule.columns[0]?.insert).toBeUndefined();
  });

  it.each<[hex: string | null, value: unknown]>([
    [null, null],
    ['04053F0009', 9n],
    ['01053F00FB', -5n],
    ['06053F00C8', 200n],
    ['04053F00FBFFFFFF0F', -5n],
    ['0A053F00FFFFFFFFFFFFFFFFFF01', 2n ** 64n - 1n],
    ['27053F020802A2FEFFFFFFFFFFFF', -350n],
    ['16022DFF0361626300', Buffer.from('abc')],
    ['1907000014', undefined],
  ])('default %s', async (hex, value) => {
    const row = column('id', { default_value: hex });
    const found = await ask([row], [hashed(0), hashed(1)], [], [tableColumn('16', '0', 'id')]).answer;
    expect(found?.rule.columns[0]?.insert?.defaultValue).toEqual(value);
  });

  it('reads what a generated column takes', async () => {
    const columns = [tableColumn('16', '0', 'a'), tableColumn('17', '16', 'g', { column_flags: '1' })];
    const row = column('g', { part_key_extra: 'substr(`a`,1,2)' });
    const found = await ask([row], [hashed(0), hashed(1)], [], columns).answer;
    expect(found?.rule.columns[0]?.generated).toMatchObject({
      expression: { kind: 'call', name: 'substr' },
      columns: [{ name: 'a', type: 22, collation: 45, length: 20 }],
    });
  });

  it('refuses what is no expression, unknown kinds, missing partitions and bounds it cannot read', async () => {
    const parts = [hashed(0), hashed(1)];
    expect(await ask([column('d', { part_expr: 'year(d' })], parts).answer).toBeNull();
    expect(await ask([column('d', { part_type: '7' })], parts).answer).toBeNull();
    expect(await ask([column('d')], [hashed(0)]).answer).toBeNull();
    expect(await ask([], []).answer).toBeNull();
    const range = column('d', { part_type: '3' });
    const odd = parts.map((row) => ({ ...row, high_bound: '010F053F0001' }));
    await expect(ask([range], odd).answer).rejects.toThrow(/type 15/);
  });
});
