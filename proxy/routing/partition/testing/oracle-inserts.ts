/** INSERTs that leave to the table what goes into its key: order of columns, defaults, generated columns. */

interface OracleInserts {
  readonly name: string;
  /** Columns and partitions as SQL. */
  readonly definition: string;
  /** Run behind CREATE TABLE. */
  readonly changes: readonly string[];
  /** Behind `INSERT INTO <name>`, and whether the partition must be known. */
  readonly inserts: readonly (readonly [text: string, isKnown: boolean])[];
  /** Conditions, and whether the partition must be known. */
  readonly conditions?: readonly (readonly [where: string, isKnown: boolean])[];
}

export const ORACLE_INSERTS: readonly OracleInserts[] = [
  {
    name: 'order_made',
    definition: "(z INT, a INT DEFAULT 7, b VARCHAR(9) DEFAULT 'x', c DATE) PARTITION BY KEY(a, b) PARTITIONS 7",
    changes: [],
    inserts: [
      ["VALUES (1, 2, 'b', NULL)", true],
      ["VALUES (1, 0, 'b', NULL), (1, 1, 'c', NULL)", true],
      ["VALUES (1, DEFAULT, 'q', NULL)", true],
      ['(a) VALUES (5)', true],
      ['(z) VALUES (5)', true],
      ['() VALUES ()', true],
      ['VALUES ()', true],
      ["SET z = 1, b = 'k'", true],
      ['VALUES (1, NULL, NULL, NULL)', true],
      ["VALUES (1, ABS(-3), 'b', NULL)", false],
      ["(a, b) SELECT 1, 'x'", false],
      ["VALUES (1, 3, UPPER('b'), NULL)", false],
    ],
  },
  {
    name: 'order_changed',
    definition: '(z INT, id INT) PARTITION BY HASH(id) PARTITIONS 5',
    changes: ['ADD COLUMN w INT FIRST', 'ADD COLUMN w2 INT AFTER z', 'ADD COLUMN w3 INT'],
    inserts: [
      ['VALUES (1, 2, 3, 4, 5)', true],
      ['VALUES (1, 2, 3, 0, 5)', true],
      ['VALUES (1, 2, 3, NULL, 5)', true],
      ['(w) VALUES (3)', true],
    ],
  },
  {
    name: 'order_after_drop',
    definition: '(y INT, z INT, x INT, id INT) PARTITION BY HASH(id) PARTITIONS 5',
    changes: ['ADD COLUMN w INT AFTER y', 'DROP COLUMN z'],
    inserts: [['VALUES (1, 2, 3, 4)', true]],
  },
  {
    name: 'default_changed',
    definition: '(z INT, id INT DEFAULT 3) PARTITION BY HASH(id) PARTITIONS 5',
    changes: ['ALTER COLUMN id SET DEFAULT 9'],
    inserts: [['(z) VALUES (1)', true]],
  },
  {
    name: 'numbered',
    definition: '(id INT AUTO_INCREMENT PRIMARY KEY, z INT) PARTITION BY HASH(id) PARTITIONS 5',
    changes: [],
    inserts: [
      ['VALUES (7, 1)', true],
      ['VALUES (0, 1)', false],
      ['VALUES (NULL, 1)', false],
      ['(z) VALUES (1)', false],
    ],
  },
  {
    name: 'defaults',
    definition:
      "(a TINYINT DEFAULT -5, b BIGINT UNSIGNED DEFAULT 18446744073709551615, c DECIMAL(10, 2) DEFAULT -3.5, d DATETIME(3) DEFAULT '2020-01-01 10:00:00.5', e VARCHAR(5) COLLATE utf8mb4_bin DEFAULT 'Ä', f DATE DEFAULT '2020-02-03', g INT UNSIGNED DEFAULT 4000000000, h SMALLINT DEFAULT -300, z INT) PARTITION BY KEY(a, b, c, d, e, f, g, h) PARTITIONS 11",
    changes: [],
    inserts: [
      ['(z) VALUES (1)', true],
      ['(a) VALUES (1)', true],
    ],
  },
  {
    name: 'default_of_the_moment',
    definition: '(z INT, d DATETIME DEFAULT CURRENT_TIMESTAMP) PARTITION BY KEY(d) PARTITIONS 5',
    changes: [],
    inserts: [['(z) VALUES (1)', false]],
  },
  {
    name: 'generated_number',
    definition: '(id INT, z INT, g INT AS (id % 10) STORED) PARTITION BY HASH(g) PARTITIONS 4',
    changes: [],
    inserts: [
      ['(id) VALUES (17)', true],
      ['(z) VALUES (1)', true],
      ['VALUES (-17, 2, DEFAULT)', true],
    ],
    conditions: [
      ['id = 17', true],
      ['g = 7', true],
      ['id = -17 AND z = 2', true],
      ['z = 2', false],
    ],
  },
  {
    name: 'generated_text',
    definition:
      '(a VARCHAR(20), z INT, g VARCHAR(2) GENERATED ALWAYS AS (SUBSTR(a, 1, 2)) VIRTUAL) PARTITION BY KEY(g) PARTITIONS 4',
    changes: [],
    inserts: [
      ["(a) VALUES ('abcdef')", true],
      ["(a, z) VALUES ('X', 2)", true],
      ["(a, z) VALUES ('', 3)", true],
      ['(z) VALUES (4)', true],
      ["(a) VALUES ('Y  z')", true],
    ],
    conditions: [
      ["a = 'ABCDEF'", true],
      ["a = 'x '", true],
      ["g = 'ab'", true],
      ["a > 'a'", false],
    ],
  },
];
