import { describe, expect, it } from 'vitest';
import { chainStart, type HashedRow, rowHash, storableText } from './row-hash.ts';

const row: HashedRow = {
  id: 7,
  at: new Date('2026-03-01T10:00:00.123Z'),
  action: 'parameter.change',
  actor: 'root@sys@10.0.0.1',
  role: 'administrator',
  token: 'nightly',
  source: 'sql',
  origin: '10.0.0.1',
  parameter: 'init_sql',
  scope: '',
  oldValue: null,
  newValue: 'set names "utf8mb4" /* 数据库 */',
  outcome: 'persisted',
  failure: '',
  workersApplied: null,
  workersTotal: null,
  reason: 'ALTER PROXYCONFIG',
  requestId: 'sql-1-2',
  chainFormat: 2,
};

describe('hash of a history row', () => {
  it('format 1 stays what it is: rows hashed by earlier versions must go on verifying', () => {
    const first = { ...row, chainFormat: 1 };
    expect(rowHash(chainStart, first)).toBe('8dbf47f14ca6b7df434d67652e50102d63a846d7e5989efd1cc8da770ecaaae7');
  });

  it('format 2 also holds the token, and stays what it is', () => {
    expect(rowHash(chainStart, row)).toBe('5934f0a7991923ca084b5d268df973be826525f9ac32cb48a1e339046f44f30e');
  });

  it('every column and the hash before count', () => {
    const before = rowHash(chainStart, row);
    const changed = Object.entries(row).map(([name, value]) => {
      const other =
        value instanceof Date ? new Date(value.getTime() + 1) : typeof value === 'number' ? value + 1 : `${value}x`;
      return rowHash(chainStart, { ...row, [name]: other });
    });
    expect(new Set([before, ...changed, rowHash('1'.repeat(64), row)]).size).toBe(changed.length + 2);
    expect(changed.at(-1)).toBeNull();
  });

  it('what the database would not keep is replaced before it is hashed', () => {
    expect(storableText('a\0b\uD800c😀')).toBe('a\uFFFDb\uFFFDc😀');
  });
});
