import { MysqlError, notUnderstood } from '../mysql-error.ts';
import type { SqlValue } from '../translate/context.ts';
import {
  type DateTimeParts,
  formatDateTime,
  normalizeTemporal,
  parseDateTime,
  type TemporalKind,
} from '../translate/temporal.ts';

type Strict = (name: string, run: (...args: (bigint | number | string | Uint8Array)[]) => SqlValue) => void;

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Adds the functions over dates and times; all take and give the kept text form. */
export function registerTemporalFunctions(strict: Strict): void {
  strict(
    'demo_temporal',
    (kind, scale, value) => normalizeTemporal(kind as TemporalKind, Number(scale), String(value)) ?? String(value),
  );
  strict('demo_temporal_or_null', (kind, scale, value) =>
    normalizeTemporal(kind as TemporalKind, Number(scale), String(value)),
  );
  strict('demo_store_temporal', (kind, scale, value) => {
    const kept = normalizeTemporal(
      (kind === 'timestamp' ? 'datetime' : kind) as TemporalKind,
      Number(scale),
      String(value),
    );
    if (kept !== null) return kept;
    throw new MysqlError('INCORRECT_VALUE', { type: String(kind), value: String(value) });
  });
  strict('demo_part', (unit, value) => part(String(unit).toUpperCase(), String(value)));
  strict('demo_shift', (value, amount, unit) => shifted(String(value), Number(amount), String(unit)));
  strict('demo_last_day', (value) => {
    const parts = parseDateTime(String(value));
    return parts && formatDateTime(addMonths({ ...parts, day: 31 }, 0), 0).slice(0, 10);
  });
  strict('demo_date_format', (value, format) => {
    const parts = parseDateTime(String(value));
    return parts && String(format).replace(/%(.)/g, (_, letter: string) => formatted(letter, parts));
  });
  strict('demo_date_diff', (unit, from, to) => difference(String(unit), String(from), String(to)));
  strict('demo_unix', (value) => {
    const parts = parseDateTime(String(value));
    if (!parts) return 0n;
    const time = new Date(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second).getTime();
    return BigInt(Math.floor(time / 1000));
  });
  strict('demo_from_unix', (seconds) => {
    const date = new Date(Number(seconds) * 1000);
    const parts = { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
    const clock = { hour: date.getHours(), minute: date.getMinutes(), second: date.getSeconds(), micros: 0 };
    return formatDateTime({ ...parts, ...clock }, 0);
  });
}

function utc(parts: DateTimeParts): Date {
  const date = new Date(0);
  date.setUTCFullYear(parts.year, parts.month - 1, parts.day);
  date.setUTCHours(parts.hour, parts.minute, parts.second);
  return date;
}

function part(unit: string, value: string): SqlValue {
  const time = /^-?(\d+):(\d+):(\d+)/.exec(value);
  if (time && ['HOUR', 'MINUTE', 'SECOND'].includes(unit))
    return BigInt(time[['HOUR', 'MINUTE', 'SECOND'].indexOf(unit) + 1] ?? 0);
  const parts = parseDateTime(value);
  if (!parts) return null;
  const date = utc(parts);
  switch (unit) {
    case 'YEAR':
      return BigInt(parts.year);
    case 'MONTH':
      return BigInt(parts.month);
    case 'DAY':
      return BigInt(parts.day);
    case 'HOUR':
      return BigInt(parts.hour);
    case 'MINUTE':
      return BigInt(parts.minute);
    case 'SECOND':
      return BigInt(parts.second);
    case 'MICROSECOND':
      return BigInt(parts.micros);
    case 'QUARTER':
      return BigInt(Math.ceil(parts.month / 3));
    case 'DAYOFWEEK':
      return BigInt(date.getUTCDay() + 1);
    case 'WEEKDAY':
      return BigInt((date.getUTCDay() + 6) % 7);
    case 'DAYOFYEAR':
      return BigInt(Math.floor((date.getTime() - Date.UTC(parts.year, 0, 1)) / 86_400_000) + 1);
    case 'DAYNAME':
      return DAYS[date.getUTCDay()] ?? null;
    case 'MONTHNAME':
      return MONTHS[parts.month - 1] ?? null;
    default:
      throw notUnderstood(`the part ${unit} of a date`);
  }
}

const SECONDS: Readonly<Record<string, number>> = { SECOND: 1, MINUTE: 60, HOUR: 3600, DAY: 86400, WEEK: 604800 };
const MONTH_COUNT: Readonly<Record<string, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

function shifted(value: string, amount: number, unit: string): string | null {
  const parts = parseDateTime(value);
  if (!parts) return null;
  const dayOnly = /^\d{4}-\d{1,2}-\d{1,2}$/.test(value.trim());
  const fraction = /\.(\d+)$/.exec(value)?.[1]?.length ?? 0;
  const months = MONTH_COUNT[unit];
  if (months !== undefined)
    return formatDateTime(addMonths(parts, Math.trunc(amount) * months), fraction).slice(0, dayOnly ? 10 : undefined);
  const micros = unit === 'MICROSECOND' ? amount : amount * (SECONDS[unit] ?? 0) * 1e6;
  const total = parts.micros + Math.round(micros);
  const moved = new Date(utc(parts).getTime() + Math.floor(total / 1e6) * 1000);
  const rest = ((total % 1e6) + 1e6) % 1e6;
  const result = {
    year: moved.getUTCFullYear(),
    month: moved.getUTCMonth() + 1,
    day: moved.getUTCDate(),
    hour: moved.getUTCHours(),
    minute: moved.getUTCMinutes(),
    second: moved.getUTCSeconds(),
    micros: rest,
  };
  const stillDay = dayOnly && (unit === 'DAY' || unit === 'WEEK');
  return formatDateTime(result, rest > 0 ? 6 : fraction).slice(0, stillDay ? 10 : undefined);
}

/** Keeps the day, or takes the month's last when the month is shorter. */
function addMonths(parts: DateTimeParts, count: number): DateTimeParts {
  const index = parts.year * 12 + parts.month - 1 + count;
  const year = Math.floor(index / 12);
  const month = (index % 12) + 1;
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return { ...parts, year, month, day: Math.min(parts.day, lastDay) };
}

function difference(unit: string, fromText: string, toText: string): bigint | null {
  const from = parseDateTime(fromText);
  const to = parseDateTime(toText);
  if (!from || !to) return null;
  if (unit === 'DAY_DATE') {
    const day = (parts: DateTimeParts): number => Math.floor(utc(parts).getTime() / 86_400_000);
    return BigInt(day(to) - day(from));
  }
  const micros = (utc(to).getTime() - utc(from).getTime()) * 1000 + to.micros - from.micros;
  if (unit === 'MICROSECOND') return BigInt(micros);
  const seconds = SECONDS[unit];
  if (seconds !== undefined) return BigInt(Math.trunc(micros / 1e6 / seconds));
  let months = (to.year - from.year) * 12 + to.month - from.month;
  // A month is whole when the day and the time of day are reached, whatever the month's length.
  const rest = ({ day, hour, minute, second, micros: fraction }: DateTimeParts): number =>
    (((day * 24 + hour) * 60 + minute) * 60 + second) * 1e6 + fraction;
  if (micros > 0 && rest(to) < rest(from)) months--;
  if (micros < 0 && rest(to) > rest(from)) months++;
  return BigInt(Math.trunc(months / (MONTH_COUNT[unit] ?? 1)));
}

function formatted(letter: string, parts: DateTimeParts): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const twelve = parts.hour % 12 === 0 ? 12 : parts.hour % 12;
  const day = utc(parts).getUTCDay();
  switch (letter) {
    case 'Y':
      return String(parts.year).padStart(4, '0');
    case 'y':
      return two(parts.year % 100);
    case 'm':
      return two(parts.month);
    case 'c':
      return String(parts.month);
    case 'd':
      return two(parts.day);
    case 'e':
      return String(parts.day);
    case 'H':
      return two(parts.hour);
    case 'k':
      return String(parts.hour);
    case 'h':
    case 'I':
      return two(twelve);
    case 'l':
      return String(twelve);
    case 'i':
      return two(parts.minute);
    case 's':
    case 'S':
      return two(parts.second);
    case 'f':
      return String(parts.micros).padStart(6, '0');
    case 'p':
      return parts.hour < 12 ? 'AM' : 'PM';
    case 'T':
      return `${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`;
    case 'r':
      return `${two(twelve)}:${two(parts.minute)}:${two(parts.second)} ${parts.hour < 12 ? 'AM' : 'PM'}`;
    case 'a':
      return (DAYS[day] ?? '').slice(0, 3);
    case 'W':
      return DAYS[day] ?? '';
    case 'b':
      return (MONTHS[parts.month - 1] ?? '').slice(0, 3);
    case 'M':
      return MONTHS[parts.month - 1] ?? '';
    case 'w':
      return String(day);
    case '%':
      return '%';
    default:
      throw notUnderstood(`%${letter} in DATE_FORMAT`);
  }
}
