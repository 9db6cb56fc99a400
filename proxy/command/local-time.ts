/** Rows of one answer share their seconds: the conversion is what costs. A power of two. */
const SLOTS = 256;
const seconds = new Float64Array(SLOTS).fill(Number.NaN);
const texts: string[] = [];

/** Milliseconds since 1970 as `YYYY-MM-DD HH:MM:SS` in the time zone of this machine, as the reference prints times. */
export function localTime(wallAtMs: number): string {
  const second = Math.floor(wallAtMs / 1000);
  const slot = second & (SLOTS - 1);
  if (seconds[slot] !== second) {
    seconds[slot] = second;
    texts[slot] = convert(second * 1000);
  }
  return texts[slot] ?? '';
}

function convert(wallAtMs: number): string {
  const at = new Date(wallAtMs);
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
