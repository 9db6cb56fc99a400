/** Milliseconds since 1970 as `YYYY-MM-DD HH:MM:SS` in the time zone of this machine, as the reference prints times. */
export function localTime(wallAtMs: number): string {
  const at = new Date(wallAtMs);
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
