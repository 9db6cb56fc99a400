import type { Browser, BrowserContext, Page } from '@playwright/test';
import { clearLists, countAnew, detectAsUsual, detectQuickly } from './support/blocklists.ts';
import { CuttableProxy } from './support/cuttable-proxy.ts';
import { addressOf, failUntil, fault } from './support/demo.ts';
import { product, signedInFile } from './support/product.ts';
import { asProxyAdmin } from './support/sql.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';

const verdict = (page: Page) => page.getByTestId('verdict');
const title = (page: Page) => verdict(page).getByRole('heading');
const row = (page: Page, address: string) => page.locator(`[data-listed-server="${address}"]`);
const lane = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Events along the time' }).locator(`[data-lane="${name}"]`);
const events = (page: Page) => page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem');

/** Another browser with the same log-in. */
async function otherBrowser(browser: Browser, url: string): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ storageState: signedInFile, timezoneId: 'Asia/Tokyo', locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(url);
  await expectLive(page);
  return { page, context };
}

test.beforeEach(async () => {
  await asProxyAdmin(...detectQuickly, "ALTER PROXYCONFIG SET server_state_refresh_interval = '1s'");
});

test.afterEach(async ({ page }) => {
  await fault({ fault: 'clear' });
  await clearLists(page, ...countAnew);
});

test.afterAll(async () => {
  await asProxyAdmin(...detectAsUsual, "ALTER PROXYCONFIG SET server_state_refresh_interval = '20s'");
});

