import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStatement } from './parse-statement.ts';
import { normalizeTemporal } from './temporal.ts';
import { splitStatements, tokenize } from './tokens.ts';

const parse = (sql: string) => parseStatement(sql, tokenize(sql));

describe('tokenize', () => {
  it('reads strings with every escape', () => {
    const [token] = tokenize(String.raw`'a\'b''c\n\\ \0 \%\_'`);
    expect(token?.text).toBe("a'b'c\n\\ \0 \\%\\_");
  });

  it('drops comments, and reads the text of versioned ones', () => {
    const words = tokenize('a -- x\n# y\n/* z */ b /*!40101 c */ /*+ hint */').map((token) => token.text);
    expect(words).toEqual(['a', 'b', 'c', '']);
  });

  it('tells -- from two minus signs', () => {
    expect(tokenize('5--2').map((token) => token.text)).toEqual(['5', '-', '-', '2', '']);
  });

  it('gives any quoted text back', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const quoted = `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
        expect(tokenize(quoted)[0]?.text).toBe(text);
      }),
    );
  });

  it('never hangs: any text is read or refused', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        try {
          expect(tokenize(text).at(-1)?.kind).toBe('end');
        } catch (error) {
          expect(error).toMatchObject({ errno: 1064 });
        }
      }),
    );
  });
});

describe('splitStatements', () => {
  it('cuts at semicolons outside of strings, and keeps each text', () => {
    expect(splitStatements("select ';'; select `;` ;").map((part) => part.text)).toEqual([
      "select ';'",
      ' select `;` ',
    ]);
  });

  it('reads offsets from the start of each part', () => {
    const [, second] = splitStatements('select 1; bogus');
    expect(() => parseStatement(second?.text ?? '', second?.tokens ?? [])).toThrow(/near 'bogus' at line 1/);
  });
});

describe('parseStatement', () => {
  it.each([
    'WITH x AS (SELECT 1) SELECT * FROM x',
    'SELECT 1 FROM a NATURAL JOIN b',
    'SELECT sum(a) OVER () FROM t',
    'SELECT a FROM t GROUP BY a WITH ROLLUP',
    'UPDATE a, b SET a.x = 1',
    'DELETE a FROM a JOIN b ON a.x = b.x',
    'CREATE VIEW v AS SELECT 1',
    'CREATE TEMPORARY TABLE t(a int)',
    'CREATE TABLE t(a json)',
    'CREATE TABLE t(a decimal(30,2))',
    'CREATE TABLE t(a int) PARTITION BY HASH(a) SUBPARTITION BY HASH(a)',
    'CREATE TABLE t AS SELECT 1',
    'CALL p()',
    'LOAD DATA INFILE "x" INTO TABLE t',
    'ALTER TABLE t ADD a int, ADD b int',
    'SELECT 1 INTO OUTFILE "x"',
    'SELECT @a := 1',
    'SHOW MASTER STATUS',
  ])('what MySQL knows and the demo does not is refused by name: %s', (sql) => {
    expect(() => parse(sql)).toThrow(
      expect.objectContaining({ errno: 1235, message: expect.stringContaining('demo cluster') }),
    );
  });

  it.each(['SELECT', 'SELECT 1 FROM', 'INSERT t', 'FOO', 'SELECT 1 1 1', 'UPDATE t', 'SELECT (1', "SELECT 'a"])(
    'what nobody understands is a syntax error: %s',
    (sql) => {
      expect(() => parse(sql)).toThrow(expect.objectContaining({ errno: 1064 }));
    },
  );

  it('case B07 empty text is 1065, a comment is a statement that does nothing', () => {
    expect(() => parse('  ')).toThrow(expect.objectContaining({ errno: 1065 }));
    expect(parse('-- x').statement.kind).toBe('empty');
  });

  it('counts the parameters in their order', () => {
    expect(parse('SELECT ? FROM t WHERE a = ? LIMIT ?, ?').paramCount).toBe(4);
  });

  it.each([
    'SET autocommit=0, @a:=1, GLOBAL wait_timeout=3, @@session.sql_mode=DEFAULT',
    'SET NAMES utf8mb4 COLLATE utf8mb4_general_ci',
    'SET CHARACTER SET utf8',
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    "SET PASSWORD FOR 'a'@'%' = PASSWORD('x')",
    'SHOW FULL TABLES FROM `a` LIKE "x%"',
    "SHOW SESSION VARIABLES WHERE Variable_name = 'x' OR Variable_name = 'y'",
    'SHOW FULL COLUMNS FROM t FROM d',
    'ALTER SYSTEM MODIFY ZONE "z1" SET region = "SHANGHAI", idc = "zue"',
    "CREATE USER IF NOT EXISTS 'a'@'%' IDENTIFIED BY 'x'",
    'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
    'INSERT INTO t SET a=1 ON DUPLICATE KEY UPDATE a=VALUES(a)',
    'SELECT STRAIGHT_JOIN a FROM t1 FORCE INDEX (x) JOIN t2 USING (a) FOR UPDATE',
    '(SELECT 1) UNION ALL (SELECT 2) LIMIT 1',
  ])('reads %s', (sql) => {
    expect(() => parse(sql)).not.toThrow();
  });
});

describe('normalizeTemporal', () => {
  it.each([
    ['date', 0, '2024-1-5', '2024-01-05'],
    ['date', 0, '20240105', '2024-01-05'],
    ['datetime', 0, '2024-02-29T10:11', '2024-02-29 10:11:00'],
    ['datetime', 0, '2024-12-31 23:59:59.6', '2025-01-01 00:00:00'],
    ['datetime', 3, '2024-01-01 00:00:00.12', '2024-01-01 00:00:00.120'],
    ['datetime', 0, '2023-02-29', null],
    ['time', 0, '-3:4:5', '-03:04:05'],
    ['date', 0, 'soon', null],
  ] as const)('%s(%i) of %s', (kind, scale, text, kept) => {
    expect(normalizeTemporal(kind, scale, text)).toBe(kept);
  });
});
