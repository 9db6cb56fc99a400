import { describe, expect, it } from 'vitest';
import { classifyStatement } from '../sql/classify.ts';
import { readConsistency } from './read-consistency.ts';

const levelOf = (sql: string, session?: string, begins = false) =>
  readConsistency(classifyStatement(Buffer.from(sql)), session, begins).level;

const weakHint = '/*+ read_consistency(weak) */';

describe('readConsistency', () => {
  it.each([
    ['select * from t', undefined, 'strong'],
    ['select * from t', 'STRONG', 'strong'],
    ['select * from t', '3', 'strong'],
    ['select * from t', 'FROZEN', 'strong'],
    ['select * from t', 'WEAK', 'weak'],
    ['select * from t', 'weak', 'weak'],
    ['select * from t', '2', 'weak'],
    [`select ${weakHint} * from t`, undefined, 'weak'],
    [`select ${weakHint} * from t`, 'STRONG', 'weak'],
    ['select /*+ READ_CONSISTENCY("WEAK"), query_timeout(5) */ * from t', 'STRONG', 'weak'],
    ['select /*+ read_consistency(strong) */ * from t', 'WEAK', 'strong'],
    ['select /*+ read_consistency(frozen) */ * from t', 'WEAK', 'weak'],
    ['select /*+ read_consistency(frozen) */ * from t', 'STRONG', 'strong'],
  ] as const)('R12 %s in a session with %s is %s', (sql, session, level) => {
    expect(levelOf(sql, session)).toBe(level);
  });

  it.each([
    `select ${weakHint} * from t for update`,
    `select ${weakHint} * from t lock in share mode`,
    `select ${weakHint} * from t into outfile 'f'`,
    `select ${weakHint} * from t; update t set a = 1`,
    `insert ${weakHint} into t values (1)`,
    `insert ${weakHint} into t select * from u`,
    `update ${weakHint} t set a = 1`,
    `delete ${weakHint} from t`,
    'show tables',
    'explain select * from t',
    'call p()',
    'set @a = 1',
    '',
  ])('R10 R11 %s is strong even in a weak session', (sql) => {
    expect(levelOf(sql, 'WEAK')).toBe('strong');
  });

  it('R11 a command without a text is strong', () => {
    expect(readConsistency(null, 'WEAK', false).level).toBe('strong');
  });

  it('R11 a text whose end is not seen is strong: it may lock rows', () => {
    const text = Buffer.from(`select ${weakHint} * from t where a in (1,2,3`);
    const info = classifyStatement(text);
    expect(readConsistency({ ...info, truncated: true }, 'WEAK', false).level).toBe('strong');
  });

  it.each([
    [`${weakHint} select * from t`],
    [`/* a */ -- b\n # c\n select * from t`],
    [`/*FORCE_MASTER*/ select * from t`],
    ['select * from t /*+ read_consistency(weak) */'],
    ['select /* read_consistency(weak) */ * from t'],
  ])('case B71 %j does not ask for a weak read: the hint counts only directly after the verb', (sql) => {
    expect(levelOf(sql)).toBe('strong');
  });

  it('case B71 a hint after any number of comments, with words that are no hints', () => {
    expect(levelOf('/* a */ -- b\n # c\n select /*+ READ_CONSISTENCY(WEAK), x */ * from t')).toBe('weak');
    expect(levelOf(`/*${'c'.repeat(5000)}*/ select ${weakHint} * from t`)).toBe('weak');
  });

  it('case B62 case B68 the statement that begins a transaction is strong', () => {
    expect(levelOf('select * from t', 'WEAK', true)).toBe('strong');
    expect(levelOf(`select ${weakHint} * from t`, 'STRONG', true)).toBe('strong');
  });

  it('R12 tells why', () => {
    const because = (sql: string, session: string) =>
      readConsistency(classifyStatement(Buffer.from(sql)), session, false).because;
    expect(because('select 1', 'WEAK')).toBe('ob_read_consistency of the session');
    expect(because(`select ${weakHint} 1`, 'WEAK')).toBe('hint of the statement');
    expect(because('select 1 from t for update', 'WEAK')).toBe('the SELECT locks rows');
  });
});
