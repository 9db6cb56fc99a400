import { createHash, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { SqlValue } from '../translate/context.ts';
import { formatDecimal, formatDouble, roundTo } from './format-value.ts';
import { registerTemporalFunctions } from './temporal-functions.ts';

/** What functions need from the session whose statement is running. */
export interface FunctionHost {
  setLastInsertId(value: bigint): void;
  nextAutoIncrement(store: string, given: SqlValue): bigint | null;
}

const MAX_TEXT = 64 * 1024 * 1024;

type Text = string | null;

/** Adds the functions that translated statements call (`demo_…`) to one connection of the engine. */
export function registerFunctions(connection: DatabaseSync, host: FunctionHost): void {
  const pure = { deterministic: true, useBigIntArguments: true } as const;
  const varying = { useBigIntArguments: true } as const;
  const pureAny = { ...pure, varargs: true } as const;
  const add = (name: string, run: (...args: SqlValue[]) => SqlValue): void => connection.function(name, pureAny, run);
  /** Null when any argument is null. */
  const strict = (name: string, run: (...args: (bigint | number | string | Uint8Array)[]) => SqlValue): void =>
    add(name, (...args) => {
      const present = args.filter((arg) => arg !== null);
      return present.length < args.length ? null : run(...present);
    });

  connection.function('demo_many_rows', varying, () => {
    throw new MysqlError('SUBQUERY_ROWS');
  });
  connection.function('demo_rand', varying, () => Math.random());
  connection.function('demo_uuid', varying, () => randomUUID());
  connection.function('demo_set_last_insert_id', varying, (value: SqlValue) => {
    const id = typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value ?? 0)));
    host.setLastInsertId(id);
    return id;
  });
  connection.function('demo_auto', { ...varying, varargs: true }, (store: SqlValue, given: SqlValue) =>
    host.nextAutoIncrement(String(store), given),
  );

  strict('demo_fixed', (value, scale) => formatDecimal(value as bigint | number, Number(scale)));
  strict('demo_double_text', (value) => formatDouble(Number(value)));
  strict('demo_mod', (a, b) => (Number(b) === 0 ? null : Number(a) % Number(b)));
  strict('demo_round', (value, digits) => roundTo(Number(value), Number(digits)));
  strict('demo_truncate', (value, digits) => {
    const factor = 10 ** Number(digits);
    return Math.trunc(Number((Number(value) * factor).toPrecision(15))) / factor;
  });
  strict('demo_hex_number', (value) =>
    BigInt.asUintN(64, BigInt(Number.isInteger(value) ? Number(value) : (value as bigint)))
      .toString(16)
      .toUpperCase(),
  );
  registerText(add, strict);
  registerTemporalFunctions(strict);
  connection.function('demo_payload', pure, (id: SqlValue, bytes: SqlValue) => payload(Number(id), Number(bytes)));
  strict('demo_to_int', (value, column) => toInteger(value, String(column)));
  strict('demo_to_number', (value, column) => toNumber(value, String(column)));
  strict('demo_utf8', (value, column) => {
    if (typeof value === 'string') return value;
    const text = Buffer.from(value as Uint8Array).toString('utf8');
    if (text.includes('\ufffd')) {
      throw new MysqlError('INCORRECT_COLUMN_VALUE', { type: 'string', value: text, column: String(column), row: 1 });
    }
    return text;
  });
}

function toInteger(value: bigint | number | string | Uint8Array, column: string): bigint {
  if (typeof value === 'bigint') return value;
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (/^[-+]?\d+$/.test(text)) return BigInt(text);
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) {
    throw new MysqlError('INCORRECT_COLUMN_VALUE', { type: 'integer', value: String(value), column, row: 1 });
  }
  return BigInt(Math.sign(number) * Math.round(Math.abs(number)));
}

function toNumber(value: bigint | number | string | Uint8Array, column: string): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) {
    throw new MysqlError('INCORRECT_COLUMN_VALUE', { type: 'decimal', value: String(value), column, row: 1 });
  }
  return number;
}

let payloadText = '';

/** `bytes` characters that begin with the row's number: cheap to make, and each row can be told from the others. */
function payload(id: number, bytes: number): string {
  if (bytes > MAX_TEXT) throw notUnderstood(`demo_rows with more than ${MAX_TEXT} bytes a row`);
  if (payloadText.length < bytes)
    payloadText = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(Math.ceil(bytes / 36) + 1);
  const head = `${id}:`;
  return head.length >= bytes ? head.slice(0, bytes) : head + payloadText.slice(0, bytes - head.length);
}

type Add = (name: string, run: (...args: SqlValue[]) => SqlValue) => void;
type Strict = (name: string, run: (...args: (bigint | number | string | Uint8Array)[]) => SqlValue) => void;

const text = (value: bigint | number | string | Uint8Array | null): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);

const bytesOf = (value: bigint | number | string | Uint8Array): Uint8Array =>
  value instanceof Uint8Array ? value : Buffer.from(String(value), 'utf8');

