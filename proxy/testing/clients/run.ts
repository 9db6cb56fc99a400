/** Runs one client's work against a proxy and tells how each step went. */
import { execFile } from 'node:child_process';
import { mariaDbPrograms, mySqlPrograms, runCommandLine } from './command-line.ts';
import { installed } from './install.ts';
import { runMysql2 } from './mysql2.ts';
import type { ClientId } from './steps.ts';

/** Whom to talk to. */
export interface ClientTarget {
  readonly port: number;
  /** `user@tenant#cluster`. */
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** A name that no table has yet. */
  readonly table: string;
  /** Whether the proxy offers TLS. */
  readonly tls: 'off' | 'offered';
  /** Authority that the proxy's certificate must be signed by; empty: the client decides by itself whether to use TLS. */
  readonly ca: string;
  /** The same as a PKCS12 store, password `changeit`. */
  readonly trustStore: string;
  /** 1000 lines `id,line id` with ids from 1000. */
  readonly file: string;
}

/** What came of it: each step's name with `ok` or what went wrong, in order. */
export interface ClientReport {
  readonly version: string;
  readonly steps: Readonly<Record<string, string>>;
}

const LIMIT_MS = 100_000;

export async function runClient(id: ClientId, target: ClientTarget): Promise<ClientReport> {
  switch (id) {
    case 'mariadb':
      return runCommandLine(target, mariaDbPrograms(target));
    case 'mysql-cli':
      return runCommandLine(target, mySqlPrograms(target));
    case 'mysql2':
      return runMysql2(target);
    case 'pymysql':
    case 'connector-python':
      return runProgram(installed.python, [installed.pythonProgram, id], target);
    case 'go':
      return runProgram(installed.go, [], target);
    case 'mysql':
    case 'mariadb-j':
    case 'oceanbase': {
      const driver = id === 'mariadb-j' ? 'mariadb' : id;
      const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', installed.classPath(driver)];
      return runProgram('java', [...options, 'Work', driver], target);
    }
  }
}

/** A program that prints `version N`, and `ok STEP` or `FAIL STEP: reason` for each. */
function runProgram(program: string, args: readonly string[], target: ClientTarget): Promise<ClientReport> {
  const env = {
    ...process.env,
    ODP_HOST: '127.0.0.1',
    ODP_PORT: String(target.port),
    ODP_USER: target.user,
    ODP_PASSWORD: target.password,
    ODP_DATABASE: target.database,
    ODP_TABLE: target.table,
    ODP_TLS: target.tls,
    ODP_CA: target.ca,
    ODP_TRUST_STORE: target.trustStore,
    ODP_FILE: target.file,
  };
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: LIMIT_MS, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      const steps: Record<string, string> = {};
      let version = '';
      for (const line of stdout.split('\n')) {
        const [, kind = '', name = '', rest = ''] = /^(version|ok|FAIL) ([^:]+)(?:: (.*))?$/.exec(line) ?? [];
        if (kind === 'version') version = name;
        else if (kind !== '') steps[name] = kind === 'ok' ? 'ok' : rest;
      }
      if (error !== null) steps.program = `${error.message}\n${stderr}`.slice(-3000);
      resolve({ version, steps });
    });
  });
}
