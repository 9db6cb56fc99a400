/** Days and times of day, and the numbers that columns DATE and DATETIME keep for them. */

export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

const MS_PER_DAY = 86_400_000;
/** TO_DAYS('1970-01-01'). */
const EPOCH_DAYS = 719_528;

/** DATE: year, month, day. */
export const packDate = ({ year, month, day }: Moment): bigint => BigInt((year << 9) | (month << 5) | day);

export function momentOfDate(packed: bigint): Moment {
  const value = Number(packed);
  return { year: value >> 9, month: (value >> 5) & 15, day: value & 31, ...MIDNIGHT };
}

const MIDNIGHT = { hour: 0, minute: 0, second: 0, microsecond: 0 };

/** DATETIME: months of 13 a year, day, hour, minute, second, microsecond. */
export function packDateTime({ year, month, day, hour, minute, second, microsecond }: Moment): bigint {
  const days = BigInt(((year * 13 + month) << 5) | day);
  const clock = BigInt((hour << 12) | (minute << 6) | second);
  return (((days << 17n) | clock) << 24n) | BigInt(microsecond);
}

export function momentOfDateTime(packed: bigint): Moment {
  const days = Number(packed >> 41n);
  const clock = Number((packed >> 24n) & 0x1ffffn);
  return {
    year: Math.floor((days >> 5) / 13),
    month: (days >> 5) % 13,
    day: days & 31,
    hour: clock >> 12,
    minute: (clock >> 6) & 63,
    second: clock & 63,
    microsecond: Number(packed & 0xffffffn),
  };
}

/** Whether the calendar has the day. */
export function exists({ year, month, day }: Moment): boolean {
  const date = utc(year, month, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** As TO_DAYS counts. */
export const dayNumber = (year: number, month: number, day: number): number =>
  utc(year, month, day).getTime() / MS_PER_DAY + EPOCH_DAYS;

/** Date.UTC alone takes the years up to 99 for those of the twentieth century. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

export function dayBefore({ year, month, day }: Moment): Moment {
  const date = new Date(utc(year, month, day).getTime() - MS_PER_DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), ...MIDNIGHT };
}

/** @param tick microseconds, a power of ten up to a second */
export function momentBefore(moment: Moment, tick: number): Moment {
  const { hour, minute, second, microsecond } = moment;
  if (microsecond >= tick) return { ...moment, microsecond: microsecond - tick };
  const seconds = (hour * 60 + minute) * 60 + second - 1;
  if (seconds < 0) return { ...dayBefore(moment), hour: 23, minute: 59, second: 59, microsecond: 1_000_000 - tick };
  return {
    ...moment,
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    microsecond: 1_000_000 - tick,
  };
}
