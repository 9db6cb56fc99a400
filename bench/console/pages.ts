/** What the open pages ask for, as the console's own do (`app/lib`): once when they open, then as often as they look again. */
export interface ViewedPage {
  readonly path: string;
  /** How many of the ten viewers have it open. */
  readonly viewers: number;
  readonly asks: readonly { readonly path: string; readonly everyMs: number | null }[];
}

const once = (path: string) => ({ path, everyMs: null });
const overview = once('/api/overview');

export const viewedPages: readonly ViewedPage[] = [
  {
    path: '/sessions',
    viewers: 4,
    asks: [overview, { path: '/api/sessions?sort=id&order=asc&offset=0&limit=100', everyMs: 2_000 }],
  },
  {
    path: '/sessions',
    viewers: 1,
    asks: [overview, { path: '/api/sessions?text=127.0&sort=statement&order=desc&offset=0&limit=100', everyMs: 2_000 }],
  },
  { path: '/locations', viewers: 2, asks: [overview, { path: '/api/locations?limit=50', everyMs: 5_000 }] },
  { path: '/', viewers: 2, asks: [overview, once('/api/parameters'), once('/api/blocklist')] },
  { path: '/blocklist', viewers: 1, asks: [overview, once('/api/blocklist'), once('/api/blocklist/events?limit=20')] },
];
