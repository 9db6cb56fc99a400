import { describe, expect, it } from 'vitest';
import type { KeyColumn, Partition, Partitioning } from '../cluster/partitioning.ts';
import type { TableLocation } from '../cluster/topology.ts';
import { classifyStatement, defaultDialect } from '../sql/classify.ts';
import { COM } from '../wire/constants.ts';
import { PacketWriter } from '../wire/writer.ts';
import type { SessionStatement } from './request.ts';
import { locateNeeded } from './route-partition.ts';
import type { RoutedSession } from './routed-session.ts';
import type { SessionCluster } from './session-context.ts';

const id: KeyColumn = { name: 'id', type: 5, collation: 63, length: -1, precision: 20, scale: 0 };
const partitioning: Partitioning = {
  rule: { kind: 'key', columns: [id], expression: null },
  subRule: null,
  partitions: [0, 1, 2, 3].map(
    (index): Partition => ({ name: `p${index}`, tabletId: `${index}`, bounds: [], subPartitions: [] }),
  ),
};
const table: TableLocation = {
  tenant: 't',
  database: 'd',
  table: 't',
  tableId: '1',
  partitionCount: 4,
  schemaVersion: '1',
  replicas: [],
};

const variables = new Map([
  ['five', '5'],
  ['text', "'5'"],
]);
const session = {
  dialect: defaultDialect,
  context: { config: { bool: () => true } },
  variables: { userVariable: (name: string) => variables.get(name) },
} as unknown as RoutedSession;
const cluster = {
  partitioning: () => partitioning,
  locatePartition: (location: TableLocation, { name }: Partition) => ({ ...location, table: name }),
  told: () => null,
} as unknown as SessionCluster;

type Request = Parameters<typeof locateNeeded>[2];

function query(sql: string): Request {
  const text = Buffer.from(sql);
  const bytes = Buffer.concat([Buffer.alloc(5), text]);
  return { info: classifyStatement(text), command: COM.QUERY, bytes, complete: true, statement: null };
}

/** An EXECUTE with one BIGINT. */
function execute(sql: string, value: bigint): Request {
  const text = Buffer.from(sql);
  const info = classifyStatement(text);
  const statement = { text, isTextWhole: true, info, parameterCount: 1, parameterTypes: null };
  const payload = new PacketWriter(64).u8(COM.STMT_EXECUTE).u32(1).u8(0).u32(1).u8(0).u8(1).u8(8).u8(0).u64(value);
  const bytes = Buffer.concat([Buffer.alloc(4), payload.finish()]);
  return {
    info,
    command: COM.STMT_EXECUTE,
    bytes,
    complete: true,
    statement: statement as unknown as SessionStatement,
  };
}

/** Name of the partition; `t`: that of the table. */
const placeOf = (request: Request): unknown => (locateNeeded(session, cluster, request, table) as TableLocation).table;

describe('the partition of a request', () => {
  it('is the same for a literal, a parameter and a known user variable', () => {
    const expected = placeOf(query('SELECT * FROM t WHERE id = 5'));
    expect(expected).toMatch(/^p\d$/);
    expect(placeOf(query('SELECT * FROM t WHERE id = @five'))).toBe(expected);
    expect(placeOf(query('SELECT * FROM t WHERE id = @TEXT'))).toBe(expected);
    expect(placeOf(execute('SELECT * FROM t WHERE id = ?', 5n))).toBe(expected);
    expect(placeOf(execute('INSERT INTO t (id) VALUES (?)', 5n))).toBe(expected);
    expect(placeOf(query("UPDATE t SET v = 1 WHERE id = '5'"))).toBe(expected);
  });

  it.each([
    'SELECT * FROM t WHERE id = @unknown',
    'SELECT * FROM t WHERE id = ?',
    'SELECT * FROM t WHERE id = 5 AND id = 6',
    "SELECT * FROM t WHERE id = '5abc'",
    'SELECT * FROM t WHERE id = 18446744073709551615',
    'SELECT * FROM t WHERE id = 1.5',
    'SELECT * FROM t WHERE id > 5',
    'SET @five = 6; SELECT * FROM t WHERE id = @five',
    'INSERT INTO t (id) VALUES (0)',
    'INSERT INTO t (id) VALUES (NULL)',
  ])('case B74: stays open for %s', (sql) => {
    expect(placeOf(query(sql))).toBe('t');
  });

  it('is remembered where nothing but the text decides it', () => {
    const remembers = (request: Request): boolean => {
      const told: string[] = [];
      const noting = {
        ...cluster,
        told: (whole: TableLocation, place: TableLocation) => {
          told.push(`${whole.table} ${place.table}`);
          return null;
        },
      } as unknown as SessionCluster;
      locateNeeded(session, noting, request, table);
      return told.length === 1;
    };
    expect(remembers(query('SELECT * FROM t WHERE id = 5'))).toBe(true);
    expect(remembers(query('SELECT * FROM t'))).toBe(true);
    expect(remembers(query('SELECT * FROM t WHERE id = @five'))).toBe(false);
    expect(remembers(execute('SELECT * FROM t WHERE id = ?', 5n))).toBe(false);
  });

  it('stays open when parameters are cut off', () => {
    const whole = execute('SELECT * FROM t WHERE id = ?', 5n);
    expect(placeOf({ ...whole, bytes: whole.bytes.subarray(0, -3) })).toBe('t');
  });
});
