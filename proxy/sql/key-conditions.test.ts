import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyStatement, defaultDialect, type SqlDialect } from './classify.ts';
import { type KeyConditions, readKeyConditions } from './key-conditions.ts';

function ask(
  text: string | Buffer,
  dialect: SqlDialect = defaultDialect,
  truncated = false,
  positions: readonly (number | null)[] = [null, null],
): KeyConditions | null {
  const bytes = Buffer.from(text);
  const { table, tableAt } = classifyStatement(bytes, dialect, { maxBytes: bytes.length, incomplete: truncated });
  if (table?.name !== 't') return null;
  return readKeyConditions(bytes, dialect, { table: 't', tableAt, columns: ['id', 'v'], positions, truncated });
}

/** Conditions in short: `id=1`, `v>='x'`; null when there are none. */
function brief(text: string | Buffer, dialect?: SqlDialect): string | null {
  const found = ask(text, dialect);
  if (found === null) return null;
  const terms = found.terms
    .map(({ column, operator, operand }) => {
      const name = ['id', 'v'][column];
      switch (operand.kind) {
        case 'number':
          return `${name}${operator}${operand.text}`;
        case 'string':
          return `${name}${operator}'${operand.bytes.toString()}'`;
        case 'bits':
          return `${name}${operator}0x${operand.bytes.toString('hex')}`;
        case 'moment':
          return `${name}${operator}moment ${operand.bytes.toString()}`;
        case 'default':
          return `${name} left`;
        case 'null':
          return `${name}${operator}NULL`;
        case 'parameter':
          return `${name}${operator}?${operand.index}`;
        default:
          return `${name}${operator}@${operand.name}`;
      }
    })
    .join(' ');
  return found.partition === null ? terms : `${terms} in ${found.partition}`.trim();
}

