import { type Sequence, type Step, sequenceOf, toSteps } from './step.ts';

const named = (group: string, list: Readonly<Record<string, readonly (string | Step)[]>>): Sequence[] =>
  Object.entries(list).map(([name, steps]) => sequenceOf(`${group}: ${name}`, toSteps(steps)));

const execute = (name: string, ...values: (number | string | null)[]): Step => ({ kind: 'execute', name, values });
const prepare = (name: string, sql: string): Step => ({ kind: 'prepare', name, sql });

const settings = named('settings', {
  'time zone': [
    "SET time_zone = '+03:00'",
    'SELECT @@time_zone FROM {a} LIMIT 1',
    'SELECT @@time_zone FROM {b} LIMIT 1',
  ],
  'two in one statement': [
    "SET sql_mode = 'ANSI_QUOTES', time_zone = '+01:00'",
    'SELECT @@sql_mode, @@time_zone, "id" FROM {b} ORDER BY 1 LIMIT 1',
    'SELECT "id" FROM {a} ORDER BY id',
  ],
  'a failing one keeps what was': [
    "SET time_zone = '+05:00'",
    "SET time_zone = 'nowhere/at/all'",
    'SELECT @@time_zone FROM {b} LIMIT 1',
    'SELECT @@time_zone FROM {a} LIMIT 1',
  ],
  'the second of two fails': [
    "SET time_zone = '+06:00', sql_mode = 'no such mode'",
    'SELECT @@time_zone, @@sql_mode FROM {b} LIMIT 1',
  ],
  'unknown variable': ['SET no_such_variable = 1', 'SELECT id FROM {b} WHERE id = 1'],
  'character set of names': [
    'SET NAMES latin1',
    "SELECT 'é', @@character_set_client, @@character_set_results FROM {b} LIMIT 1",
    'SET NAMES utf8mb4',
    "SELECT 'é' FROM {a} LIMIT 1",
  ],
  'names with collation': [
    'SET NAMES utf8mb4 COLLATE utf8mb4_bin',
    "SELECT @@collation_connection, 'a' = 'A' FROM {b} LIMIT 1",
    "SELECT @@collation_connection, 'a' = 'A' FROM {a} LIMIT 1",
  ],
  'default value': [
    "SET time_zone = '+09:00'",
    'SELECT 1 FROM {b} LIMIT 1',
    'SET time_zone = DEFAULT',
    'SELECT @@time_zone FROM {b} LIMIT 1',
  ],
  'from a user variable': ["SET @z = '+02:00'", 'SET time_zone = @z', 'SELECT @@time_zone, @z FROM {b} LIMIT 1'],
  'from an expression': [
    'SET @@session.group_concat_max_len = 1000 + 24',
    'SELECT @@group_concat_max_len FROM {b} LIMIT 1',
  ],
  'limit of rows': ['SET sql_select_limit = 2', 'SELECT id FROM {b} ORDER BY id', 'SELECT id FROM {a} ORDER BY id'],
  'read in the same statement list': [
    'SELECT @@autocommit',
    'SET autocommit = 1',
    'SELECT @@autocommit FROM {b} LIMIT 1',
  ],
  'reset of the connection': [
    "SET time_zone = '+08:00', @v = 1",
    'SELECT @@time_zone FROM {b} LIMIT 1',
    { kind: 'reset-connection' },
    'SELECT @@time_zone, @v FROM {a} LIMIT 1',
    'SELECT @@time_zone, @v FROM {b} LIMIT 1',
  ],
});

const userVariables = named('user variables', {
  kinds: [
    "SET @i = -5, @d = 1.50, @s = 'it''s', @n = NULL, @e = ''",
    'SELECT @i, @d, @s, @n, @e FROM {b} LIMIT 1',
    'SELECT @i, @d, @s, @n, @e FROM {a} LIMIT 1',
  ],
  'odd names': ["SET @`a b` = 1, @A.b_c$1 = 'x', @'q' = 2", "SELECT @`a b`, @A.b_c$1, @'q' FROM {b} LIMIT 1"],
  'case of a name': ['SET @Name = 1', 'SELECT @name, @NAME FROM {b} LIMIT 1'],
  'set by a select': ['SELECT @x := 7 FROM {a} LIMIT 1', 'SELECT @x FROM {b} LIMIT 1'],
  'counted by rows': ['SET @c = 0', 'SELECT @c := @c + 1 FROM {b}', 'SELECT @c FROM {a} LIMIT 1'],
  'select into': ['SELECT id, v INTO @i, @v FROM {b} WHERE id = 2', 'SELECT @i, @v FROM {a} LIMIT 1'],
  'awkward text': [
    String.raw`SET @t = 'back\\slash, "quote", \n newline, \0 zero'`,
    'SELECT @t, LENGTH(@t) FROM {b} LIMIT 1',
    'SELECT HEX(@t) FROM {a} LIMIT 1',
  ],
  'binary value': ["SET @b = x'00ff10'", 'SELECT HEX(@b), LENGTH(@b) FROM {b} LIMIT 1'],
  'large numbers': [
    'SET @big = 18446744073709551615, @low = -9223372036854775808',
    'SELECT @big, @low FROM {b} LIMIT 1',
  ],
  'used as a key': ['SET @k = 2', 'SELECT v FROM {b} WHERE id = @k', 'SELECT v FROM {a} WHERE id = @k'],
});

