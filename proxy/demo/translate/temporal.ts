/** Dates and times as the engine keeps them: text in MySQL's own writing, with exactly `scale` digits of a second. */
export type TemporalKind = 'date' | 'datetime' | 'timestamp' | 'time';

const DATE_PATTERN = /^(\d{4}|\d{2})[-/.](\d{1,2})[-/.](\d{1,2})/;
const CLOCK_PATTERN = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d*)?)?$/;
const TIME_PATTERN = /^(-?)(\d{1,3}):(\d{1,2})(?::(\d{1,2})(\.\d*)?)?$/;

export interface DateTimeParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly micros: number;
}

/** Reads a date or date and time in the spellings MySQL takes; null when it is none. */
export function parseDateTime(text: string): DateTimeParts | null {
  const compact = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})(\.\d*)?)?$/.exec(text.trim());
  if (compact) return checkedParts(compact.slice(1));
  const trimmed = text.trim();
  const date = DATE_PATTERN.exec(trimmed);
  if (!date) return null;
  const rest = trimmed.slice(date[0].length);
  if (rest === '') return checkedParts(date.slice(1));
  const clock = CLOCK_PATTERN.exec(rest.replace(/^[T\s]+/, ''));
  if (!clock || !/^[T\s]/.test(rest)) return null;
  return checkedParts([...date.slice(1, 4), ...clock.slice(1)]);
}

function checkedParts(parts: readonly (string | undefined)[]): DateTimeParts | null {
  const [yearText = '', month, day, hour, minute, second, fraction] = parts;
  const short = Number(yearText);
  const year = yearText.length === 2 ? (short < 70 ? 2000 + short : 1900 + short) : short;
  const read = {
    year,
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    micros: Math.round(Number(`0${fraction ?? ''}`.replace(/^0\.$/, '0')) * 1e6),
  };
  const daysInMonth = new Date(Date.UTC(2000 + (read.year % 400), read.month, 0)).getUTCDate();
  const valid =
    read.month >= 1 &&
    read.month <= 12 &&
    read.day >= 1 &&
    read.day <= daysInMonth &&
    read.hour < 24 &&
    read.minute < 60 &&
    read.second < 60;
  return valid ? read : null;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Writes a moment with `scale` digits of a second, rounding to them. */
export function formatDateTime(parts: DateTimeParts, scale: number): string {
  const unit = 10 ** (6 - scale);
  const rounded = Math.round(parts.micros / unit) * unit;
  const date = new Date(0);
  date.setUTCFullYear(parts.year, parts.month - 1, parts.day);
  date.setUTCHours(parts.hour, parts.minute, parts.second + (rounded >= 1e6 ? 1 : 0));
  const micros = rounded % 1e6;
  const text =
    `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())} ` +
    `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return scale > 0 ? `${text}.${String(micros).padStart(6, '0').slice(0, scale)}` : text;
}

/** Brings text to the kept form of a temporal type; null when it is not such a value. */
export function normalizeTemporal(kind: TemporalKind, scale: number, text: string): string | null {
  if (kind === 'time') return normalizeTime(text, scale);
  const parts = parseDateTime(text);
  if (!parts) return null;
  return kind === 'date' ? formatDateTime(parts, 0).slice(0, 10) : formatDateTime(parts, scale);
}

function normalizeTime(text: string, scale: number): string | null {
  const trimmed = text.trim();
  const match = TIME_PATTERN.exec(trimmed);
  if (!match) {
    const parts = parseDateTime(trimmed);
    return parts && trimmed.length > 10 ? formatDateTime(parts, scale).slice(11) : null;
  }
  const [, sign = '', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  if (Number(hours) > 838 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const digits = fraction.slice(1, 1 + scale).padEnd(scale, '0');
  return `${sign}${two(Number(hours))}:${two(Number(minutes))}:${two(Number(seconds))}${scale > 0 ? `.${digits}` : ''}`;
}

/** A moment of the machine's clock in the given form (local time). */
export function localDateTime(date: Date, scale: number): string {
  return formatDateTime(
    {
      year: date.getFullYear(),
      month: date.getMonth() + 1,
      day: date.getDate(),
      hour: date.getHours(),
      minute: date.getMinutes(),
      second: date.getSeconds(),
      micros: scale > 0 ? date.getMilliseconds() * 1000 : 0,
    },
    scale,
  );
}
