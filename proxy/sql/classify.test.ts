import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyStatement, defaultDialect, type SqlDialect } from './classify.ts';
import type { StatementInfo, StatementKind } from './statement-info.ts';

const classify = (sql: string, dialect?: SqlDialect): StatementInfo => classifyStatement(Buffer.from(sql), dialect);

/** `db.table`, `table` or null. */
function tableOf(sql: string, dialect?: SqlDialect): string | null {
  const { table } = classify(sql, dialect);
  if (table === null) return null;
  return table.database === null ? table.name : `${table.database}.${table.name}`;
}

describe('kinds of statement', () => {
  const kinds: [string, StatementKind][] = [
    ['select 1', 'select'],
    ['(select 1) union (select 2)', 'select'],
    ['((select 1))', 'select'],
    ['with c as (select 1) select * from c', 'select'],
    ['with c as (select 1) update t set a=1', 'update'],
    ['table t', 'select'],
    ['values row(1)', 'select'],
    ['insert into t values (1)', 'insert'],
    ['replace into t values (1)', 'replace'],
    ['update t set a=1', 'update'],
    ['delete from t', 'delete'],
    ['merge into t using s on (1=1)', 'merge'],
    ['begin', 'begin'],
    ['begin work;', 'begin'],
    ['start transaction with consistent snapshot, read write', 'begin'],
    ['start slave', 'other'],
    ['begin not atomic select 1; select 2; end', 'other'],
    ['commit', 'commit'],
    ['commit work and no chain', 'commit'],
    ['rollback', 'rollback'],
    ['rollback to savepoint a', 'savepoint'],
    ['rollback work to a', 'savepoint'],
    ['release savepoint a', 'savepoint'],
    ['savepoint a', 'savepoint'],
    ['set names utf8mb4', 'set'],
    ['use db1', 'use'],
    ['show tables', 'show'],
    ['desc t', 'desc'],
    ['describe t', 'desc'],
    ['explain t', 'desc'],
    ['explain select 1', 'explain'],
    ['desc format=json update t set a=1', 'explain'],
    ['explain extended_noaddr select 1', 'explain'],
    ['help "x"', 'help'],
    ['call p()', 'call'],
    ['prepare s from "select 1"', 'prepare'],
    ['execute s using @a', 'execute'],
    ['deallocate prepare s', 'deallocate'],
    ['drop prepare s', 'deallocate'],
    ["xa start 'g1'", 'xa'],
    ['load data local infile "f" into table t', 'load-data'],
    ['create table t (a int)', 'ddl'],
    ['drop table t', 'ddl'],
    ['truncate t', 'ddl'],
    ['lock tables t write', 'lock'],
    ['unlock tables', 'unlock'],
    ['kill 5', 'kill'],
    ['frobnicate', 'other'],
    ["'text'", 'other'],
  ];
  it.each(kinds)('%s → %s', (sql, kind) => {
    expect(classify(sql).kind).toBe(kind);
    expect(classify(sql.toUpperCase()).kind).toBe(kind);
  });

  it.each(['', ';', ' ', '-- x', '/* x */', '#x', '/*! */', ' ; ;/*c*/', '/* unclosed', '\u0000'])(
    'case B07 %j is an empty statement',
    (sql) => expect(classify(sql)).toMatchObject({ kind: 'empty', isMulti: false, isRead: false, table: null }),
  );
});