describe('conditions of a WHERE', () => {
  it.each<[where: string, terms: string | null]>([
    ['id = 1', 'id=1'],
    ['id=1 OR id=2', null],
    ['id=1 AND v=2 OR v=3', null],
    ['id=1 || v=2', null],
    ['id=1 XOR v=2', null],
    ['id=1 && v=2', 'id=1 v=2'],
    ['(id=1 OR v=2) AND id=3', 'id=3'],
    ['((id=1) AND (v=2))', 'id=1 v=2'],
    ['NOT id=1', null],
    ['! id=1', null],
    ['NOT id=1 AND v=2', 'v=2'],
    ['id<>1', null],
    ['id!=1', null],
    ['id IN (1,2)', null],
    ['id IN (1)', 'id=1'],
    ['id NOT IN (1)', null],
    ['id IN (SELECT 1)', null],
    ['id=1 AND id=2', 'id=1 id=2'],
    ['id+0=1', null],
    ['ABS(id)=1', null],
    ['1=id', 'id=1'],
    ['5 > id', 'id<5'],
    ['id = - 1', 'id=-1'],
    ['id = +3', 'id=3'],
    ['id=1+1', 'id=2'],
    ['id=-(-3) * 2 - 7 % 4', 'id=3'],
    ['id=9223372036854775807+1', null],
    ['id=1+x', null],
    ['id=1.5+1', null],
    ['id=1/1', null],
    ['id=1 = 1', null],
    ["id='1abc'", "id='1abc'"],
    ['id=1e0', null],
    ['id=0x03', 'id=0x03'],
    ['id=0x3', 'id=0x03'],
    ["id=X'0F'", 'id=0x0f'],
    ["id=b'111'", 'id=0x07'],
    ['id=0b100000001', 'id=0x0101'],
    ["id=x '03'", null],
    ["id=x'0g'", null],
    ['id=-0x03', null],
    ['id IS NULL', 'id<=>NULL'],
    ['id IS NOT NULL', null],
    ['id<=>1', 'id<=>1'],
    ['id = NULL', null],
    ['(id)=(1)', 'id=1'],
    ['(id,v)=(1,2)', 'id=1 v=2'],
    ['(id, x) = (1, 2)', 'id=1'],
    ['(1, v) = (id, 2)', 'id=1 v=2'],
    ['(id,v) IN ((1,2))', 'id=1 v=2'],
    ['(id,v) IN ((1,2),(3,4))', null],
    ['(id,v) NOT IN ((1,2))', null],
    ['(id,v) < (1,2)', null],
    ['(id,v) <> (1,2)', null],
    ['(id,v) = (1,2,3)', null],
    ['(id,v) = (SELECT 1,2)', null],
    ['NOT (id,v)=(1,2)', null],
    ['(id,v)=(1,2) OR id=3', null],
    ['t.id=1', 'id=1'],
    ['d.t.id=1', 'id=1'],
    ['x.id=1', null],
    ['`id`=1', 'id=1'],
    ['ID=1', 'id=1'],
    ['id=@k', 'id=@k'],
    ['id=@k:=5', null],
    ['id=?', 'id=?0'],
    ['other=? AND id=?', 'id=?1'],
    ['id BETWEEN 1 AND 3', 'id>=1 id<=3'],
    ['id BETWEEN 1 AND 3 AND v=2', 'id>=1 id<=3 v=2'],
    ['NOT id BETWEEN 1 AND 3 AND v=2', 'v=2'],
    ['id NOT BETWEEN 1 AND 3', null],
    ['id >= 1 AND id < 3', 'id>=1 id<3'],
    ['id=1 COLLATE utf8mb4_bin', null],
    ["v='a' 'b'", null],
    ["v=_latin1'a'", null],
    ["v='a''b\\n'", "v='a'b\n'"],
    ['CASE WHEN id=1 AND v=2 THEN 1 END', null],
    ['EXISTS (SELECT 1 FROM u WHERE id=5) AND id=1', 'id=1'],
    ['id=1 ORDER BY v LIMIT 3', 'id=1'],
    ['id=1 ORDER BY v OR id', null],
    ['id=1 FOR UPDATE', 'id=1'],
    ['id=1 UNION SELECT * FROM t WHERE id=2 OR id=3', 'id=1'],
    ['id=1 UNION ALL (SELECT 2)', 'id=1'],
    ['id=1 AND minus=3 OR id=2', null],
    ['id=1 AND v IN (SELECT id FROM u WHERE id=5 OR id=6)', 'id=1'],
    ['id=1;', 'id=1'],
    ["v=TIMESTAMP'2024-01-01 00:00:00'", 'v=moment 2024-01-01 00:00:00'],
    ["v=DATE '2024-01-01'", 'v=moment 2024-01-01'],
    ["v=DATE'2024-01-01 00:00:00'", null],
    ["v=TIME'10:00:00'", null],
    ['BINARY id=1', null],
    ['id=1 IS TRUE', null],
  ])('case B74: WHERE %s', (where, terms) => {
    expect(brief(`SELECT * FROM t WHERE ${where}`)).toBe(terms);
    if (!/UNION|FOR UPDATE/.test(where)) {
      expect(brief(`UPDATE t SET v=9 WHERE ${where}`)).toBe(terms);
      expect(brief(`DELETE FROM t WHERE ${where}`)).toBe(terms);
    }
  });

  it.each<[sql: string, terms: string | null]>([
    ['SELECT * FROM t x WHERE x.id=1', 'id=1'],
    ['SELECT * FROM d.t AS x WHERE t.id=1', null],
    ['SELECT * FROM t `AS` WHERE `as`.id=1', 'id=1'],
    ['SELECT * FROM t, u WHERE id=1', null],
    ['SELECT * FROM t JOIN u ON u.a=t.id WHERE t.id=1', 'id=1'],
    ['SELECT * FROM t LEFT JOIN u ON t.id=5 WHERE u.id=1', null],
    ['SELECT * FROM t RIGHT JOIN u ON t.id=u.id WHERE t.id IS NULL', null],
    ['SELECT * FROM t RIGHT JOIN u ON t.id=u.id WHERE t.id <=> ?', null],
    ['SELECT * FROM (t JOIN u USING (id)) WHERE t.id=1', 'id=1'],
    ['SELECT * FROM u WHERE id=1', null],
    ['SELECT * FROM (SELECT * FROM t) s WHERE id=1', null],
    ['SELECT * FROM (SELECT * FROM t WHERE id=2) d WHERE id=1', 'id=2'],
    ['SELECT (SELECT MAX(id) FROM u) FROM t WHERE id=2', 'id=2'],
    ['SELECT * FROM t WHERE id=2 AND v IN (SELECT id FROM u)', 'id=2'],
    ['SELECT * FROM t WHERE id IN (SELECT id FROM u)', null],
    ['((SELECT * FROM t WHERE id=1) UNION (SELECT * FROM u WHERE id=2))', 'id=1'],
    ['(SELECT * FROM t) UNION SELECT * FROM u WHERE id=2', null],
    ['SELECT * FROM t UNION SELECT * FROM u WHERE t.id=2', null],
    ['SELECT EXISTS (SELECT 1 FROM t WHERE id=1)', 'id=1'],
    ['SET @a = (SELECT v FROM t WHERE id=1)', 'id=1'],
    ['SELECT * FROM t PARTITION (p0) WHERE id=1', 'id=1 in p0'],
    ['SELECT * FROM t PARTITION (`P0`) x', 'in p0'],
    ['SELECT * FROM t PARTITION (p0, p1) WHERE id=1', null],
    ['SELECT * FROM t USE INDEX (i) WHERE id=1', 'id=1'],
    ['SELECT * FROM t x FORCE KEY FOR ORDER BY (i, j) IGNORE INDEX () WHERE id=1', 'id=1'],
    ['SELECT EXTRACT(YEAR FROM v), (SELECT 1 FROM u WHERE id=2) FROM t WHERE id=1', 'id=1'],
    ['SELECT ?, ? FROM t WHERE id=?', 'id=?2'],
    ['SELECT * FROM t', null],
    ['SELECT insert(v, 1, 2), replace(v, 3, 4) FROM t WHERE id=1', 'id=1'],
    ['WITH c AS (SELECT 1) SELECT * FROM t WHERE id=1', 'id=1'],
    ['WITH c AS (SELECT * FROM t WHERE id=2) SELECT * FROM c WHERE id=1', 'id=2'],
    ['WITH c AS (SELECT id FROM u) UPDATE t JOIN c USING (id) SET v=1 WHERE t.id=3', 'id=3'],
    ['EXPLAIN SELECT * FROM t WHERE id=2', 'id=2'],
    ['EXPLAIN FORMAT=JSON DELETE FROM t WHERE id=2', 'id=2'],
    ['UPDATE t a, u b SET a.v=1 WHERE a.id=2', 'id=2'],
    ['UPDATE t SET v=1 WHERE id=2 ORDER BY v LIMIT 1', 'id=2'],
    ['UPDATE t SET id=5', null],
    ['DELETE a FROM t a WHERE a.id=2', 'id=2'],
    ['DELETE t FROM t JOIN u WHERE t.id=1', 'id=1'],
    ['DELETE FROM a USING t AS a JOIN u USING (id) WHERE a.id=2', 'id=2'],
    ['DELETE t WHERE id=1', 'id=1'],
    ['DELETE QUICK FROM d.t WHERE id=1 LIMIT 3', 'id=1'],
    ['INSERT INTO u SELECT * FROM t WHERE id=2', null],
    ['INSERT INTO t SELECT * FROM u WHERE id=2', null],
    ['SELECT * FROM t WHERE id=@k', 'id=@k'],
    ['SELECT @k:=7, v FROM t WHERE id=@k', null],
    ['SELECT @k:=7, v FROM t WHERE id=@k AND v=1', 'v=1'],
    ['BEGIN; SELECT * FROM t WHERE id=1; COMMIT', 'id=1'],
    ['SET @k = 5; SELECT * FROM t WHERE id=@k AND v=2', 'v=2'],
    ["SELECT '1'; SELECT * FROM t WHERE id=1; SELECT * FROM t WHERE id=2", 'id=1'],
    ['CREATE TABLE x (a INT); INSERT INTO t (id) VALUES (4)', 'id=4 v left'],
    ['SHOW TABLES', null],
  ])('%s', (sql, terms) => {
    expect(brief(sql)).toBe(terms);
  });

  it('case B36: reads GBK texts whose second bytes look like quotes or backslashes', () => {
    const gbk: SqlDialect = { ...defaultDialect, charset: 'gbk' };
    const parts = (...items: (string | number[])[]) => Buffer.concat(items.map((item) => Buffer.from(item as string)));
    expect(brief(parts("SELECT * FROM t WHERE name='", [0xd5, 0x5c], "' AND id=3"), gbk)).toBe('id=3');
    expect(brief(parts('SELECT `', [0x81, 0x60], '` FROM t WHERE id=3'), gbk)).toBe('id=3');
    expect(brief(parts("SELECT * FROM t WHERE v='", [0xd5, 0x5c], "'"), gbk)).toBeNull();
  });

  it('case B75: takes nothing from a condition that goes on behind what was read', () => {
    expect(ask('SELECT * FROM t WHERE id=12', defaultDialect, true)).toBeNull();
    const long = `SELECT /* ${'x'.repeat(5000)} */ '${'ä'.repeat(3000)}' FROM t WHERE id=2`;
    expect(brief(long)).toBe('id=2');
    expect(ask('SELECT * FROM t WHERE id=12; SELECT 1', defaultDialect, true)?.terms).toHaveLength(1);
  });

  it('never throws, whatever stands there', () => {
    const words = [
      'id',
      '=',
      '(',
      ')',
      'AND',
      'OR',
      '1',
      "'x'",
      '`t`',
      ',',
      '.',
      'IN',
      'BETWEEN',
      '?',
      '@a',
      'NOT',
      '<',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words)), (items) => {
        ask(`SELECT * FROM t WHERE ${items.join(' ')}`);
        ask(`INSERT INTO t (id, v) VALUES ${items.join(' ')}`);
      }),
    );
  });
});