for (const [width, height] of [
  [1440, 900],
  [360, 740],
] as const) {
  test(`nothing moves while the page comes, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/');
    // Errors of tests before this one are told for a minute.
    await expect(verdict(page)).toHaveAttribute('data-level', 'ok', { timeout: 75_000 });
    await page.reload();
    await expectLive(page);
    await expect(page.getByRole('group', { name: 'Events along the time' })).toBeVisible();
    const moves = await page.evaluate(
      () =>
        new Promise<string[]>((done) => {
          type Shift = PerformanceEntry & { value: number; sources: { node?: Element }[] };
          new PerformanceObserver((list) =>
            done(
              (list.getEntries() as Shift[])
                .filter(({ value }) => value > 0.005)
                .map(({ value, sources }) => `${value}: ${sources.map(({ node }) => node?.className).join(' | ')}`),
            ),
          ).observe({ type: 'layout-shift', buffered: true });
          // Without a shift nobody is called.
          requestAnimationFrame(() => requestAnimationFrame(() => done([])));
        }),
    );
    expect(moves).toEqual([]);
  });
}

test('a server stops: what, where, since when and why, the mark on its lane, and a link that shows the same later', async ({
  page,
  visit,
  browser,
}) => {
  const address = await addressOf('zone2');
  await visit('/');
  await expect(verdict(page)).toHaveAttribute('data-level', /ok|warn/);
  await fault({ fault: 'stop', server: 'zone2' });
  await expect(title(page)).toHaveText('1 of 5 servers is listed');
  await expect(verdict(page)).toHaveAttribute('data-level', 'bad');
  await expect(verdict(page)).toContainText(/since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+\d\d:\d\d, for \d+ s/);
  await expect(row(page, address)).toContainText('Listed');
  await expect(row(page, address)).toContainText(/Detection.*probes/);
  await expectAccessible(page);

  // The mark says what it was; the list has the same event, and a way to the row itself.
  // Newest first; what tests before this one did is there as well.
  const mark = lane(page, 'blocklist').locator('[data-mark]').first();
  await mark.hover();
  await expect(page.getByTestId('mark-detail')).toContainText(`${address} on the list detection`);
  const event = events(page)
    .filter({ hasText: `${address} on the list detection` })
    .first();
  await event.getByRole('button').click();
  await expect(page).toHaveURL(/event=b\d+/);
  await expect(event.getByRole('link')).toHaveAttribute('href', /\/blocklist\?cluster=obdemo&server=/);

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page).toHaveURL(/at=/);
  await expect(page.getByTestId('pace')).toContainText('0 new events');
  await expectAccessible(page);

  // What goes on is counted and changes nothing.
  await fault({ fault: 'start', server: 'zone2' });
  await expect(page.getByTestId('pace')).toContainText('1 new event');
  await expect(title(page)).toHaveText('1 of 5 servers is listed');
  await expect(row(page, address)).toBeVisible();

  // Whoever gets the link sees the same, in their own time zone, though it is long over.
  const other = await otherBrowser(browser, page.url());
  await expect(title(other.page)).toHaveText('1 of 5 servers is listed');
  await expect(row(other.page, address)).toContainText(/Detection.*probes/);
  await expect(other.page.getByTestId('mark-detail')).toContainText(`${address} on the list detection`);
  await expect(other.page.getByTestId('pace')).toContainText('1 new event');
  await expect(other.page.getByTestId('pace')).toContainText('+09:00');
  await other.context.close();

  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(row(page, address)).toHaveCount(0);
  await expect(title(page)).not.toContainText('listed');
});

test('errors of a zone are in its chart and in the verdict, while the others stay as they are', async ({
  page,
  visit,
}) => {
  await visit('/');
  await fault({ fault: 'error', server: 'zone3', errno: 4013 });
  const address = await addressOf('zone3');
  await failUntil(
    async () => (await row(page, address).count()) > 0,
    (key) => `SELECT name, 'on call' FROM customers WHERE id = ${key}`,
  );
  // A listed server is tried again: that has a look of its own.
  await expect(row(page, address)).toHaveAttribute('data-phase', /waiting|trying/);
  const zone = page.locator('[data-zone="obdemo/zone3"]');
  await expect(zone.locator('[data-errors]')).not.toHaveText('0 errors/s', { timeout: 20_000 });
  await expect(verdict(page).locator('[data-cause="errors obdemo/zone3"]')).toContainText(
    /% of the statements to zone3 fail/,
  );
  await zone.getByRole('button', { name: 'Show zone3 alone' }).click();
  await expect(page).toHaveURL(/zone=obdemo/);
  await expect(page.locator('[data-zone]')).toHaveCount(1);
  await page.getByRole('button', { name: 'Show all zones' }).click();
  await expect(page).not.toHaveURL(/zone=/);
});

test('B118 changes of the configuration and of the cluster are marks, whoever made them', async ({ page, visit }) => {
  await visit('/');
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '118s'");
  const change = events(page).filter({ hasText: 'congestion_fail_window: 120s → 118s' });
  await expect(change).toContainText('by root');
  await expect(lane(page, 'configuration').locator('[data-mark]')).not.toHaveCount(0);
  await change.getByRole('link').click();
  await expect(page).toHaveURL(/\/history\?q=request/);
  await expect(page.getByText('118s').first()).toBeVisible();

  await page.goBack();
  // What is under the pointer stands still.
  await page.mouse.move(0, 0);
  await fault({ fault: 'merge', zone: 'zone2', merging: true });
  await expect(verdict(page)).toContainText('Zone zone2 is merging');
  await expect(lane(page, 'cluster').locator('[data-mark]')).not.toHaveCount(0);
  await expect(events(page).filter({ hasText: 'zone zone2: ACTIVE → MERGE' })).toBeVisible();
  await fault({ fault: 'merge', zone: 'zone2', merging: false });
  await expect(events(page).filter({ hasText: 'zone zone2: MERGE → ACTIVE' })).toBeVisible();
  await expect(verdict(page)).not.toContainText('merging');
});

test('rows stay under the pointer: what comes is announced, what goes stays until the pointer leaves', async ({
  page,
  visit,
}) => {
  const [first, second] = [await addressOf('zone2'), await addressOf('zone3')];
  await visit('/');
  await fault({ fault: 'stop', server: 'zone2' });
  await expect(row(page, first)).toBeVisible();
  await row(page, first).hover();
  const before = await row(page, first).boundingBox();
  await fault({ fault: 'stop', server: 'zone3' });
  await expect(verdict(page)).toContainText('1 more listed meanwhile');
  await expect(row(page, second)).toHaveCount(0);
  await fault({ fault: 'start', server: 'zone2' });
  await expect(row(page, first)).toHaveAttribute('data-phase', 'released');
  expect((await row(page, first).boundingBox())?.y).toBe(before?.y);
  await page.mouse.move(0, 0);
  await expect(row(page, second)).toBeVisible();
  await expect(row(page, first)).toHaveCount(0);
});

test('the keyboard goes from mark to mark, and chooses', async ({ page, visit }) => {
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '117s'");
  await visit('/?range=4h');
  const marks = page.getByRole('group', { name: 'Events along the time' }).locator('[data-mark]');
  await expect(marks.first()).toBeVisible();
  // One stop of the Tab key, whatever number of marks.
  await expect(marks.and(page.locator('[tabindex="0"]'))).toHaveCount(1);
  await marks.first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('mark-detail')).not.toContainText('Point at a mark');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/range=4h&event=[bh]\d+/);
});

test('a page that hears nothing any more says so, and of when its words are', async ({ page }) => {
  const relay = await CuttableProxy.start(Number(new URL(product().url).port));
  try {
    await page.goto(relay.url);
    await expectLive(page);
    await expect(verdict(page)).toHaveAttribute('data-stale', 'false');
    relay.cut();
    await expect(verdict(page)).toHaveAttribute('data-stale', 'true');
    await expect(title(page)).toContainText('Last known:');
    await expect(verdict(page)).toContainText(/as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    await expect(page.getByTestId('pace')).toContainText(/stale · last event .* ago/);
    relay.mend();
    await expect(verdict(page)).toHaveAttribute('data-stale', 'false');
  } finally {
    await relay.stop();
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('verdict and listed servers are on the first screen, and nothing has to be pushed sideways', async ({
    page,
    visit,
  }) => {
    const address = await addressOf('zone2');
    await fault({ fault: 'stop', server: 'zone2' });
    await visit('/');
    await expect(row(page, address)).toBeVisible();
    const box = await row(page, address).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(740);
    await expect(events(page).first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });
});
