/** The command line client: each step is a run of its own, as in a shell. */
import { execFile } from 'node:child_process';
import { installed } from './install.ts';
import type { ClientReport, ClientTarget } from './run.ts';
import type { Step } from './steps.ts';

const TEXT = "héllo 漢字 🎉 'quoted' \\";
const QUOTED = "'héllo 漢字 🎉 \\'quoted\\' \\\\'";

/** A program, and the options that each run of it begins with. */
interface Program {
  readonly file: string;
  readonly options: readonly string[];
}

/** MariaDB's client by both of its names. */
export function mariaDbPrograms({ ca }: ClientTarget): readonly [Program, ...Program[]] {
  const options = ['--no-defaults', ...(ca === '' ? [] : [`--ssl-ca=${ca}`, '--ssl-verify-server-cert'])];
  return [
    { file: 'mysql', options },
    { file: 'mariadb', options },
  ];
}

/** MySQL's own. Since 9 it loads the method of OceanBase's passwords from a file, and reads its own commands only if told to. */
export function mySqlPrograms({ ca }: ClientTarget): readonly [Program] {
  const tls = ca === '' ? [] : [`--ssl-ca=${ca}`, '--ssl-mode=VERIFY_IDENTITY'];
  const own = [`--plugin-dir=${installed.mysqlPlugins}`, '--loose-commands'];
  return [{ file: installed.mysqlClient, options: ['--no-defaults', ...own, ...tls] }];
}

/** @param programs all of them connect; the first one does the rest */
export async function runCommandLine(
  target: ClientTarget,
  programs: readonly [Program, ...Program[]],
): Promise<ClientReport> {
  const { table } = target;
  const steps: Record<string, string> = {};
  const mysql = run(programs[0], target);
  const step = async (name: Step, work: () => Promise<void>): Promise<void> => {
    steps[name] = await work().then(
      () => 'ok',
      (error: Error) => error.message,
    );
  };
  await step('connect', async () => {
    for (const program of programs) {
      const client = run(program, target);
      same(await client(['-e', 'SELECT 5']), '5\n');
      if (target.ca !== '') matches(await client(['-e', 'status']), /SSL:\s+Cipher in use is TLS/);
    }
  });
  await step('charset', async () => {
    const options = ['--default-character-set=utf8mb4', '--raw'];
    same(await mysql([...options, '-e', `SELECT ${QUOTED}, CHAR_LENGTH(${QUOTED})`]), `${TEXT}\t${[...TEXT].length}\n`);
  });
  await step('text', async () => {
    await mysql([
      '-e',
      `CREATE TABLE ${table} (id BIGINT PRIMARY KEY, d DECIMAL(15,5), f DOUBLE, dt DATE, ts DATETIME(6),
         b VARBINARY(1000), s VARCHAR(200), n INT);
       INSERT INTO ${table} VALUES (1, -1234567890.12345, 1.5, '2026-02-28',
         '2026-02-28 23:59:58.123456', x'0001ff275c0a1a', ${QUOTED}, NULL)`,
    ]);
    same(
      await mysql([
        '--default-character-set=utf8mb4',
        '--raw',
        '-e',
        `SELECT d, f, dt, ts, HEX(b), s, n FROM ${table}`,
      ]),
      `-1234567890.12345\t1.5\t2026-02-28\t2026-02-28 23:59:58.123456\t0001FF275C0A1A\t${TEXT}\tNULL\n`,
    );
  });
  await step('transaction', async () => {
    const update = (end: string, n: number): string =>
      `BEGIN; UPDATE ${table} SET n = ${n} WHERE id = 1; ${end}; SELECT n FROM ${table} WHERE id = 1;`;
    same(await mysql([], update('ROLLBACK', 1) + update('COMMIT', 2)), 'NULL\n2\n');
  });
  await step('multi', async () => {
    same(await mysql(['--delimiter=//', '-e', 'SELECT 1; SELECT 2//']), '1\n2\n');
  });
  await step('error', async () => {
    const output = await mysql(['--force'], 'SELECT * FROM no_such_table;\nSELECT 6;\n');
    matches(output, /ERROR 1146 \(42S02\)/);
    matches(output, /^6$/m);
  });
  await step('big', async () => {
    const big = 'x'.repeat(5_000_000);
    same((await mysql([], `SELECT '${big}';\n`)).length, big.length + 1);
  });
  await step('load', async () => {
    const load = `LOAD DATA LOCAL INFILE '${target.file}' INTO TABLE ${table} FIELDS TERMINATED BY ',' (id, s);`;
    const count = `SELECT COUNT(*), MAX(s) FROM ${table} WHERE id >= 1000;`;
    same(await mysql(['--local-infile=1'], load + count), '1000\tline 1999\n');
  });
  return { version: '', steps };
}

/** @returns what it prints, errors included; rejects only when it cannot run, or does not answer */
function run({ file, options: first }: Program, { port, user, password, database }: ClientTarget) {
  const options = [...first, '-h127.0.0.1', `-P${port}`, `-u${user}`, '-N', '-B'];
  // Not as an option: MySQL's client has something to say about that.
  const env = { ...process.env, MYSQL_PWD: password };
  return (args: readonly string[], input = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const limits = { env, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(file, [...options, ...args, database], limits, (error, stdout, stderr) => {
        if (error?.killed || (error !== null && typeof error.code !== 'number')) reject(error);
        else resolve(stdout + stderr);
      });
      child.stdin?.end(input);
    });
}

function same(got: unknown, wanted: unknown): void {
  if (got !== wanted) throw new Error(`${JSON.stringify(got)} in place of ${JSON.stringify(wanted)}`.slice(0, 1000));
}

function matches(got: string, wanted: RegExp): void {
  if (!wanted.test(got)) throw new Error(`${JSON.stringify(got).slice(0, 1000)} does not match ${wanted}`);
}
