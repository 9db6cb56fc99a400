/** Who may send a request to the console's own API (case B110). */

export interface SiteFacts {
  readonly method: string;
  /** Value of the Origin header, or null. */
  readonly origin: string | null;
  /** Value of Sec-Fetch-Site, or null (old browsers, scripts). */
  readonly fetchSite: string | null;
  /** Value of the Host header, or null. */
  readonly host: string | null;
  /** The configured public origin, when a reverse proxy stands in front. `X-Forwarded-Host` is never looked at. */
  readonly publicOrigin: string | undefined;
}

/**
 * True when the request was made by the console's own pages. Reads are refused only when the browser says that another
 * site made them; anything that can change something must also prove its origin: a missing one counts as foreign
 * unless the browser vouches for it.
 */
export function isSameSite(facts: SiteFacts): boolean {
  const foreign = facts.fetchSite !== null && facts.fetchSite !== 'same-origin' && facts.fetchSite !== 'none';
  if (foreign) return false;
  if (facts.origin === null) {
    return facts.method === 'GET' || facts.method === 'HEAD' || facts.fetchSite === 'same-origin';
  }
  const expected = facts.publicOrigin ?? (facts.host === null ? null : originOf(`http://${facts.host}`));
  return expected !== null && originOf(facts.origin) === expected;
}

/** The normal form of an origin, or null when it is not one (`null`, `::::`, a path behind it …). */
function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' ? url.origin : null;
}