describe('which table decides the route', () => {
  const tables: [string, string | null][] = [
    // R20, R21
    ['select 1', null],
    ['select 1 from dual', null],
    ['create table t1 (a int)', null],
    ['create table t2 as select * from t1', null],
    ['call p((select a from t))', null],
    ['show tables from db1', null],
    ['set @b = (select count(*) from t0)', 't0'],
    // names: case B72
    ['select * from t1', 't1'],
    ['select * from `db2`.`t`', 'db2.t'],
    ['select * from db2 . t', 'db2.t'],
    ['select * from db2/*c*/./*c*/t', 'db2.t'],
    ['select * from db2.`select`', 'db2.select'],
    ['select * from db2.select', 'db2.select'],
    ['select * from .t', 't'],
    ['select * from `a``b`', 'a`b'],
    ['select * from `表`', '表'],
    ['select * from 表', '表'],
    ['select * from t AS `x`', 't'],
    ['select * from t x', 't'],
    ['select * from t PARTITION(p1)', 't'],
    ['select * from T', 'T'],
    ['select * from "t"', null],
    ['select * from 1a', '1a'],
    ['select * from db.2b', 'db.2b'],
    [`select * from ${'n'.repeat(64)}`, 'n'.repeat(64)],
    ['delete t1 from db2.t t1 where 1', 'db2.t'],
    ['insert t values (1)', 't'],
    ['insert into db2.t(id) values (1)', 'db2.t'],
    ['select * from event', 'event'],
    ['select * from t@link', null],
    ['insert low_priority ignore into t values (1)', 't'],
    // joins, sub-queries, unions: case B73
    ['select * from rep r join t on r.id=t.id where t.id=2', 'rep'],
    ['select * from (select * from t where id=2) d', 't'],
    ['select * from ((t1 join t2 using (id)), t3)', 't1'],
    ['select (select max(id) from t0) from t where id=2', 't'],
    ['select * from t where id in (select id from t0)', 't'],
    ['select * from t where id=1 union all select * from t2 where id=2', 't'],
    ['insert into t0 select * from t where id=2', 't0'],
    ['replace into t values (1)', 't'],
    ['update t a, t0 b set a.v=1 where a.id=2', 't'],
    ['update low_priority ignore t set v=1', 't'],
    ['delete a from t a where a.id=2', 't'],
    ['delete quick from t where id=2', 't'],
    ['delete from a using t as a join b using (id)', 't'],
    ['delete from t', 't'],
    ['delete t where id=1', 't'],
    ['explain select * from t where id=2', 't'],
    ['explain format=json delete from t', 't'],
    ['select exists (select 1 from t where id=1)', 't'],
    ['select 1 from dual where exists (select 1 from t)', 't'],
    ['select * from dual, t', 't'],
    ['select * from json_table("[]", "$") j, t', 't'],
    ['select * from { oj t left join s on 1 }', 't'],
    ['select * from lateral (select * from t) x', 't'],
    ['with c as (select * from t) select * from c', 't'],
    ['with recursive c (n) as (select 1 union all select n+1 from c) select * from c join t', 't'],
    ['with c as (select 1), d as (select 2) select * from d, t', 't'],
    ['with c as (select id from t0) update t join c using (id) set v=1', 't'],
    ['select * from (with c as (select * from t) select * from c) x', 't'],
    ['table t', 't'],
    ['merge into t using s on (t.a=s.a) when matched then update set b=1', 't'],
    // FROM that names no table
    ['select extract(year from d), trim(leading "x" from y), substring(z from 2) from t', 't'],
    ['select a.from, b.join from t', 't'],
    ['select t.* from t', 't'],
    ['select case when a then b end from t order by a limit 1', 't'],
    ['select 1 into @a', null],
    ['select * from t into outfile "x"', 't'],
  ];
  const calls: [sql: string, routine: string | null][] = [
    ['call p(1)', 'p'],
    ['CALL p', 'p'],
    ['/* x */ call `my db` . `p``q` (1, t.a)', 'my db|p`q'],
    ['call a.b.c(?)', 'a|b|c'],
    ['call a.select()', 'a|select'],
    ['call a.b.c.d()', null],
    ['call', null],
    ['call (1)', null],
    ['call a.', 'a'],
    ['call p(); select 1', 'p'],
    ['select 1; call p()', null],
    ['select p()', null],
  ];
  it.each(calls)('%s calls %s', (sql, routine) => {
    const named = classify(sql).routine;
    expect(named === null ? null : [...named.qualifiers, named.name].join('|')).toBe(routine);
    expect(classify(sql).table).toBeNull();
  });

  it.each(tables)('R20 case B72 case B73 %s → %s', (sql, table) => expect(tableOf(sql)).toBe(table));

  it('case B72 reads double quotes as a name under ANSI_QUOTES', () => {
    const ansi = { ...defaultDialect, ansiQuotes: true };
    expect(tableOf('select * from "db"."t""x"', ansi)).toBe('db.t"x');
  });

  it.each([
    ['R23', 'begin; select * from t1; commit;', 't1'],
    ['R23', 'set @@autocommit = 1; insert into t1 values(); set @@autocommit = 0;', 't1'],
    ['R23', 'select * from t1; insert into t2 values;', 't1'],
    ['R23', 'set @@ob_trx_timeout = 10000000; begin; select * from t1; commit;', 't1'],
    ['R24', 'create table t1 (a int); create table t2 (b int);', null],
    ['R25', "select '1'; select * from t1;", 't1'],
    ['R25', "select '1' from dual; select * from t1;", 't1'],
    ['R26', 'create table t1 (a int); insert into t1 values();', 't1'],
  ])('%s %s → %s', (_, sql, table) => {
    expect(tableOf(sql)).toBe(table);
    expect(classify(sql)).toMatchObject({ isMulti: true, forcesLastServer: false });
  });
});

