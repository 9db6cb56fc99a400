/** What the date functions that MySQL mode allows in a partitioning make of a day and time of day. */
import { dayNumber, type Moment } from './moment.ts';

const toDays = ({ year, month, day }: Moment): number => dayNumber(year, month, day);
const dayOfYear = (moment: Moment): number => toDays(moment) - dayNumber(moment.year, 1, 1) + 1;
/** 0 is Sunday. */
const weekday = (days: number): number => (days + 6) % 7;

/** Weeks begin on Sunday; the days before a year's first Sunday belong to the year before (mode 0). */
function yearWeek(moment: Moment): number {
  const days = toDays(moment);
  const week = weekOf(days, moment.year);
  if (week > 0) return moment.year * 100 + week;
  const yearBefore = moment.year - 1;
  return yearBefore * 100 + weekOf(dayNumber(yearBefore, 12, 31), yearBefore);
}

const weekOf = (days: number, year: number): number =>
  Math.floor((days - dayNumber(year, 1, 1) + 7 - weekday(days)) / 7);

const secondsOfDay = ({ hour, minute, second }: Moment): number => (hour * 60 + minute) * 60 + second;

/** Functions of a day. Those of {@link TIME_FUNCTIONS} take a time of day besides. */
export const DATE_FUNCTIONS: Readonly<Record<string, (moment: Moment) => number>> = {
  year: ({ year }) => year,
  month: ({ month }) => month,
  day: ({ day }) => day,
  dayofmonth: ({ day }) => day,
  dayofyear: dayOfYear,
  dayofweek: (moment) => weekday(toDays(moment)) + 1,
  weekday: (moment) => (weekday(toDays(moment)) + 6) % 7,
  quarter: ({ month }) => Math.ceil(month / 3),
  to_days: toDays,
  to_seconds: (moment) => toDays(moment) * 86_400 + secondsOfDay(moment),
  yearweek: yearWeek,
  extract_year: ({ year }) => year,
  extract_quarter: ({ month }) => Math.ceil(month / 3),
  extract_month: ({ month }) => month,
  extract_day: ({ day }) => day,
  extract_year_month: ({ year, month }) => year * 100 + month,
};

export const TIME_FUNCTIONS: Readonly<Record<string, (moment: Moment) => number>> = {
  hour: ({ hour }) => hour,
  minute: ({ minute }) => minute,
  second: ({ second }) => second,
  microsecond: ({ microsecond }) => microsecond,
  extract_hour: ({ hour }) => hour,
  extract_minute: ({ minute }) => minute,
  extract_second: ({ second }) => second,
  extract_microsecond: ({ microsecond }) => microsecond,
};

/** A later moment never has a smaller result. */
export const GROWING_DATE_FUNCTIONS: ReadonlySet<string> = new Set([
  'year',
  'to_days',
  'to_seconds',
  'yearweek',
  'extract_year',
  'extract_year_month',
]);
