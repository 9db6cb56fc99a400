import type { Language } from './language.ts';

/** Times for people. Machine-facing times stay ISO 8601 UTC; everything shown goes through here, with its zone (case B106). */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Numbers of one instant as a clock in a zone shows them. */
function clockParts(at: Date, zone: string): Record<string, string> {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    });
    formats.set(zone, format);
  }
  return Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value]));
}

/** `{ day: '2024-10-27', clock: '02:30:00', offset: '+02:00' }` of an ISO time in an IANA zone. */
export function zonedTime(iso: string, zone: string): { day: string; clock: string; offset: string } {
  const parts = clockParts(new Date(iso), zone);
  const offset = (parts.timeZoneName ?? '').replace('GMT', '');
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    clock: `${parts.hour}:${parts.minute}:${parts.second}`,
    offset: offset === '' ? '+00:00' : offset,
  };
}

/** The instant at which a day (`2024-10-27`) begins in a zone, as ISO 8601 UTC; `dayShift` 1 gives the end of the day. */
export function dayStart(day: string, zone: string, dayShift = 0): string {
  const wanted = new Date(`${day}T00:00:00Z`);
  wanted.setUTCDate(wanted.getUTCDate() + dayShift);
  let instant = wanted.getTime();
  // Two rounds: the first guess may lie on the other side of a change of the clocks.
  for (let round = 0; round < 2; round += 1) {
    instant = wanted.getTime() - offsetMs(instant, zone);
  }
  return new Date(instant).toISOString();
}

/** The instant that a clock in a zone shows as `2024-10-27T02:30` (seconds may follow), as ISO 8601 UTC; and one of the two that a clock set back shows twice. */
export function instantOf(clock: string, zone: string): string {
  const wanted = Date.parse(`${clock}Z`);
  let instant = wanted;
  // Two rounds, as above.
  for (let round = 0; round < 2; round += 1) instant = wanted - offsetMs(instant, zone);
  return new Date(instant).toISOString();
}

function offsetMs(instant: number, zone: string): number {
  const { day, clock } = zonedTime(new Date(instant).toISOString(), zone);
  return new Date(`${day}T${clock}Z`).getTime() - Math.floor(instant / 1000) * 1000;
}

/** Day, hour, minute and second behind their number; Japanese writes both as one word. */
const units: Record<Language, readonly [string, string, string, string]> = {
  en: [' d', ' h', ' min', ' s'],
  ja: ['日', '時間', '分', '秒'],
  zh: [' 天', ' 小时', ' 分', ' 秒'],
};

/** A length of time in its two largest units: `3 s`, `4 min 10 s`, `2 d 5 h`; in Japanese `4分10秒`. */
export function durationText(milliseconds: number, language: Language): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const [d, h, min, s] = units[language];
  const space = language === 'ja' ? '' : ' ';
  if (days > 0) return `${days}${d}${space}${hours}${h}`;
  if (hours > 0) return `${hours}${h}${space}${minutes}${min}`;
  if (minutes > 0) return `${minutes}${min}${space}${seconds % 60}${s}`;
  return `${seconds}${s}`;
}
