/** Partitions as calculated, compared with where a genuine kernel has put the rows. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lookupPartitioning } from '../../cluster/partition-lookup.ts';
import type { Partition, Partitioning } from '../../cluster/partitioning.ts';
import { classifyStatement, defaultDialect } from '../../sql/classify.ts';
import { readKeyConditions } from '../../sql/key-conditions.ts';
import { connectAsRoot, startKernel } from '../../testing/kernel.ts';
import { describeWith } from '../../testing/part.ts';
import { keyColumnsOf, partitionFor } from './key-ranges.ts';
import { ORACLE_INSERTS } from './testing/oracle-inserts.ts';
import { ORACLE_TABLES, type OracleTable, REFUSED_TABLES, randomRow, seededRandom } from './testing/oracle-tables.ts';

const ROWS_PER_TABLE = 110;
const RANGES_PER_TABLE = 12;

const kernel = await startKernel();
afterAll(() => kernel.close());

describeWith(kernel, 'partitions of a genuine kernel', (part) => {
  let root: Connection;
  let compared = 0;
  let undecided = 0;
  let ranges = 0;

  beforeAll(async () => {
    root = await connectAsRoot(part);
    await root.query('CREATE DATABASE oracle');
    await root.query('USE oracle');
  });
  afterAll(() => root.end());

  async function partitioningOf(table: string): Promise<Partitioning | null> {
    const [[schema]] = await root.query<RowDataPacket[]>(
      "SELECT table_id FROM oceanbase.__all_virtual_proxy_schema WHERE tenant_name = 'sys' AND database_name = 'oracle' AND table_name = ?",
      [table],
    );
    return lookupPartitioning(
      'sys',
      String(schema?.table_id),
      async (sql) => {
        const [rows] = await root.query<RowDataPacket[]>(sql);
        return rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [name.toLowerCase(), value === null ? null : String(value)]),
          ),
        );
      },
      unexpected,
    );
  }

  const unexpected = (error: unknown): never => {
    throw error;
  };

  const leaves = ({ partitions }: Partitioning): Partition[] =>
    partitions.flatMap((partition) => (partition.subPartitions.length > 0 ? partition.subPartitions : [partition]));

  const calculated = (partitioning: Partitioning, table: string, sql: string): string | null => {
    const columns = keyColumnsOf(partitioning);
    const text = Buffer.from(sql);
    const { tableAt } = classifyStatement(text);
    const question = {
      table,
      tableAt,
      columns: columns.map(({ name }) => name),
      positions: columns.map(({ insert }) => insert?.position ?? null),
      truncated: false,
    };
    const conditions = readKeyConditions(text, defaultDialect, question);
    if (conditions === null) return null;
    const resolve: Parameters<typeof partitionFor>[3] = (operand) =>
      operand.kind === 'parameter' || operand.kind === 'variable' ? undefined : operand;
    return partitionFor(partitioning, columns, conditions, resolve)?.name ?? null;
  };

  /** Conditions that limit columns: all the rows that the kernel finds for them lie in the partition named, if one is. */
  async function compareRanges(
    name: string,
    table: OracleTable,
    partitioning: Partitioning,
    random: () => number,
  ): Promise<void> {
    for (let round = 0; round < RANGES_PER_TABLE; round += 1) {
      const lows = randomRow(table, random);
      const highs = randomRow(table, random);
      const where = Object.keys(table.columns)
        .map((column, at) => {
          const [low, high] = [lows[at], random() < 0.3 ? lows[at] : highs[at]];
          const forms = [
            `${column} >= ${low} AND ${column} < ${high}`,
            `${column} BETWEEN ${low} AND ${high}`,
            `${column} < ${high}`,
            `${column} > ${low}`,
            `${column} = ${low}`,
            `${low} <= ${column}`,
          ];
          return forms[Math.floor(random() * forms.length)];
        })
        .join(' AND ');
      const found = calculated(partitioning, name, `SELECT * FROM ${name} WHERE ${where}`);
      if (found === null) continue;
      ranges += 1;
      const count = `SELECT COUNT(*) FROM ${name}`;
      const [[row]] = await root.query<RowDataPacket[]>(
        `SELECT (${count} WHERE ${where}) AS everywhere, (${count} PARTITION (${found}) WHERE ${where}) AS there`,
      );
      expect(row?.there, `${where} of ${name} in ${found}`).toBe(row?.everywhere);
    }
  }

  it.each(ORACLE_TABLES.map((table, index) => [table.name, table, index] as const))(
    '%s',
    async (name, table, index) => {
      const columns = Object.keys(table.columns);
      const definitions = columns.map((column) => `${column} ${table.columns[column]?.type}`);
      await root.query(`CREATE TABLE ${name} (row_number_ INT, ${definitions.join(', ')}) ${table.partitions}`);
      const partitioning = await partitioningOf(name);
      if (partitioning === null) throw new Error(`${name} is not understood`);
      const random = seededRandom(index + 1);
      const wanted = new Map<number, { inserted: string | null; selected: string | null; text: string }>();
      for (let row = 0; row < ROWS_PER_TABLE; row += 1) {
        const literals = randomRow(table, random);
        const sql = `INSERT INTO ${name} (${columns.join(', ')}, row_number_) VALUES (${literals.join(', ')}, ${row})`;
        const conditions = columns.map((column, at) =>
          literals[at] === 'NULL' ? `${column} IS NULL` : `${column} = ${literals[at]}`,
        );
        wanted.set(row, {
          inserted: calculated(partitioning, name, sql),
          selected: calculated(partitioning, name, `SELECT * FROM ${name} WHERE ${conditions.join(' AND ')}`),
          text: literals.join(', '),
        });
        // Rows that no partition takes are refused, and those whose expression passes 64 bits.
        const fits = await root.query(sql).then(
          () => true,
          (error: { errno?: number; message?: string }) => {
            if (error.errno !== 1526 && !/out of range/.test(error.message ?? '')) throw error;
            return false;
          },
        );
        if (!fits) {
          expect(wanted.get(row)).toMatchObject({ inserted: null, selected: null });
          wanted.delete(row);
        }
      }
      for (const partition of leaves(partitioning)) {
        const [rows] = await root.query<RowDataPacket[]>(
          `SELECT row_number_ AS n FROM ${name} PARTITION (${partition.name})`,
        );
        for (const { n } of rows) {
          const row = wanted.get(Number(n));
          if (row === undefined) throw new Error(`row ${n} is unknown`);
          for (const found of [row.inserted, row.selected]) {
            if (found === null) undecided += 1;
            else {
              compared += 1;
              expect(found, `${row.text} of ${name}`).toBe(partition.name);
            }
          }
          wanted.delete(Number(n));
        }
      }
      expect(wanted.size).toBe(0);
      await compareRanges(name, table, partitioning, random);
    },
    30_000,
  );

  it.each(ORACLE_INSERTS)(
    'case B60: what $name puts into its key',
    async ({ name, definition, changes, inserts, conditions }) => {
      await root.query(`CREATE TABLE ${name} ${definition}`);
      for (const change of changes) await root.query(`ALTER TABLE ${name} ${change}`);
      const partitioning = await partitioningOf(name);
      if (partitioning === null) throw new Error(`${name} is not understood`);
      const countIn = async (partition: string, where = '1'): Promise<number> => {
        const [[row]] = await root.query<RowDataPacket[]>(
          `SELECT COUNT(*) AS n FROM ${name} PARTITION (${partition}) WHERE ${where}`,
        );
        return Number(row?.n);
      };
      for (const [text, isKnown] of inserts) {
        const sql = `INSERT INTO ${name} ${text}`;
        const found = calculated(partitioning, name, sql);
        expect(found !== null, sql).toBe(isKnown);
        const before = found === null ? 0 : await countIn(found);
        await root.query(sql);
        // Of several rows the first one decides.
        const added = found === null ? 1 : (await countIn(found)) - before;
        expect(added, `${sql} in ${found}`).toBeGreaterThan(0);
      }
      for (const [where, isKnown] of conditions ?? []) {
        const found = calculated(partitioning, name, `SELECT * FROM ${name} WHERE ${where}`);
        expect(found !== null, where).toBe(isKnown);
        if (found === null) continue;
        const [[row]] = await root.query<RowDataPacket[]>(`SELECT COUNT(*) AS n FROM ${name} WHERE ${where}`);
        expect(Number(row?.n), where).toBeGreaterThan(0);
        expect(await countIn(found, where), where).toBe(Number(row?.n));
      }
    },
  );

  it('compares enough, and leaves little undecided', () => {
    expect(compared).toBeGreaterThan(20_000);
    expect(ranges).toBeGreaterThan(200);
    expect(undecided / (compared + undecided)).toBeLessThan(0.15);
  });

  it.each(REFUSED_TABLES)('refuses %s', async (name, definition, insert) => {
    await root.query(`CREATE TABLE ${name} ${definition}`);
    const partitioning = await partitioningOf(name).catch(() => null);
    if (partitioning !== null)
      expect(calculated(partitioning, name, `INSERT INTO ${name} (a) VALUES (${insert})`)).toBeNull();
  });
});