describe('any bytes', () => {
  it('never throws, ends, and says nothing of what lies beyond the text', () => {
    const words =
      'select insert into values update delete from where set t id v ( ) ((( ))) , . ; = < > <=> and or between in is null not ' +
      "union with as partition use index `t` ' \" ` /* */ -- # \\ @k := ? 1 0x1 x'1 1e5 date timestamp case end";
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc
        .array(
          fc.oneof(
            fc.constantFrom(...words.split(' ')),
            fc.uint8Array({ maxLength: 3 }).map((some) => Buffer.from(some)),
          ),
          {
            maxLength: 60,
          },
        )
        .map((parts) => Buffer.concat(parts.flatMap((part) => [Buffer.from(part as string), Buffer.from(' ')]))),
    );
    const charsets = fc.constantFrom<SqlDialect['charset']>('utf8mb4', 'latin1', 'gbk', 'gb18030', 'big5');
    fc.assert(
      fc.property(
        bytes,
        fc.nat({ max: 90 }),
        fc.uint8Array({ maxLength: 9 }),
        charsets,
        (text, tableAt, beyond, charset) => {
          const dialect = { ...defaultDialect, charset };
          const question = { table: 't', tableAt, columns: ['id', 'v'], positions: [0, null], truncated: false };
          const alone = readKeyConditions(Buffer.from(text), dialect, question);
          const whole = Buffer.concat([text, beyond]);
          expect(readKeyConditions(whole.subarray(0, text.length), dialect, question)).toEqual(alone);
          ask(Buffer.from(text), dialect);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['parentheses', `SELECT * FROM t WHERE ${'('.repeat(30_000)}id`],
    ['pairs of them', `SELECT * FROM t WHERE ${'('.repeat(900)}id${')'.repeat(900)} = 1`],
    ['quotes', `SELECT * FROM t WHERE v = ${"'".repeat(60_001)}`],
    ['statements', `${';'.repeat(60_000)} SELECT * FROM t WHERE id=1`],
    ['conditions', `SELECT * FROM t WHERE ${'v<5 AND '.repeat(8000)} id=1`],
  ])('reads 60 KB of %s without running away', (_, sql) => {
    expect(() => ask(sql)).not.toThrow();
  });
});

describe('values of the first row', () => {
  it.each<[sql: string, terms: string | null]>([
    ["INSERT INTO t (id, x) VALUES (-3,'a'),(2,'b')", 'id=-3 v left'],
    ['INSERT INTO t (id) VALUES (+3)', 'id=3 v left'],
    ["INSERT INTO t (id) VALUES ('3')", "id='3' v left"],
    ['INSERT INTO t (id) VALUES (3.0)', 'id=3.0 v left'],
    ['INSERT INTO t (id) VALUES (0x03)', 'id=0x03 v left'],
    ['INSERT INTO t (id) VALUES (1+2)', 'id=3 v left'],
    ['INSERT INTO t (id) VALUES (NOW())', 'v left'],
    ['INSERT INTO t (id) VALUES (CAST(1 AS SIGNED))', 'v left'],
    ['INSERT INTO t (id) VALUES (NULL)', 'id=NULL v left'],
    ['INSERT INTO t (id) VALUES (DEFAULT)', 'id left v left'],
    ['INSERT INTO t SET id=3', 'id=3 v left'],
    ['INSERT INTO t SET x=f(1,2), t.id=3 ON DUPLICATE KEY UPDATE id=4', 'id=3 v left'],
    [`INSERT INTO t (a, b, id) VALUES ('${'x'.repeat(8192)}', f(1, (2)), 7)`, 'id=7 v left'],
    ['INSERT INTO t (a, id) VALUES (?, ?), (?, ?)', 'id=?1 v left'],
    ['INSERT IGNORE INTO d.t (`ID`, v) VALUE (1, 2)', 'id=1 v=2'],
    ['REPLACE INTO t (id) VALUES (1)', 'id=1 v left'],
    ['INSERT INTO t VALUES (1, 2)', null],
    ['INSERT INTO t PARTITION (p1) VALUES (1, 2)', 'in p1'],
    ['INSERT INTO t PARTITION (p1) (id) VALUES (1)', 'id=1 v left in p1'],
    ['INSERT INTO t (id) SELECT 1', null],
    ['INSERT INTO t (id, v) VALUES (1)', null],
    ['INSERT INTO t () VALUES ()', 'id left v left'],
  ])('case B60: %s', (sql, terms) => {
    expect(brief(sql)).toBe(terms);
  });

  it('case B60: without a list of columns the places decide, when they are known', () => {
    const terms = (sql: string, ...positions: (number | null)[]) =>
      ask(sql, defaultDialect, false, positions)?.terms.map(({ column, operand }) => [column, operand.kind]);
    expect(terms('INSERT INTO t VALUES (1, 2, 3)', 2, 0)).toEqual([
      [0, 'number'],
      [1, 'number'],
    ]);
    expect(terms("INSERT INTO t VALUES ('a', DEFAULT, ?), (1, 2, 3)", 2, 1)).toEqual([
      [0, 'parameter'],
      [1, 'default'],
    ]);
    expect(terms('INSERT INTO t VALUE (1)', null, 0)).toEqual([[1, 'number']]);
    expect(terms('INSERT INTO t VALUES (1)', 5, 6)).toBeUndefined();
    expect(terms('INSERT INTO t VALUES ()', 5, 6)).toHaveLength(2);
  });

  it('case B60: the first row is enough of a batch that goes on behind what was read', () => {
    expect(ask('INSERT INTO t (id) VALUES (5), (6), (7', defaultDialect, true)?.terms).toHaveLength(2);
    expect(ask('INSERT INTO t (id, v) VALUES (5, 1', defaultDialect, true)).toBeNull();
  });
});