describe('questions about the statement before', () => {
  it.each([
    'show warnings; select * from t1;',
    'show count(*) errors; select * from t1;',
    'SELECT ROW_COUNT()',
    'SELECT FOUND_ROWS ( )',
    'SHOW COUNT(*) WARNINGS',
    'SHOW /*c*/ WARNINGS LIMIT 1',
    'SHOW ERRORS',
    'SELECT @@warning_count',
    'SELECT @@session.error_count',
    'SELECT @@`warning_count`',
    'GET DIAGNOSTICS @n=NUMBER',
    'select last_insert_id()',
    'select @@identity',
    'set @a = last_insert_id()',
    'show trace',
  ])('R27 case B43 %s', (sql) => expect(classify(sql).forcesLastServer).toBe(true));

  it.each([
    'select * from t1; show warnings',
    'select row_count from t',
    'select `found_rows`() from t',
    'select x.row_count(1)',
    "select 'show warnings'",
    'show tables',
    'insert into t values (1); select last_insert_id()',
  ])('R27 not: %s', (sql) => expect(classify(sql).forcesLastServer).toBe(false));

  it('tells a use of the last insert id apart', () => {
    expect(classify('insert into t values (last_insert_id())').usesLastInsertId).toBe(true);
    expect(classify('select @@last_insert_id').usesLastInsertId).toBe(true);
    expect(classify('select last_insert_id from t').usesLastInsertId).toBe(false);
  });
});

describe('transactions', () => {
  it.each([
    ['begin', { startsTransaction: true, endsTransaction: false }],
    ['begin /*c*/ ;', { kind: 'begin', startsTransaction: true, isMulti: false }],
    ['START TRANSACTION READ ONLY', { readOnlyTransaction: true }],
    ['START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY', { readOnlyTransaction: true }],
    ['START TRANSACTION READ WRITE', { readOnlyTransaction: false, startsTransaction: true }],
    ['commit and chain', { startsTransaction: true, endsTransaction: true }],
    ['commit and no chain', { startsTransaction: false, endsTransaction: true }],
    ['rollback to a', { endsTransaction: false }],
    ['BEGIN; COMMIT', { startsTransaction: true, endsTransaction: true, isMulti: true }],
    ["xa begin X'01'", { startsTransaction: true }],
    ["xa end 'g1'", { startsTransaction: false, endsTransaction: false }],
    ["xa rollback 'g1'", { endsTransaction: true }],
    ['set transaction isolation level serializable', { setsNextTransaction: true }],
    ['set session transaction isolation level serializable', { setsNextTransaction: false }],
  ] as [string, Partial<StatementInfo>][])('case B63 case B64 case B65 %s', (sql, wanted) =>
    expect(classify(sql)).toMatchObject(wanted),
  );
});

