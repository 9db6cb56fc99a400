/** Start options: the reference proxy's letters, and the console's and demo cluster's own (docs/options.txt). */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { AuditVerifyOptions } from './audit-verify.ts';
import { OptionError } from './option-error.ts';
import { type CommandLineOrder, isOrder, parseOrder } from './order-options.ts';

/** What one start is asked to do. */
export interface StartOptions {
  /** Parameters to set, in the order in which they count: -o, then -r, -c, -n, -i, then -p and -l. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Which stand-in cluster was asked for; null: the embedded one, and only when no real cluster is configured. */
  readonly demo: 'embedded' | 'kernel' | null;
  readonly consoleHost: string;
  /** 0: any free one. */
  readonly consolePort: number;
  readonly withConsole: boolean;
  /** Give the console's user `admin` a new one-time password. */
  readonly resetAdmin: boolean;
  /** Folder of everything that is kept. */
  readonly home: string;
}

/** The command line, understood. */
export type ParsedOptions =
  | { readonly kind: 'run'; readonly options: StartOptions }
  | { readonly kind: 'audit-verify'; readonly options: AuditVerifyOptions }
  /** To the product that runs in this home. */
  | { readonly kind: 'order'; readonly order: CommandLineOrder; readonly home: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

const specs = {
  listen_port: { type: 'string', short: 'p' },
  prometheus_listen_port: { type: 'string', short: 'l' },
  optstr: { type: 'string', short: 'o', multiple: true },
  appname: { type: 'string', short: 'n' },
  rs_list: { type: 'string', short: 'r' },
  cluster_name: { type: 'string', short: 'c' },
  idc: { type: 'string', short: 'i' },
  execute_config_sql: { type: 'boolean', short: 'e' },
  nodaemon: { type: 'boolean', short: 'N' },
  'console-port': { type: 'string' },
  'console-host': { type: 'string' },
  'no-console': { type: 'boolean' },
  'reset-admin': { type: 'boolean' },
  demo: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

/** The tree that this command runs from. */
const ownTree = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const DEFAULT_CONSOLE_PORT = 8080;
/** Least severe message that is logged (the logger's own names). */
const logLevels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
/** The reference's range of both ports excludes the system's own. */
const LOWEST_PROXY_PORT = 1025;

/** @throws OptionError that names the option or variable and its value */
export function parseOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedOptions {
  if (args[0] === 'audit') return auditOptions(args.slice(1), env);
  if (isOrder(args)) return { kind: 'order', order: parseOrder(args, ownTree), home: homeOf(env) };
  const values = readArgs(args);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  checkLogLevel(env.ODP_LOG_LEVEL);
  if (!['public', '', undefined].includes(env.ODP_SOCKETS)) {
    throw new OptionError(`ODP_SOCKETS is public or not set, not '${env.ODP_SOCKETS}'`);
  }
  const parameters = (values.optstr ?? []).flatMap(splitOptionText);
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined) parameters.push({ name, value });
  };
  add('rootservice_list', values.rs_list);
  add('rootservice_cluster_name', values.cluster_name);
  add('app_name', values.appname);
  add('proxy_idc_name', values.idc);
  const addPort = (name: string, option: string, value: string | undefined): void => {
    if (value !== undefined) add(name, String(portOf(option, value, LOWEST_PROXY_PORT)));
  };
  addPort('listen_port', '-p', values.listen_port);
  addPort('prometheus_listen_port', '-l', values.prometheus_listen_port);
  const { demo } = values;
  if (demo !== undefined && demo !== 'embedded' && demo !== 'kernel') {
    throw new OptionError(`--demo is 'embedded' or 'kernel', not '${demo}'`);
  }
  if (demo !== undefined && values.rs_list !== undefined) {
    throw new OptionError('--demo and -r exclude each other: one cluster is served');
  }
  return {
    kind: 'run',
    options: {
      parameters,
      demo: demo ?? null,
      consoleHost: values['console-host'] ?? '127.0.0.1',
      consolePort: portOf('--console-port', values['console-port'] ?? String(DEFAULT_CONSOLE_PORT), 0),
      withConsole: !values['no-console'],
      resetAdmin: values['reset-admin'] ?? false,
      home: homeOf(env),
    },
  };
}

/** `audit verify [--head ID:HASH]` */
function auditOptions(
  [verb, ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedOptions {
  if (verb !== 'verify') throw new OptionError(`audit takes 'verify', not '${verb ?? ''}'`);
  const { head } = parsed({ args, options: { head: { type: 'string' } } });
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(head ?? '') ?? [];
  if (head !== undefined && (id === undefined || hash === undefined)) {
    throw new OptionError(`--head takes an entry's number and hash, as audit verify tells them, not '${head}'`);
  }
  const noted = id === undefined || hash === undefined ? null : { id: Number(id), hash };
  return { kind: 'audit-verify', options: { home: homeOf(env), noted } };
}

const homeOf = (env: Readonly<Record<string, string | undefined>>): string => resolve(env.ODP_HOME || 'data');

/** The text of --help. */
export function helpText(): string {
  return readFileSync(new URL('../docs/options.txt', import.meta.url), 'utf8');
}

function readArgs(args: readonly string[]) {
  return parsed({ args: [...args], options: specs });
}

function parsed<Options extends NonNullable<Parameters<typeof parseArgs>[0]>['options'] & {}>(given: {
  args: string[];
  options: Options;
}) {
  try {
    return parseArgs({ ...given, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}

function checkLogLevel(level: string | undefined): void {
  if (level === undefined || logLevels.includes(level)) return;
  throw new OptionError(`ODP_LOG_LEVEL is one of ${logLevels.join(', ')}, not '${level}'`);
}

function portOf(option: string, text: string, lowest: number): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < lowest || port > 65_535) {
    throw new OptionError(`${option} takes a port from ${lowest} to 65535, not '${text}'`);
  }
  return port;
}

/** `name=value,name='a,b'`: commas inside quotes belong to the value. */
function splitOptionText(text: string): { name: string; value: string }[] {
  const items = text.match(/(?:[^,'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return items.map((item) => {
    const [, name, value] = /^\s*([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/s.exec(item) ?? [];
    if (name === undefined || value === undefined) {
      throw new OptionError(`-o takes name=value,name=value; '${item}' has no name or no '='`);
    }
    return { name, value: value.replace(/^(['"])(.*)\1$/s, '$2') };
  });
}
