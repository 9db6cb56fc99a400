/** Orders to the running product: `npm start -- upgrade` and its kin (docs/options.txt). */
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText } from './errors/odp-error.ts';
import { OptionError } from './option-error.ts';
import type { UpgradeOrder } from './upgrade/types.ts';

/** Null: only to be told how things stand. */
export type CommandLineOrder = UpgradeOrder | null;

const orderNames = ['upgrade', 'restart', 'commit', 'rollback', 'status'] as const;

const specs = {
  hold: { type: 'boolean' },
  watch: { type: 'string' },
  md5: { type: 'string' },
  reason: { type: 'string' },
} as const;

const DEFAULT_WATCH_S = 10;
const MAX_WATCH_S = 86_400;

/** Whether a command line gives an order to the running product, rather than start one. */
export const isOrder = (args: readonly string[]): boolean => orderNames.some((name) => name === args[0]);

/**
 * @param ownTree what is upgraded to when no path is given
 * @throws OptionError
 */
export function parseOrder(args: readonly string[], ownTree: string): CommandLineOrder {
  const [name = '', ...rest] = args;
  const { values, positionals } = readArgs(rest);
  const isStart = name === 'upgrade' || name === 'restart';
  const most = name === 'upgrade' ? 1 : 0;
  if (positionals.length > most) throw new OptionError(`'${name}' does not take '${positionals[most]}'`);
  for (const option of ['hold', 'watch', 'md5'] as const) {
    if (values[option] !== undefined && !isStart)
      throw new OptionError(`--${option} goes with upgrade and restart only`);
  }
  const order = { by: userInfo().username, source: 'start' as const, reason: values.reason ?? 'by command line' };
  if (name === 'status') return null;
  if (name === 'commit' || name === 'rollback') return { type: name, ...order };
  return {
    type: 'start',
    kind: name === 'upgrade' ? 'upgrade' : 'restart',
    directory: name === 'upgrade' ? resolve(positionals[0] ?? ownTree) : null,
    hold: values.hold ?? false,
    watchMs: watchMsOf(values.watch),
    md5: md5Of(values.md5),
    ...order,
  };
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: specs, strict: true, allowPositionals: true });
  } catch (error) {
    throw new OptionError(errorText(error));
  }
}

function watchMsOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_WATCH_S * 1_000;
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds > MAX_WATCH_S) {
    throw new OptionError(`--watch takes seconds from 0 to ${MAX_WATCH_S}, not '${text}'`);
  }
  return Math.round(seconds * 1_000);
}

function md5Of(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[0-9a-f]{32}$/i.test(text)) throw new OptionError(`--md5 takes 32 hexadecimal digits, not '${text}'`);
  return text.toLowerCase();
}