describe('what ties a session to a server', () => {
  it.each([
    'CREATE /*c*/ TEMPORARY TABLE tmp1(id int)',
    'CREATE TEMPORARY TABLE IF NOT EXISTS x LIKE t',
    'create temporary table x as select 1',
  ])('case B45 %s', (sql) => expect(classify(sql).createsTemporaryTable).toBe(true));
  it.each(['create global temporary table x (a int)', 'create table temporary (a int)', 'drop temporary table x'])(
    'case B45 not: %s',
    (sql) => expect(classify(sql).createsTemporaryTable).toBe(false),
  );

  it.each([
    ["SELECT GET_LOCK('a',1)", { takesSessionLock: true }],
    ["DO GET_LOCK('a',1)", { takesSessionLock: true }],
    ["SELECT RELEASE_LOCK('a')", { takesSessionLock: false, releasesSessionLock: true }],
    ['LOCK TABLES t0 WRITE', { takesSessionLock: true }],
    ['UNLOCK TABLES', { releasesSessionLock: true }],
    ['FLUSH TABLES WITH READ LOCK', { takesSessionLock: true }],
    ['SELECT 1 AS `get_lock(`', { takesSessionLock: false }],
    ["SELECT 'GET_LOCK(1)'", { takesSessionLock: false }],
  ] as [string, Partial<StatementInfo>][])('case B46 %s', (sql, wanted) => expect(classify(sql)).toMatchObject(wanted));

  it.each([
    ['select * from t for update', 'update', false],
    ['select * from t for update nowait', 'update', false],
    ['select * from t lock in share mode', 'share', false],
    ['select * from t for share', 'share', false],
    ['select * from t use index for join (i) where 1', 'none', true],
    ['select * from (select * from t for update) x', 'update', false],
    ['insert into t values (1) on duplicate key update a=1', 'none', false],
    ['select * from t into outfile "f"', 'none', false],
    ['select 1; update t set a=1', 'none', false],
    ['explain select 1', 'none', false],
  ])('%s: lock %s, read %s', (sql, rowLock, isRead) => expect(classify(sql)).toMatchObject({ rowLock, isRead }));
});

describe('names in statements', () => {
  it.each([
    ['/*c*/ USE `db-1` /*c*/;', 'db-1'],
    ['use db1#c', 'db1'],
    ['USE db1; SELECT DATABASE()', 'db1'],
    ['use a; use b', 'b'],
  ])('case B39 %s → %s', (sql, database) => expect(classify(sql).useDatabase).toBe(database));

  it.each([
    ["PREPARE `s 1` FROM 'SELECT 1'", 's 1'],
    ['EXECUTE `s 1` USING @k', 's 1'],
    ['prepare P from @sqltext', 'p'],
    ['DEALLOCATE /*c*/ PREPARE p', 'p'],
    ['DROP PREPARE p', 'p'],
  ])('case B55 %s → %s', (sql, name) => expect(classify(sql).preparedName).toBe(name));

  it('knows LOAD DATA LOCAL', () => {
    expect(classify("load data low_priority local infile 'f' into table t").isLocalInfile).toBe(true);
    expect(classify("load data infile 'local' into table t").isLocalInfile).toBe(false);
  });
});