const answers = named('answers', {
  'empty result': ['SELECT id FROM {b} WHERE id = 99', 'SELECT id FROM {a} WHERE 1 = 0'],
  'affected rows of each write': [
    "UPDATE {b} SET v = 'x' WHERE id < 3",
    "UPDATE {b} SET v = 'x' WHERE id < 3",
    'DELETE FROM {b} WHERE id > 1',
    "INSERT INTO {b} VALUES (7, 'seven'), (8, 'eight')",
    "REPLACE INTO {b} VALUES (7, 'again')",
    "INSERT INTO {b} VALUES (7, 'once more') ON DUPLICATE KEY UPDATE v = VALUES(v)",
    'SELECT id, v FROM {b} ORDER BY id',
  ],
  'insert id that was given': ["INSERT INTO {a} VALUES (40, 'forty')", "INSERT INTO {b} VALUES (41, 'forty-one')"],
  'insert id of an expression': [
    'UPDATE {b} SET id = LAST_INSERT_ID(id + 100) WHERE id = 2',
    'SELECT LAST_INSERT_ID()',
    'SELECT id FROM {b} ORDER BY id',
  ],
  'duplicate key': ["INSERT INTO {b} VALUES (1, 'again')", 'SELECT v FROM {b} WHERE id = 1'],
  'unknown table': ['SELECT * FROM no_such_table', 'SELECT id FROM {b} WHERE id = 1'],
  'unknown column': ['SELECT nothing FROM {b}', 'SELECT nothing FROM {a}'],
  'syntax error': ['SELEC 1', 'SELECT FROM', 'SELECT id FROM {b} WHERE id = 3'],
  'an error with quotes': ["SELECT 'unclosed", 'SELECT id FROM {a} WHERE id = 3'],
  'found rows': ['SELECT SQL_CALC_FOUND_ROWS id FROM {b} ORDER BY id LIMIT 1', 'SELECT FOUND_ROWS()'],
  'row count': ["UPDATE {b} SET v = 'r' WHERE id > 1", 'SELECT ROW_COUNT()'],
  'types of columns': [
    "SELECT 1, -1, 1.5, 1e10, 'text', NULL, TRUE, x'41', DATE '2024-02-29', CAST(5 AS UNSIGNED), CAST('7' AS DECIMAL(10,2)) FROM {b} LIMIT 1",
  ],
  'many columns': [
    `SELECT ${Array.from({ length: 120 }, (_, index) => `${index} AS c${index}`).join(', ')} FROM {b} LIMIT 1`,
  ],
  'many rows': ['SELECT x.id, y.id, z.id, w.id FROM {b} x, {b} y, {b} z, {b} w ORDER BY 1, 2, 3, 4'],
  'long texts': [
    "SELECT REPEAT('x', 70000), id FROM {b} ORDER BY id",
    "SELECT REPEAT('y', 255), REPEAT('z', 251) FROM {a} LIMIT 1",
  ],
  'names and aliases': [
    'SELECT t.id AS `my id`, t.v `v v` FROM {b} t WHERE t.id = 1',
    'SELECT `id` FROM `{a}` WHERE `id` = 1',
  ],
  'union and sub-query': [
    'SELECT id FROM {b} WHERE id = 1 UNION ALL SELECT id FROM {b} WHERE id = 3 ORDER BY 1',
    'SELECT v FROM {b} WHERE id IN (SELECT MAX(id) FROM {b})',
    'SELECT d.id FROM (SELECT id FROM {b} WHERE id > 1) d ORDER BY 1',
  ],
  aggregates: [
    'SELECT COUNT(*), MIN(id), MAX(v), SUM(id), AVG(id) FROM {b}',
    'SELECT v, COUNT(*) FROM {a} GROUP BY v ORDER BY v',
  ],
  comments: [
    '/* a */ SELECT id FROM {b} WHERE id = 1 -- end',
    '# line\nSELECT id FROM {a} WHERE id = 2',
    'SELECT/**/id/**/FROM/**/{b}/**/ORDER/**/BY/**/1',
  ],
  'empty statements': ['', ';', '   ', 'SELECT id FROM {b} WHERE id = 1'],
  ping: [{ kind: 'ping' }, 'SELECT id FROM {b} WHERE id = 1', { kind: 'ping' }],
  'use of databases': [
    { kind: 'database', name: 'information_schema' },
    'SELECT DATABASE()',
    'SELECT id FROM odp.{b} WHERE id = 1',
    'SELECT DATABASE() FROM odp.{a} LIMIT 1',
    'USE odp',
    'SELECT id FROM {a} WHERE id = 1',
    'SELECT DATABASE() FROM {b} LIMIT 1',
  ],
  'a database that is not there': [
    'USE nowhere',
    'SELECT DATABASE()',
    { kind: 'database', name: 'nowhere' },
    'SELECT id FROM {b} WHERE id = 2',
  ],
});