function registerText(add: Add, strict: Strict): void {
  const hashed = (algorithm: string, value: Uint8Array): string => createHash(algorithm).update(value).digest('hex');
  add('demo_concat_ws', (separator, ...parts) =>
    separator === null
      ? null
      : parts
          .filter((part) => part !== null)
          .map(text)
          .join(text(separator)),
  );
  // Letters whose capital is two letters stay as they are, as in MySQL.
  const capital = (letter: string): string =>
    letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter;
  strict('demo_upper', (value) => text(value).replace(/./gsu, capital));
  // As utf8mb4_general_ci compares: without case, accents and blanks at the end.
  strict('demo_fold', (value) => text(value).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trimEnd());
  strict('demo_lower', (value) => text(value).toLowerCase());
  strict('demo_reverse', (value) => [...text(value)].reverse().join(''));
  strict('demo_replace', (value, from, to) =>
    text(from) === '' ? text(value) : text(value).replaceAll(text(from), () => text(to)),
  );
  strict('demo_substring', (value, from, length) =>
    substring([...text(value)], Number(from), length === undefined ? null : Number(length)),
  );
  strict('demo_substring_index', (value, separator, count) =>
    substringIndex(text(value), text(separator), Number(count)),
  );
  strict('demo_left', (value, count) => [...text(value)].slice(0, Math.max(0, Number(count))).join(''));
  strict('demo_right', (value, count) => (Number(count) <= 0 ? '' : [...text(value)].slice(-Number(count)).join('')));
  strict('demo_repeat', (value, count) => {
    const times = Math.max(0, Number(count));
    if (text(value).length * times > MAX_TEXT) throw notUnderstood(`REPEAT to more than ${MAX_TEXT} bytes`);
    return text(value).repeat(times);
  });
  strict('demo_lpad', (value, length, pad) => padded(text(value), Number(length), text(pad), 'left'));
  strict('demo_rpad', (value, length, pad) => padded(text(value), Number(length), text(pad), 'right'));
  strict('demo_locate', (needle, value, from) => {
    const start = Number(from);
    if (start < 1) return 0n;
    return BigInt(
      text(value)
        .toLowerCase()
        .indexOf(text(needle).toLowerCase(), start - 1) + 1,
    );
  });
  strict('demo_strcmp', (a, b) => {
    const [left, right] = [text(a).toLowerCase(), text(b).toLowerCase()];
    return left < right ? -1n : left > right ? 1n : 0n;
  });
  add('demo_field', (value, ...list) =>
    value === null
      ? 0n
      : BigInt(list.findIndex((item) => item !== null && text(item).toLowerCase() === text(value).toLowerCase()) + 1),
  );
  strict('demo_find_in_set', (value, set) =>
    text(set) === '' ? 0n : BigInt(text(set).toLowerCase().split(',').indexOf(text(value).toLowerCase()) + 1),
  );
  add('demo_elt', (index, ...list) => (index === null ? null : (list[Number(index) - 1] ?? null)));
  strict('demo_ascii', (value) => BigInt(bytesOf(value)[0] ?? 0));
  strict('demo_trim_leading', (value, what) => trimmed(text(value), text(what), true, false));
  strict('demo_trim_trailing', (value, what) => trimmed(text(value), text(what), false, true));
  strict('demo_trim_both', (value, what) => trimmed(text(value), text(what), true, true));
  strict('demo_md5', (value) => hashed('md5', bytesOf(value)));
  strict('demo_sha1', (value) => hashed('sha1', bytesOf(value)));
  strict('demo_sha2', (value, bits) => {
    const size = Number(bits) || 256;
    return [224, 256, 384, 512].includes(size) ? hashed(`sha${size}`, bytesOf(value)) : null;
  });
  strict('demo_password', (value) => {
    if (text(value) === '') return '';
    const stage1 = createHash('sha1').update(bytesOf(value)).digest();
    return `*${createHash('sha1').update(stage1).digest('hex').toUpperCase()}`;
  });
  strict('demo_crc32', (value) => BigInt(crc32(Buffer.from(bytesOf(value)))));
  strict('demo_regexp', (value, pattern) => {
    if (/\[\[[:.=]/.test(text(pattern))) throw notUnderstood('character classes like [[:alpha:]] in REGEXP');
    try {
      return new RegExp(text(pattern), 'iu').test(text(value)) ? 1n : 0n;
    } catch {
      throw notUnderstood(`the regular expression '${text(pattern)}'`);
    }
  });
  strict('demo_like_binary', (value, pattern, mark) =>
    likePattern(text(pattern), text(mark)).test(text(value)) ? 1n : 0n,
  );
}

function likePattern(pattern: string, mark: string): RegExp {
  let source = '';
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === mark && at + 1 < characters.length) source += escaped(characters[++at] ?? '');
    else source += character === '%' ? '.*' : character === '_' ? '.' : escaped(character);
  }
  return new RegExp(`^${source}$`, 'su');
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function substring(characters: readonly string[], from: number, length: number | null): string {
  if (from === 0) return '';
  const start = from > 0 ? from - 1 : characters.length + from;
  if (start < 0) return '';
  return characters.slice(start, length === null ? undefined : start + Math.max(0, length)).join('');
}

function substringIndex(value: string, separator: string, count: number): string {
  if (separator === '' || count === 0) return '';
  const parts = value.split(separator);
  return (count > 0 ? parts.slice(0, count) : parts.slice(count)).join(separator);
}

function padded(value: string, length: number, pad: string, side: 'left' | 'right'): Text {
  if (length < 0) return null;
  if (length > MAX_TEXT) throw notUnderstood(`padding to more than ${MAX_TEXT} bytes`);
  const characters = [...value];
  if (characters.length >= length) return characters.slice(0, length).join('');
  if (pad === '') return '';
  const missing = length - characters.length;
  const filling = [...pad.repeat(Math.ceil(missing / [...pad].length))].slice(0, missing).join('');
  return side === 'left' ? filling + value : value + filling;
}

function trimmed(value: string, what: string, leading: boolean, trailing: boolean): string {
  if (what === '') return value;
  let result = value;
  while (leading && result.startsWith(what)) result = result.slice(what.length);
  while (trailing && result.endsWith(what)) result = result.slice(0, result.length - what.length);
  return result;
}
