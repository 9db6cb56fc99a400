/** What a reader chose about the look, kept in plain cookies so that the first answer already has it. */

export type Theme = 'light' | 'dark' | 'system';

export const themeCookie = 'odp_theme';
export const zoneCookie = 'odp_zone';

/** The theme in a cookie's text; anything unknown is the system's. */
export function parseTheme(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

/** The zone preference in a cookie's text: `utc`, or `local:<IANA zone>` as the browser last told it. */
export function parseZone(text: string | undefined): { mode: 'local' | 'utc'; zone: string } {
  if (text === 'utc') return { mode: 'utc', zone: 'UTC' };
  const zone = text?.replace(/^local:/, '') ?? '';
  return { mode: 'local', zone: isZone(zone) ? zone : 'UTC' };
}

/** Keep a preference for a year. Browser only. */
export function keepCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context, and loopback over http on another host has none.
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=31536000; SameSite=Strict`;
}

function isZone(zone: string): boolean {
  try {
    return zone !== '' && new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}
