/** What real clients do with the proxy before them, and which ones they are: README's table is made from this. */

const steps = {
  connect: 'log-in with the client’s own settings, SELECT, ping',
  charset: 'characters of one to four bytes, quotes and backslashes there and back',
  text: 'DECIMAL, DOUBLE, DATE, DATETIME(6), VARBINARY, VARCHAR and NULL in text statements',
  prepared: 'the same in prepared statements of the server (binary protocol)',
  batch: 'a hundred rows in one rewritten batch',
  transaction: 'rolled back and committed',
  multi: 'several statements in one text, and their results',
  error: 'an error’s number and state; the connection goes on',
  big: 'a value of 5 MB there and back',
  load: 'LOAD DATA LOCAL of 1000 rows',
  metadata: 'tables, columns and keys as the driver asks for them',
  pool: 'eight connections at a time',
} as const;

export type Step = keyof typeof steps;

const COMMON: readonly Step[] = ['connect', 'charset', 'text', 'transaction', 'multi', 'error', 'big', 'load'];

export interface ClientEntry {
  /** As people call it. */
  readonly name: string;
  /** Pinned; null: what `source` has. */
  readonly version: string | null;
  readonly source: string;
  readonly steps: readonly Step[];
  /** What it has to be told. */
  readonly note: string;
}

const entry = (
  name: string,
  version: string | null,
  more: readonly Step[] = [],
  note = '',
  source = 'of the system',
): ClientEntry => ({
  name,
  version,
  source,
  note,
  steps: (Object.keys(steps) as Step[]).filter((step) => COMMON.includes(step) || more.includes(step)),
});

/** Each runs with TLS off, offered and demanded; see clients.integration.test.ts. */
export const clients = {
  mariadb: entry('mariadb and mysql command line (MariaDB)', null),
  'mysql-cli': entry('mysql command line (MySQL)', null, [], '', 'of Debian’s unstable suite'),
  mysql2: entry('mysql2 (Node)', '3.24.6', ['prepared', 'pool']),
  pymysql: entry('PyMySQL', '1.2.4'),
  'connector-python': entry('MySQL Connector/Python', '26.10.0', ['prepared']),
  go: entry('go-sql-driver/mysql', '1.10.1', ['prepared', 'pool']),
  mysql: entry('MySQL Connector/J', '26.10.0', ['prepared', 'batch', 'metadata']),
  'mariadb-j': entry(
    'MariaDB Connector/J',
    '4.0.0',
    ['prepared', 'batch', 'metadata'],
    'By itself it demands a certificate that it can check: for the first two it is told `sslMode=disable` and `trust`.',
  ),
  oceanbase: entry('OceanBase Connector/J', '2.4.16', ['prepared', 'batch', 'metadata']),
} as const satisfies Record<string, ClientEntry>;

export type ClientId = keyof typeof clients;

/** The table, Markdown. */
export function clientTable(): string {
  const all = Object.keys(steps) as Step[];
  const lines = Object.values<ClientEntry>(clients).map(
    ({ name, version, source, steps: run, note }) =>
      `| ${name} | ${version ?? source} | yes | yes | yes | ${all.filter((step) => run.includes(step)).join(', ')}${note === '' ? '' : `. ${note}`} |`,
  );
  const meanings = Object.entries(steps).map(([step, meaning]) => `- **${step}**: ${meaning}`);
  return [
    '| Client | Version | TLS off | TLS offered | TLS demanded | What is run |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    ...meanings,
  ].join('\n');
}
