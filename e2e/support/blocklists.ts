import { expect, type Page } from '@playwright/test';
import { product } from './product.ts';
import { asProxyAdmin } from './sql.ts';

/** Servers are found dead within a second or two. */
export const detectQuickly: readonly string[] = [
  'ALTER PROXYCONFIG SET server_detect_mode = 2',
  "ALTER PROXYCONFIG SET server_detect_refresh_interval = '200ms'",
  "ALTER PROXYCONFIG SET detect_server_timeout = '1s'",
];

/** The defaults of the same. */
export const detectAsUsual: readonly string[] = [
  'ALTER PROXYCONFIG SET server_detect_mode = 1',
  "ALTER PROXYCONFIG SET server_detect_refresh_interval = '1s'",
  "ALTER PROXYCONFIG SET detect_server_timeout = '5s'",
];

/** How many listings there are on some of the lists. */
async function listed(page: Page, ...lists: readonly string[]): Promise<number> {
  const { clusters } = (await (await page.request.get(`${product().url}/api/blocklist`)).json()) as {
    clusters: { servers: { listings: { list: string }[] }[] }[];
  };
  const all = clusters.flatMap(({ servers }) => servers.flatMap(({ listings }) => listings));
  return all.filter(({ list }) => lists.includes(list)).length;
}

/**
 * Takes every server off its lists, and waits until nothing is listed, as the next test begins. Faults must be over.
 * @param besides more to be set back
 */
export async function clearLists(page: Page, ...besides: readonly string[]): Promise<void> {
  // A server that the cluster tells of as back goes from the list status to the list alive: not before that is done.
  await expect.poll(() => listed(page, 'status')).toBe(0);
  await asProxyAdmin(
    // Below 0 takes every server off its lists (B17).
    'ALTER PROXYCONFIG SET congestion_failure_threshold = -1',
    'ALTER PROXYCONFIG SET congestion_failure_threshold = 5',
    ...besides,
  );
  await expect.poll(() => listed(page, 'status', 'detection', 'alive')).toBe(0);
}

/** B18: another window begins the counts anew. */
export const countAnew: readonly string[] = [
  "ALTER PROXYCONFIG SET congestion_fail_window = '119s'",
  "ALTER PROXYCONFIG SET congestion_fail_window = '120s'",
];