const warnings = named('warnings', {
  'of a conversion': ["SELECT id + '2x' FROM {b} WHERE id = 1", 'SHOW WARNINGS'],
  'of a note': ['DROP TABLE IF EXISTS no_such_table', 'SHOW WARNINGS'],
  'of an error': ['SELECT nothing FROM {b}', 'SHOW WARNINGS', 'SHOW ERRORS'],
  counted: ["SELECT '1a' + id FROM {b} ORDER BY id", 'SHOW COUNT(*) WARNINGS'],
  'gone with the next statement': [
    "SELECT id + '2x' FROM {b} WHERE id = 1",
    'SELECT id FROM {b} WHERE id = 1',
    'SHOW WARNINGS',
  ],
});

const transactions = named('transactions', {
  commit: [
    'BEGIN',
    "UPDATE {b} SET v = 'in' WHERE id = 1",
    'SELECT v FROM {b} WHERE id = 1',
    'COMMIT',
    'SELECT v FROM {b} WHERE id = 1',
  ],
  'roll back': [
    'START TRANSACTION',
    'DELETE FROM {b}',
    'SELECT COUNT(*) FROM {b}',
    'ROLLBACK',
    'SELECT COUNT(*) FROM {b}',
  ],
  'one after the other': [
    'BEGIN',
    "UPDATE {a} SET v = '1' WHERE id = 1",
    'COMMIT',
    'BEGIN',
    "UPDATE {b} SET v = '2' WHERE id = 1",
    'COMMIT',
    'SELECT v FROM {a} WHERE id = 1',
    'SELECT v FROM {b} WHERE id = 1',
  ],
  'nothing in it': ['BEGIN', 'COMMIT', 'BEGIN', 'ROLLBACK', 'COMMIT', 'ROLLBACK'],
  'begin within': [
    'BEGIN',
    "UPDATE {b} SET v = 'x' WHERE id = 1",
    'BEGIN',
    'ROLLBACK',
    'SELECT v FROM {b} WHERE id = 1',
  ],
  'read only': [
    'START TRANSACTION READ ONLY',
    'SELECT COUNT(*) FROM {b}',
    "UPDATE {b} SET v = 'x'",
    'COMMIT',
    'SELECT v FROM {b} ORDER BY id',
  ],
  'consistent snapshot': ['START TRANSACTION WITH CONSISTENT SNAPSHOT', 'SELECT id FROM {b} ORDER BY id', 'COMMIT'],
  savepoints: [
    'BEGIN',
    "UPDATE {b} SET v = 'one' WHERE id = 1",
    'SAVEPOINT s1',
    "UPDATE {b} SET v = 'two' WHERE id = 1",
    'ROLLBACK TO SAVEPOINT s1',
    'SELECT v FROM {b} WHERE id = 1',
    'RELEASE SAVEPOINT s1',
    'COMMIT',
    'SELECT v FROM {b} WHERE id = 1',
  ],
  'savepoint that is not there': [
    'BEGIN',
    'SELECT id FROM {b} WHERE id = 1',
    'ROLLBACK TO SAVEPOINT nothing',
    'COMMIT',
  ],
  'autocommit off': [
    'SET autocommit = 0',
    "UPDATE {b} SET v = 'off' WHERE id = 2",
    'SELECT v FROM {b} WHERE id = 2',
    'ROLLBACK',
    'SELECT v FROM {b} WHERE id = 2',
    'COMMIT',
    'SET autocommit = 1',
    'SELECT v FROM {a} WHERE id = 2',
  ],
  'autocommit on again commits': [
    'SET autocommit = 0',
    "UPDATE {b} SET v = 'kept' WHERE id = 2",
    'SET autocommit = 1',
    'ROLLBACK',
    'SELECT v FROM {b} WHERE id = 2',
  ],
  'an error within': [
    'BEGIN',
    "UPDATE {b} SET v = 'x' WHERE id = 1",
    "INSERT INTO {b} VALUES (1, 'dup')",
    'SELECT v FROM {b} WHERE id = 1',
    'ROLLBACK',
  ],
  'for update': ['BEGIN', 'SELECT id FROM {b} WHERE id = 1 FOR UPDATE', 'COMMIT'],
  chain: ['BEGIN', "UPDATE {b} SET v = 'c' WHERE id = 1", 'COMMIT AND NO CHAIN', 'SELECT v FROM {b} WHERE id = 1'],
  'isolation of the next': [
    'SET TRANSACTION ISOLATION LEVEL READ COMMITTED',
    'SELECT id FROM {b} WHERE id = 1',
    'SELECT id FROM {a} WHERE id = 1',
  ],
  'begin work': ['BEGIN WORK', 'SELECT id FROM {b} WHERE id = 1', 'COMMIT WORK', 'SELECT id FROM {a} WHERE id = 1'],
  'settings within': [
    'BEGIN',
    'SELECT id FROM {b} WHERE id = 1',
    "SET time_zone = '+04:00'",
    'COMMIT',
    'SELECT @@time_zone FROM {a} LIMIT 1',
  ],
  'prepared within': [
    'BEGIN',
    prepare('u', 'UPDATE {b} SET v = ? WHERE id = ?'),
    execute('u', 'p', 1),
    'ROLLBACK',
    execute('u', 'q', 1),
    'SELECT v FROM {b} ORDER BY id',
  ],
});

