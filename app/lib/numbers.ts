const whole = new Intl.NumberFormat('en-US');

/** `12,345` */
export function countText(value: number): string {
  return whole.format(value);
}

/** Bytes in the largest fitting 1024 unit: `117.7 MB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** A rate with a decimal while it is small: `0.4`, `12`, `1,234`. */
export function rateText(perSecond: number): string {
  return perSecond > 0 && perSecond < 9.95 ? perSecond.toFixed(1) : countText(Math.round(perSecond));
}
