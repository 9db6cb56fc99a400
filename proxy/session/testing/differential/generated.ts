import fc from 'fast-check';
import { type Sequence, type Step, sequenceOf, toSteps } from './step.ts';

/** The same sequences in every run. */
const SEED = 20_240_229;

type Table = '{a}' | '{b}';

const table = fc.constantFrom<Table>('{a}', '{b}');
/** Not 0, which asks for the next AUTO_INCREMENT value. */
const id = fc.integer({ min: 1, max: 6 });
const word = fc.constantFrom('x', 'y y', "it''s", '', '漢字', 'Ünï', '%', 'back\\\\slash');
const zone = fc.constantFrom('+00:00', '+03:30', '-05:00', '+13:00');
const mode = fc.constantFrom('', 'ANSI_QUOTES', 'STRICT_TRANS_TABLES', 'NO_BACKSLASH_ESCAPES', 'ONLY_FULL_GROUP_BY');
const literal = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map(String),
  fc.constantFrom('NULL', '1.25', "x'4142'", '-9223372036854775808', "''"),
  word.map((text) => `'${text}'`),
);

const setting = fc.oneof(
  zone.map((value) => `SET time_zone = '${value}'`),
  mode.map((value) => `SET sql_mode = '${value}'`),
  fc.constantFrom('utf8mb4', 'latin1', 'binary').map((value) => `SET NAMES ${value}`),
  fc.integer({ min: 4, max: 5000 }).map((value) => `SET @@session.group_concat_max_len = ${value}`),
  fc.constantFrom('SET sql_select_limit = 2', 'SET sql_select_limit = DEFAULT', 'SET no_such_setting = 1'),
);
const variable = fc.tuple(fc.constantFrom('p', 'q', 'r'), literal).map(([name, value]) => `SET @${name} = ${value}`);

const read = (from: Table) =>
  fc.oneof(
    id.map((key) => `SELECT id, v FROM ${from} WHERE id = ${key}`),
    fc.constantFrom(
      `SELECT id, v FROM ${from} ORDER BY id`,
      `SELECT COUNT(*), MAX(id), MIN(v) FROM ${from}`,
      `SELECT @@time_zone, @@sql_mode, @@group_concat_max_len FROM ${from} LIMIT 1`,
      `SELECT @p, @q, @r FROM ${from} LIMIT 1`,
      `SELECT @@character_set_client, @@character_set_results, @@autocommit FROM ${from} LIMIT 1`,
      `SELECT GROUP_CONCAT(v ORDER BY id) FROM ${from}`,
      `SELECT nothing FROM ${from}`,
      `SELECT @p := id FROM ${from} ORDER BY id`,
      `SELECT id + '2x' FROM ${from} ORDER BY id`,
    ),
  );

const write = (to: Table) =>
  fc.oneof(
    fc.tuple(id, word).map(([key, text]) => `UPDATE ${to} SET v = '${text}' WHERE id = ${key}`),
    fc.tuple(id, word).map(([key, text]) => `INSERT INTO ${to} VALUES (${key}, '${text}')`),
    fc.tuple(id, word).map(([key, text]) => `REPLACE INTO ${to} VALUES (${key}, '${text}')`),
    id.map((key) => `DELETE FROM ${to} WHERE id = ${key}`),
    fc.constant(`UPDATE ${to} SET v = CONCAT(v, '+')`),
    id.map((key) => `UPDATE ${to} SET v = @p WHERE id = ${key}`),
  );

const after = fc.constantFrom('SHOW WARNINGS', 'SELECT LAST_INSERT_ID()', 'SELECT DATABASE()');

/**
 * What keeps a session to one server is a block of its own, on one table. Its first statement names the table: it
 * decides the server, and these servers don't have each other's changes.
 */
const transaction = table.chain((on) =>
  fc
    .tuple(
      fc.constantFrom('BEGIN', 'START TRANSACTION', 'SET autocommit = 0', 'START TRANSACTION READ ONLY'),
      fc.oneof(read(on), write(on)),
      fc.array(fc.oneof(read(on), write(on), variable, fc.constantFrom('SAVEPOINT s', 'ROLLBACK TO SAVEPOINT s')), {
        maxLength: 5,
      }),
      fc.constantFrom('COMMIT', 'ROLLBACK'),
    )
    .map(([begin, first, body, end]) => [begin, first, ...body, end, 'SET autocommit = 1']),
);

const preparedBlock = fc
  .tuple(table, fc.constantFrom('s', 't'), fc.array(fc.tuple(id, word), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([on, name, runs, writes]): (string | Step)[] => [
    {
      kind: 'prepare',
      name,
      sql: writes ? `UPDATE ${on} SET v = ? WHERE id = ?` : `SELECT id, v FROM ${on} WHERE v = ? OR id >= ?`,
    },
    ...runs.map(([key, text]): Step => ({ kind: 'execute', name, values: [text, key] })),
    { kind: 'close', name },
  ]);

const resetBlock = fc.constant<(string | Step)[]>([{ kind: 'reset-connection' }, 'USE odp']);

const block = fc.oneof(
  { weight: 5, arbitrary: table.chain(read).map((sql) => [sql]) },
  { weight: 4, arbitrary: table.chain(write).map((sql) => [sql]) },
  { weight: 3, arbitrary: setting.map((sql) => [sql]) },
  { weight: 3, arbitrary: variable.map((sql) => [sql]) },
  { weight: 1, arbitrary: after.map((sql) => [sql]) },
  { weight: 3, arbitrary: transaction },
  { weight: 3, arbitrary: preparedBlock },
  { weight: 1, arbitrary: resetBlock },
);

/** Sequences of random settings, reads, writes, transactions and prepared statements on tables of two servers. */
export function generatedSequences(count: number, isWanted: (sequence: Sequence) => boolean): Sequence[] {
  const sequence = fc
    .array(block, { minLength: 4, maxLength: 10 })
    .map((blocks) => sequenceOf('', toSteps(blocks.flat())))
    .filter(isWanted);
  return fc
    .sample(sequence, { numRuns: count, seed: SEED })
    .map((found, index) => ({ ...found, name: `generated ${index + 1}` }));
}
