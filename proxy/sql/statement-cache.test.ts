import { describe, expect, it } from 'vitest';
import { defaultDialect } from './classify.ts';
import { digestStatement } from './digest.ts';
import { StatementCache } from './statement-cache.ts';

const limits = { maxBytes: 4096, incomplete: false };

describe('statement cache', () => {
  it('gives the same answer again without keeping the caller’s buffer', () => {
    const cache = new StatementCache();
    const buffer = Buffer.from('select * from t1');
    cache.classify(buffer, defaultDialect, limits);
    const first = cache.classify(buffer, defaultDialect, limits);
    expect(cache.classify(Buffer.from('select * from t1'), defaultDialect, limits)).toBe(first);
    buffer.write('select * from t2');
    expect(cache.classify(buffer, defaultDialect, limits).table?.name).toBe('t2');
    expect(cache.classify(Buffer.from('select * from t1'), defaultDialect, limits)).toBe(first);
  });

  it('tells dialects apart', () => {
    const cache = new StatementCache();
    const text = Buffer.from('select * from "t"');
    expect(cache.classify(text, defaultDialect, limits).table).toBeNull();
    const ansi = { ...defaultDialect, ansiQuotes: true };
    for (let round = 0; round < 3; round += 1) {
      expect(cache.classify(text, ansi, limits).table?.name).toBe('t');
      expect(cache.classify(text, defaultDialect, limits).table).toBeNull();
    }
  });

  it('forgets the least recently used and remembers no long texts', () => {
    const cache = new StatementCache(2_100, 20);
    const classify = (sql: string) => {
      cache.classify(Buffer.from(sql), defaultDialect, limits);
      return cache.classify(Buffer.from(sql), defaultDialect, limits);
    };
    const first = classify('select 1');
    classify('select 2');
    expect(classify('select 1')).toBe(first);
    classify('select 3');
    expect(classify('select 1')).toBe(first);
    const long = 'select 1234567890123456';
    expect(classify(long)).not.toBe(classify(long));
  });

  it('lets a text in when it comes a second time', () => {
    const cache = new StatementCache();
    const classify = (sql: string) => cache.classify(Buffer.from(sql), defaultDialect, limits);
    const first = classify('select 1');
    const second = classify('select 1');
    expect(second).not.toBe(first);
    expect(classify('select 1')).toBe(second);
  });

  it('takes another limit and keeps what was used last; forgets what is older than told', () => {
    const clock = { nowMs: 0 };
    const cache = new StatementCache(100_000, 1024, () => clock.nowMs);
    const classify = (sql: string) => cache.classify(Buffer.from(sql), defaultDialect, limits);
    for (const sql of ['select 1', 'select 2', 'select 3']) {
      clock.nowMs += 10;
      classify(sql);
      classify(sql);
    }
    expect(cache.size).toBe(3);
    cache.forgetBefore(10);
    expect(cache.size).toBe(2);
    const kept = classify('select 2');
    cache.limit(1_100);
    expect(cache.size).toBe(1);
    expect(classify('select 2')).toBe(kept);
  });

  it('remembers nothing of a text that is cut', () => {
    const cache = new StatementCache();
    const text = Buffer.from('select * from t1');
    expect(cache.classify(text, defaultDialect, { maxBytes: 4096, incomplete: true }).truncated).toBe(true);
    expect(cache.classify(text, defaultDialect, limits).truncated).toBe(false);
  });
});

describe('digest', () => {
  it.each([
    ["select  *\nfrom t where id=5 and name='secret' -- c", 'SELECT * FROM t WHERE id = ? AND name = ?'],
    ['select a.b from `t` where id in (1, 2,3)', 'SELECT a.b FROM `t` WHERE id IN(?, ...)'],
    ["insert into t values (1,'a'),(2,'b')", 'INSERT INTO t VALUES(?, ...), (?, ...)'],
    ['select @a, @@session.sql_mode', 'SELECT @a, @@sql_mode'],
    ['select ?', 'SELECT ?'],
    ["set password = 'x'", 'SET password = ?'],
  ])('%j → %s', (sql, digest) => expect(digestStatement(Buffer.from(sql), defaultDialect)).toBe(digest));

  it('marks a cut statement and gives none of the cut literal', () => {
    expect(digestStatement(Buffer.from("select 'secret word'"), defaultDialect, 12)).toBe('SELECT ...');
  });
});
