import { describe, expect, it } from 'vitest';
import { isSameSite, type SiteFacts } from './same-site.ts';

const own: SiteFacts = {
  method: 'POST',
  origin: 'http://127.0.0.1:8080',
  fetchSite: 'same-origin',
  host: '127.0.0.1:8080',
  publicOrigin: undefined,
};

describe('isSameSite', () => {
  it("case B110 lets the console's own pages through", () => {
    expect(isSameSite(own)).toBe(true);
    expect(isSameSite({ ...own, fetchSite: null })).toBe(true);
    expect(isSameSite({ ...own, method: 'GET', origin: null })).toBe(true);
  });

  it.each([
    ['another site', { origin: 'http://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:9090' }],
    ['another scheme', { origin: 'https://127.0.0.1:8080' }],
    ['null', { origin: 'null' }],
    ['malformed', { origin: '::::' }],
    ['a path behind the origin', { origin: 'http://127.0.0.1:8080/x' }],
    ["cross-site by the browser's word", { fetchSite: 'cross-site' }],
    ['same-site but another origin', { fetchSite: 'same-site' }],
    ['no origin and no word of the browser', { origin: null, fetchSite: null }],
    ['no host', { host: null }],
    ['a malformed host', { host: 'a b' }],
  ])('case B110 refuses %s', (_name, part) => {
    expect(isSameSite({ ...own, ...part })).toBe(false);
  });

  it("case B110 refuses reads that another site's page makes", () => {
    expect(isSameSite({ ...own, method: 'GET', origin: null, fetchSite: 'cross-site' })).toBe(false);
  });

  it("case B110 knows a reverse proxy's origin by configuration only", () => {
    const behind = { ...own, host: 'odp-internal:8080', origin: 'https://odp.example.com' };
    expect(isSameSite(behind)).toBe(false);
    expect(isSameSite({ ...behind, publicOrigin: 'https://odp.example.com' })).toBe(true);
    expect(isSameSite({ ...behind, publicOrigin: 'https://odp.example.com', origin: 'http://odp-internal:8080' })).toBe(
      false,
    );
  });
});