const prepared = named('prepared', {
  'moves with its table': [
    prepare('x', 'SELECT id, v FROM {b} WHERE id = ?'),
    execute('x', 1),
    execute('x', 2),
    execute('x', 9),
    { kind: 'close', name: 'x' },
  ],
  'on both servers': [
    prepare('x', 'SELECT v FROM {a} WHERE id = ?'),
    prepare('y', 'SELECT v FROM {b} WHERE id = ?'),
    execute('x', 1),
    execute('y', 1),
    execute('x', 2),
    execute('y', 2),
    { kind: 'close', name: 'x' },
    execute('y', 3),
  ],
  'without parameters': [prepare('x', 'SELECT COUNT(*) FROM {b}'), execute('x'), execute('x')],
  'nulls and texts': [
    prepare('x', 'SELECT ?, ?, ? FROM {b} LIMIT 1'),
    execute('x', null, 'text', 5),
    execute('x', 'a', null, null),
  ],
  'many parameters': [
    prepare('x', `SELECT ${Array.from({ length: 20 }, () => '?').join(', ')} FROM {b} LIMIT 1`),
    execute('x', ...Array.from({ length: 20 }, (_, index) => (index % 3 === 0 ? null : index))),
  ],
  writes: [
    prepare('i', 'INSERT INTO {b} VALUES (?, ?)'),
    execute('i', 50, 'fifty'),
    execute('i', 50, 'again'),
    prepare('u', 'UPDATE {b} SET v = ? WHERE id = ?'),
    execute('u', 'changed', 50),
    execute('u', 'changed', 50),
    prepare('d', 'DELETE FROM {b} WHERE id >= ?'),
    execute('d', 50),
    'SELECT COUNT(*) FROM {b}',
  ],
  'an error in preparing': [
    prepare('x', 'SELECT nothing FROM {b}'),
    prepare('y', 'SELEC ?'),
    'SELECT id FROM {b} WHERE id = 1',
  ],
  'long data': [
    prepare('x', 'SELECT LENGTH(?), LENGTH(?) FROM {b} LIMIT 1'),
    { kind: 'long-data', name: 'x', parameter: 1, data: 'piece ' },
    { kind: 'long-data', name: 'x', parameter: 1, data: 'by piece' },
    execute('x', 'abc', 'replaced'),
    { kind: 'reset-statement', name: 'x' },
    execute('x', 'abc', 'plain'),
  ],
  'settings are seen': [
    prepare('x', 'SELECT @@time_zone, ? FROM {b} LIMIT 1'),
    execute('x', 1),
    "SET time_zone = '+07:00'",
    execute('x', 2),
  ],
  'a cursor': [
    prepare('x', 'SELECT id, v FROM {b} ORDER BY id'),
    { kind: 'cursor', name: 'x', values: [], rows: 2 },
    { kind: 'fetch', name: 'x', rows: 5 },
    { kind: 'reset-statement', name: 'x' },
    execute('x'),
  ],
  'of settings': [prepare('x', "SET time_zone = '+10:00'"), execute('x'), 'SELECT @@time_zone FROM {b} LIMIT 1'],
  'of user variables': [
    prepare('x', 'SELECT @p := ? FROM {a} LIMIT 1'),
    execute('x', 11),
    'SELECT @p FROM {b} LIMIT 1',
  ],
  'as text': [
    'SELECT id FROM {b} WHERE id = 1',
    "PREPARE s FROM 'SELECT v FROM {b} WHERE id = ?'",
    'SET @k = 2',
    'EXECUTE s USING @k',
    'DEALLOCATE PREPARE s',
    'EXECUTE s USING @k',
  ],
});