describe('comments and hints', () => {
  it.each<[string, StatementKind, string | null]>([
    [' /* a */ -- b\n # c\n INSERT INTO t VALUES(1,1)', 'insert', 't'],
    ['--x\nselect 1', 'other', null],
    ['-- x\nselect * from t', 'select', 't'],
    ['--\tx\nselect * from t', 'select', 't'],
    ['/*! SELECT */ 1', 'select', null],
    ["/*!40103 SET TIME_ZONE='+00:00' */", 'set', null],
    ['/*!99999 DELETE */ SELECT 1', 'select', null],
    ['\ufeffSELECT * from t', 'select', 't'],
    [`/*${'x'.repeat(5000)}*/ select * from t`, 'select', 't'],
    ['/*FORCE_MASTER*/ SELECT * from t', 'select', 't'],
  ])('case B71 %j', (sql, kind, table) => {
    expect(classify(sql).kind).toBe(kind);
    expect(tableOf(sql)).toBe(table);
  });

  it.each([
    ['SELECT /*+ READ_CONSISTENCY(WEAK), x */ 1', { readConsistency: 'weak' }],
    ['select/*+read_consistency ( strong )*/ 1', { readConsistency: 'strong' }],
    [
      "select /*+ read_consistency('frozen') query_timeout(5000000) trace_log */ 1",
      {
        readConsistency: 'frozen',
        queryTimeoutUs: 5_000_000,
        traceLog: true,
      },
    ],
    ['update /*+ query_timeout(100) */ t set a=1', { queryTimeoutUs: 100 }],
    ['begin; select /*+ read_consistency(weak) */ * from t', { readConsistency: 'weak' }],
    ['/*+ READ_CONSISTENCY(WEAK) */ SELECT 1', { readConsistency: null }],
    ['SELECT 1 /*+ READ_CONSISTENCY(WEAK) */', { readConsistency: null }],
    ['SELECT /* read_consistency(weak) */ 1', { readConsistency: null }],
    ['SELECT /*+ read_consistency(weakest) */ 1', { readConsistency: null }],
  ])('case B71 hints of %s', (sql, hints) => expect(classify(sql).hints).toMatchObject(hints));
});

describe('several statements in one text', () => {
  it.each([
    ['SELECT 1;SELECT 2', true],
    ['SELECT 1;;SELECT 2', true],
    ["SELECT ';'", false],
    ["SELECT ';';SELECT 2 -- ;", true],
    ['SELECT ";", `a;b` FROM t0; /* ; */ # x ', false],
    ['SELECT 1;', false],
    [';select 1', false],
    ["select 'it''s; ok'", false],
    ["select '\\'; ok'", false],
    ['create procedure p() begin select 1; select 2; end', false],
    ["create definer='a'@'b' trigger x before insert on t for each row begin set @a=1; end", false],
    ['create table event (a int); select 1', true],
  ])('case B57 %j is multi: %s', (sql, isMulti) => expect(classify(sql).isMulti).toBe(isMulti));

  it('follows NO_BACKSLASH_ESCAPES', () => {
    const sql = "select '\\';select '";
    expect(classify(sql).isMulti).toBe(false);
    expect(classify(sql, { ...defaultDialect, noBackslashEscapes: true }).isMulti).toBe(true);
  });
});

describe('GBK text', () => {
  const gbk = { ...defaultDialect, charset: 'gbk' as const };
  const text = Buffer.concat([
    Buffer.from("SELECT ';' FROM t WHERE name='"),
    Buffer.from([0xd5, 0x5c]),
    Buffer.from("' AND id=3; select 2"),
  ]);
  it('case B36 takes a second byte that looks like a backslash with its first', () => {
    expect(classifyStatement(text, gbk)).toMatchObject({ isMulti: true, table: { name: 't' } });
    expect(classifyStatement(text).isMulti).toBe(false);
  });
  it('case B36 takes a second byte that looks like a backtick with its first', () => {
    const quoted = Buffer.concat([Buffer.from('select * from `'), Buffer.from([0x81, 0x60]), Buffer.from('`.t')]);
    expect(classifyStatement(quoted, gbk).table).toEqual({
      database: new TextDecoder('gbk').decode(Uint8Array.of(0x81, 0x60)),
      name: 't',
    });
  });
});

describe('internal commands', () => {
  it.each([
    'show proxyconfig',
    'SHOW  PROXYSESSION',
    'show processlist',
    'alter proxyconfig set a=1',
    'kill 5',
    'ping proxy',
    '/*c*/ select proxy_version()',
    'explain route select 1',
  ])('%s may be one', (sql) => expect(classify(sql).mayBeInternalCommand).toBe(true));
  it.each([
    'show tables',
    'alter table t add b int',
    'select * from proxyconfig',
    'select proxy_version',
    'explain select 1',
  ])('%s is none', (sql) => expect(classify(sql).mayBeInternalCommand).toBe(false));
});

