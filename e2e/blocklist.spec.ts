import type { Page } from '@playwright/test';
import { clearLists, countAnew, detectAsUsual, detectQuickly } from './support/blocklists.ts';
import { makeDeaf } from './support/deaf.ts';
import { addressOf, failUntil, fault } from './support/demo.ts';
import { chosenPassword, signedInFile } from './support/product.ts';
import { asProxyAdmin, shownValue } from './support/sql.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';
import { addViewer } from './support/viewer.ts';

const headline = (page: Page) => page.getByTestId('headline');
const card = (page: Page, address: string) => page.locator(`[data-server="${address}"]`);
const cell = (page: Page, address: string, list: string) => card(page, address).locator(`[data-list="${list}"]`);
const events = (page: Page) => page.locator('[data-event]');
const setting = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const confirm = (page: Page) => page.getByRole('dialog', { name: /^Apply/ });
const toggle = (page: Page) => page.getByRole('switch', { name: 'enable_congestion' });

/** Sends failing statements until the server is on the alive list. */
async function listAlive(page: Page, zone: string): Promise<string> {
  const address = await addressOf(zone);
  await fault({ fault: 'error', server: zone, errno: 4013 });
  await failUntil(
    async () => (await card(page, address).getAttribute('data-listed')) === 'true',
    (key) => `SELECT name, 'seen by nobody' FROM customers WHERE id = ${key}`,
  );
  return address;
}