const several = named('several statements', {
  'in one text': [
    { kind: 'multi-statements', on: true },
    'SELECT id FROM {b} WHERE id = 1; SELECT id FROM {b} WHERE id = 2',
    "UPDATE {b} SET v = 'm' WHERE id = 1; SELECT v FROM {b} WHERE id = 1",
    { kind: 'multi-statements', on: false },
    'SELECT 1; SELECT 2',
  ],
  'an error in the middle': [
    { kind: 'multi-statements', on: true },
    'SELECT id FROM {b} WHERE id = 1; SELECT nothing FROM {b}; SELECT 3',
    'SELECT id FROM {b} WHERE id = 3',
  ],
  'settings among them': [
    { kind: 'multi-statements', on: true },
    "SELECT id FROM {b} WHERE id = 1; SET time_zone = '+11:00'; SELECT 2",
    'SELECT @@time_zone FROM {a} LIMIT 1',
  ],
  'a transaction in one text': [
    { kind: 'multi-statements', on: true },
    "BEGIN; UPDATE {b} SET v = 'm' WHERE id = 2; COMMIT; SELECT v FROM {b} WHERE id = 2",
    'SELECT v FROM {b} WHERE id = 2',
  ],
  'left open': [
    { kind: 'multi-statements', on: true },
    "BEGIN; UPDATE {b} SET v = 'open' WHERE id = 2",
    'SELECT v FROM {b} WHERE id = 2',
    'ROLLBACK',
    'SELECT v FROM {b} WHERE id = 2',
  ],
});

/** Numbers that the servers count. */
const counted: Sequence[] = named('counted', {
  'one row': ["INSERT INTO {b} (v) VALUES ('next')", 'SELECT LAST_INSERT_ID()', 'SELECT id FROM {b} ORDER BY id'],
  'several rows': [
    "INSERT INTO {b} (v) VALUES ('x'), ('y'), ('z')",
    'SELECT LAST_INSERT_ID() FROM {a} LIMIT 1',
    'SELECT id FROM {b} ORDER BY id',
  ],
  'on two servers': [
    "INSERT INTO {a} (v) VALUES ('x')",
    "INSERT INTO {b} (v) VALUES ('y'), ('z')",
    'SELECT LAST_INSERT_ID()',
    'SELECT LAST_INSERT_ID() FROM {a} LIMIT 1',
    'SELECT id FROM {a} WHERE id = LAST_INSERT_ID()',
  ],
  prepared: [
    prepare('i', 'INSERT INTO {b} (v) VALUES (?)'),
    execute('i', 'x'),
    execute('i', 'y'),
    'SELECT LAST_INSERT_ID()',
  ],
  'a row that was there': [
    "INSERT INTO {b} (id, v) VALUES (2, 'd') ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), v = 'd'",
    'SELECT LAST_INSERT_ID()',
  ],
}).map((sequence) => ({ ...sequence, countsAnew: true }));

/** Sequences somebody thought of. */
export const handPicked: readonly Sequence[] = [
  ...settings,
  ...userVariables,
  ...answers,
  ...warnings,
  ...transactions,
  ...prepared,
  ...several,
  ...counted,
];