describe('a bounded look', () => {
  it('case B75 never takes a cut name for the whole one', () => {
    const text = Buffer.from('select * from table_of_mine');
    const full = classifyStatement(text, defaultDialect, { maxBytes: text.length, incomplete: false });
    expect(full).toMatchObject({ truncated: false, table: { name: 'table_of_mine' } });
    const cut = classifyStatement(text, defaultDialect, { maxBytes: 20, incomplete: false });
    expect(cut).toMatchObject({ kind: 'select', truncated: true, table: null });
    expect(classifyStatement(text, defaultDialect, { maxBytes: 1e9, incomplete: true }).table).toBeNull();
  });

  it('case B75 finds the table before a cut', () => {
    const text = Buffer.from(`insert into t values ('${'x'.repeat(9000)}')`);
    expect(classifyStatement(text, defaultDialect, { maxBytes: 4096, incomplete: false })).toMatchObject({
      kind: 'insert',
      truncated: true,
      table: { name: 't' },
    });
  });
});

describe('any bytes', () => {
  it('never throws and never depends on what lies beyond the text', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            'select',
            'from',
            'with',
            'as',
            'delete',
            'using',
            '(',
            ')',
            ',',
            '.',
            '`',
            "'",
            '"',
            ';',
            '/*',
            '*/',
            '/*!',
            '/*+',
            '--',
            '@',
            '@@',
            '\\',
            '0x',
            '1e',
            ' ',
            'x',
          ),
          { maxLength: 25 },
        )
        .map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(
        bytes,
        fc.uint8Array({ maxLength: 20 }),
        fc.constantFrom('utf8mb4', 'gbk', 'latin1'),
        (text, beyond, charset) => {
          const dialect = { ...defaultDialect, charset } as SqlDialect;
          const alone = classifyStatement(Buffer.from(text), dialect);
          const whole = Buffer.concat([text, beyond]);
          expect(classifyStatement(whole.subarray(0, text.length), dialect)).toEqual(alone);
          const limited = classifyStatement(whole, dialect, { maxBytes: text.length, incomplete: false });
          expect(limited.truncated).toBe(beyond.length > 0);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('says the same whatever blanks and comments stand between the tokens', () => {
    const statements = [
      ['select', '*', 'from', 'db', '.', '`t`', 'where', 'id', '=', '1', 'for', 'update'],
      ['with', 'c', '(', 'n', ')', 'as', '(', 'select', '1', ')', 'select', '*', 'from', 'c', ',', 't'],
      ['delete', 'from', 'a', 'using', 't', 'a', ';', 'select', 'found_rows', '(', ')'],
      ['set', '@a', '=', "'x;y'", ';', 'insert', 'into', 't', '(', 'id', ')', 'values', '(', '1', ')'],
      ['show', 'count', '(', '*', ')', 'warnings'],
      ['start', 'transaction', 'read', 'only'],
      ['rollback', 'work', 'to', 'savepoint', 's'],
      ['explain', 'format', '=', 'json', 'select', '1', 'from', 't'],
    ];
    const gap = fc.constantFrom(' ', '\t\r\n', '/**/', "/* ; ' */", '-- x\n', '#"\n', ' /*!*/ ', '/*!50000*/');
    fc.assert(
      fc.property(fc.constantFrom(...statements), fc.array(gap, { minLength: 40, maxLength: 40 }), (tokens, gaps) => {
        const spread = tokens.map((token, index) => `${gaps[index]}${token}`).join('') + gaps.at(-1);
        const found = classify(spread);
        const plain = classify(tokens.join(' '));
        expect(found).toEqual({ ...plain, tableAt: found.tableAt });
        if (found.table !== null) expect(spread.slice(found.tableAt)).toMatch(/^(?:db|`t`|t)\b|^`t`/);
      }),
      { numRuns: 300 },
    );
  });
});