async function signInAs(page: Page, name: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(chosenPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectLive(page);
}

test.beforeEach(async () => {
  await asProxyAdmin(...detectQuickly);
});

test.afterEach(async ({ page }) => {
  await fault({ fault: 'clear' });
  await clearLists(
    page,
    ...countAnew,
    "ALTER PROXYCONFIG SET congestion_retry_interval = '20s'",
    "ALTER PROXYCONFIG SET enable_congestion = 'True'",
  );
});

test.afterAll(async () => {
  await asProxyAdmin(...detectAsUsual);
});

test('B9 a server that goes down is listed before the reader’s eyes, and its return releases it', async ({
  page,
  visit,
}) => {
  const address = await addressOf('zone2');
  await visit('/blocklist');
  await expect(headline(page)).toContainText('Nothing is listed');
  await expect(card(page, address)).toHaveAttribute('data-listed', 'false');

  await fault({ fault: 'stop', server: 'zone2' });
  await expect(headline(page)).toContainText('1 of 5 servers is listed');
  await expect(card(page, address)).toContainText('Unreachable');
  await expect(page.getByRole('list', { name: 'Listed servers' }).locator('[data-server]')).toHaveCount(1);
  const detection = cell(page, address, 'detection');
  await expect(detection).toContainText('Listed');
  await expect(detection).toContainText(/for \d+ s/);
  await expect(detection).toContainText(/\d+ failed in a row.*dead above 3/s);
  await expect(detection.getByRole('img', { name: /probes, oldest left: \d+ failed/ })).toBeVisible();
  await expect(cell(page, address, 'status')).toContainText('Clear');
  await expect(page.getByRole('navigation', { name: 'Pages' }).first()).toContainText(/Blocklist\s*1/);
  await expectAccessible(page);

  // The evidence is one click away: the four probes, and what was in force.
  const listing = events(page).first();
  await expect(listing).toContainText(`${address}`);
  await expect(listing).toContainText('on the detection list');
  await listing.getByRole('button').click();
  await expect(listing.getByRole('list', { name: 'Probes, newest first' }).getByRole('listitem')).toHaveCount(4);
  await expect(listing).toContainText(/server_detect_fail_threshold\s*3/);
  await expectAccessible(page);

  await card(page, address).getByRole('button', { name: 'Details' }).click();
  await expect(card(page, address).getByRole('list', { name: 'Probes, newest first' })).toContainText('failed');

  await fault({ fault: 'start', server: 'zone2' });
  await expect(headline(page)).toContainText('Nothing is listed');
  await expect(card(page, address)).toContainText('Reachable');
  const release = events(page).first();
  await expect(release).toContainText('Released');
  await expect(release).toContainText(/off the detection list after \d+ s/);
});

test('B11 failing statements list a server as alive but unavailable; released by hand, with a reason', async ({
  page,
  visit,
}) => {
  await visit('/blocklist');
  const address = await listAlive(page, 'zone3');
  const alive = cell(page, address, 'alive');
  await expect(alive).toContainText(/\d+ failures within 120s\s*listed at 5/);
  await expect(alive.getByRole('img', { name: /Failures in the last 120s/ })).toBeVisible();
  // B12: counts down.
  const retry = alive.getByTestId('retry');
  await expect(retry).toContainText(/Next retry in \d+ s/);
  const before = await retry.textContent();
  await expect(retry).not.toHaveText(before ?? '');

  // B10: kind, number, session and statement, without its values.
  const listing = events(page).first();
  await listing.getByRole('button').click();
  const failures = listing.getByRole('list', { name: 'Failures, newest first' }).getByRole('listitem');
  await expect(failures).toHaveCount(5);
  await expect(failures.first()).toContainText(/error from the server 4013/);
  await expect(failures.first()).toContainText(/session \d+/);
  await expect(failures.first()).toContainText(/FROM customers WHERE id = \?/i);
  await expect(failures.first()).not.toContainText('seen by nobody');
  await expectAccessible(page);

  await fault({ fault: 'error', server: 'zone3', errno: 0 });
  await card(page, address)
    .getByRole('button', { name: /^Release/ })
    .click();
  const dialog = page.getByRole('dialog', { name: `Release ${address}` });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Release' })).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('memory was added');
  await dialog.getByRole('button', { name: 'Release' }).click();
  await expect(dialog).toBeHidden();
  await expect(headline(page)).toContainText('Nothing is listed');
  await expect(events(page).first()).toContainText(/Released.*by hand \(admin\): memory was added/s);

  await visit('/history?q=action:blocklist.release');
  await expect(page.locator('[data-history]').first()).toContainText('memory was added');
});

test('what would have happened is shown before a change is made', async ({ page, visit }) => {
  await visit('/blocklist');
  const address = await listAlive(page, 'zone3');
  await setting(page, 'congestion_failure_threshold').fill('1000');
  await page.getByRole('button', { name: 'What if …' }).click();
  const whatIf = confirm(page).getByRole('region', { name: 'What if' });
  const listing = whatIf.getByRole('list', { name: 'Listings' }).getByRole('listitem').filter({ hasText: address });
  await expect(listing.filter({ hasText: 'alive list' }).first()).toContainText('Not listed');
  await expect(whatIf).toContainText(/With the new values\s*\d+ listings?/);
  await whatIf.getByLabel('How far back').selectOption('last hour');
  await expect(listing.filter({ hasText: 'alive list' }).first()).toContainText('Not listed');
  await expectAccessible(page);
  await expect(confirm(page).getByRole('button', { name: 'Apply' })).toBeDisabled();
  await confirm(page).getByLabel('Reason').fill('too touchy');
  await confirm(page).getByRole('button', { name: 'Apply' }).click();
  await expect(confirm(page)).toBeHidden();
  expect(await shownValue('congestion_failure_threshold')).toBe('1000');
  await expect(setting(page, 'congestion_failure_threshold')).toHaveValue('1000');
});

test('tells what is wrong with a value before anything is tried', async ({ page, visit }) => {
  await visit('/blocklist');
  await setting(page, 'congestion_retry_interval').fill('2h');
  await expect(page.locator('[data-setting="congestion_retry_interval"]').getByRole('alert')).toHaveText(
    'Outside the range [1s,1h].',
  );
  await expect(page.getByRole('button', { name: 'What if …' })).toBeDisabled();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(setting(page, 'congestion_retry_interval')).toHaveValue('20s');
});

test('B16 case B101 the switch from two browsers at once: a late click is refused, and says who was faster', async ({
  page,
  visit,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ storageState: signedInFile, ...(baseURL ? { baseURL } : {}) });
  const other = await context.newPage();
  await makeDeaf(other);
  await other.goto('/blocklist');
  await expectLive(other);
  await visit('/blocklist');
  await toggle(page).click();
  await toggle(other).click();
  await confirm(other).getByLabel('Reason').fill('maintenance');

  const apply = async (): Promise<void> => {
    await confirm(page).getByLabel('Reason').fill('maintenance');
    await confirm(page).getByRole('button', { name: 'Apply' }).click();
    await expect(confirm(page)).toBeHidden();
  };
  await apply();
  await expect(headline(page)).toContainText('The blocklists are off');
  await toggle(page).click();
  await apply();
  await expect(headline(page)).not.toContainText('The blocklists are off');

  const [answer] = await Promise.all([
    other.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/parameters'),
    ),
    confirm(other).getByRole('button', { name: 'Apply' }).click(),
  ]);
  expect(answer.status()).toBe(409);
  await expect(confirm(other).getByText('Nothing was changed.')).toBeVisible();
  await expect(confirm(other).getByText(/admin set this to True at .*Yours is False/)).toBeVisible();
  await expect(confirm(other).getByRole('button', { name: 'Apply' })).toBeDisabled();
  await expectAccessible(other);
  expect((await shownValue('enable_congestion')).toLowerCase()).toBe('true');
  await confirm(other).getByRole('button', { name: 'Keep mine' }).click();
  await confirm(other).getByRole('button', { name: 'Apply' }).click();
  await expect(confirm(other)).toBeHidden();
  await expect(toggle(page)).not.toBeChecked();
  await context.close();
});

test('case B101 two browsers that want the same: the second does nothing, and says so', async ({
  page,
  visit,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ storageState: signedInFile, ...(baseURL ? { baseURL } : {}) });
  const other = await context.newPage();
  await makeDeaf(other);
  await other.goto('/blocklist');
  await expectLive(other);
  await visit('/blocklist');
  for (const one of [page, other]) {
    await toggle(one).click();
    await confirm(one).getByLabel('Reason').fill('maintenance');
  }
  await confirm(page).getByRole('button', { name: 'Apply' }).click();
  await expect(toggle(page)).not.toBeChecked();
  await confirm(other).getByRole('button', { name: 'Apply' }).click();
  await expect(other.getByText('No effect: these values were in force already')).toBeVisible();
  await expect(toggle(other)).not.toBeChecked();
  await context.close();
});

test('case B101 a live page is told before it asks, and a listed server says what switching off means', async ({
  page,
  visit,
}) => {
  const address = await addressOf('zone4');
  await visit('/blocklist');
  await fault({ fault: 'stop', server: 'zone4' });
  await expect(headline(page)).toContainText('1 of 5 servers is listed');
  await toggle(page).click();
  await expect(confirm(page)).toContainText(`Sent requests again at once, although listed: ${address}.`);
  await asProxyAdmin("ALTER PROXYCONFIG SET enable_congestion = 'False'");
  await expect(confirm(page).getByText(/root.* has set this to False already/)).toBeVisible();
  await confirm(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(toggle(page)).not.toBeChecked();
  await expect(headline(page)).toContainText('1 of 5 servers is listed');
});

test('filters live in the URL, for servers and timeline alike', async ({ page, visit }) => {
  const [zone2, zone3] = [await addressOf('zone2'), await addressOf('zone3')];
  await visit('/blocklist');
  await fault({ fault: 'stop', server: 'zone2' });
  await expect(card(page, zone2)).toHaveAttribute('data-listed', 'true');
  await fault({ fault: 'start', server: 'zone2' });
  await expect(headline(page)).toContainText('Nothing is listed');
  await page.getByLabel('Zone').selectOption('zone2');
  await expect(page).toHaveURL(/zone=zone2/);
  await expect(page.locator('[data-server]')).toHaveCount(1);
  await page.getByLabel('Change').selectOption('Released');
  await expect(events(page).first()).toContainText(/Released.*off the detection list/s);
  await expect(events(page).filter({ hasText: 'Listed' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel('Change')).toHaveValue('released');
  await expect(events(page).filter({ hasText: zone2 }).first()).toBeVisible();
  await page.getByLabel('Zone').selectOption('zone3');
  await expect(card(page, zone3)).toBeVisible();
  await expect(events(page).filter({ hasText: zone2 })).toHaveCount(0);
  await page.getByLabel('List', { exact: true }).selectOption('status');
  await expect(page.getByText('No server fits this filter')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(page.locator('[data-server]')).toHaveCount(5);
});

test('case B105 older events are loaded page by page, each once', async ({ page, visit }) => {
  const total = async (): Promise<number> =>
    ((await (await page.request.get('/api/blocklist/events?limit=1')).json()) as { total: number }).total;
  await fault({ fault: 'stop', server: 'zone2' });
  await expect
    .poll(
      async () => {
        // Off the list by its parameter, and back on it by the next probe.
        await asProxyAdmin(
          'ALTER PROXYCONFIG SET congestion_failure_threshold = -1',
          'ALTER PROXYCONFIG SET congestion_failure_threshold = 5',
        );
        return total();
      },
      { timeout: 60_000, intervals: [300] },
    )
    .toBeGreaterThan(22);
  await fault({ fault: 'start', server: 'zone2' });
  await visit('/blocklist');
  await expect(headline(page)).toContainText('Nothing is listed');
  await expect(events(page)).toHaveCount(20);
  await page.getByRole('button', { name: 'Load older' }).click();
  await expect.poll(() => events(page).count()).toBeGreaterThan(20);
  const ids = await events(page).evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-event'))));
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
});

test('the tab’s title counts only once switched on, on every page', async ({ page, visit }) => {
  await visit('/blocklist');
  await fault({ fault: 'stop', server: 'zone2' });
  await expect(headline(page)).toContainText('1 of 5 servers is listed');
  expect(await page.title()).toBe('Blocklist · ODP console');
  await page.getByRole('switch', { name: /title/ }).click();
  await expect(page).toHaveTitle('(1) Blocklist · ODP console');
  await page.keyboard.type('gh');
  await expect(page).toHaveTitle('(1) History · ODP console');
  await page.reload();
  await expect(page).toHaveTitle('(1) History · ODP console');
  await fault({ fault: 'start', server: 'zone2' });
  await expect(page).toHaveTitle('History · ODP console');
});

test('a notification comes only with leave, asked for by the click', async ({ page, visit }) => {
  await page.addInitScript(() => {
    const shown: string[] = [];
    let asked = 0;
    class Fake {
      static permission = 'default';
      static async requestPermission(): Promise<string> {
        asked += 1;
        Fake.permission = asked === 1 ? 'denied' : 'granted';
        return Fake.permission;
      }
      onclick = null;
      constructor(title: string, options: { body: string }) {
        shown.push(`${title}|${options.body}`);
      }
    }
    Object.assign(window, { Notification: Fake, odpShown: shown, odpAsked: () => asked });
  });
  const shown = () => page.evaluate(() => (window as unknown as { odpShown: string[] }).odpShown);
  await visit('/blocklist');
  expect(await page.evaluate(() => (window as unknown as { odpAsked: () => number }).odpAsked())).toBe(0);
  const desktop = page.getByRole('switch', { name: 'Desktop notification' });
  await desktop.click();
  await expect(page.getByText(/does not let this page notify/)).toBeVisible();
  await expect(desktop).not.toBeChecked();
  await desktop.click();
  await expect(desktop).toBeChecked();
  await fault({ fault: 'stop', server: 'zone2' });
  await expect
    .poll(shown)
    .toEqual([`${await addressOf('zone2')} is listed|obdemo ${await addressOf('zone2')}: Detection`]);
});

test.describe('someone who may only look', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test('case B111 sees everything and can change nothing', async ({ page, visit, baseURL }) => {
    addViewer('watcher');
    await signInAs(page, 'watcher');
    await visit('/blocklist');
    await fault({ fault: 'stop', server: 'zone2' });
    await expect(headline(page)).toContainText('1 of 5 servers is listed');
    await expect(toggle(page)).toBeDisabled();
    await expect(setting(page, 'congestion_fail_window')).toHaveCount(0);
    await expect(page.locator('[data-setting="congestion_fail_window"]')).toContainText('120s');
    await expect(page.getByRole('button', { name: /^Release 127/ })).toHaveCount(0);
    await expectAccessible(page);
    const answer = await page.request.post('/api/blocklist/release', {
      headers: { origin: baseURL ?? '' },
      data: { cluster: 'obdemo', server: await addressOf('zone2'), list: null, reason: 'because I can' },
    });
    expect(answer.status()).toBe(403);
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [device, viewport] of [
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    test.describe(`${colorScheme}, ${device}`, () => {
      test.use({ colorScheme, viewport });

      test('listed servers and open evidence keep to WCAG A and AA and fit the width', async ({ page, visit }) => {
        const address = await addressOf('zone5');
        await visit('/blocklist');
        await fault({ fault: 'stop', server: 'zone5' });
        await expect(card(page, address)).toHaveAttribute('data-listed', 'true');
        await card(page, address).getByRole('button', { name: 'Details' }).click();
        await expect(events(page).first()).toContainText('Listed');
        await events(page).first().getByRole('button').click();
        await expectAccessible(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
      });
    });
  }
}
