import type { Page } from '@playwright/test';
import { clearLists, detectAsUsual, detectQuickly } from './support/blocklists.ts';
import { addressOf, fault } from './support/demo.ts';
import { chosenPassword, product } from './support/product.ts';
import { asProxyAdmin } from './support/sql.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';
import { addViewer } from './support/viewer.ts';

const scenario = (page: Page, name: string) => page.locator(`[data-scenario="${name}"]`);
const server = (page: Page, address: string) => page.locator(`[data-lab-server="${address}"]`);
const zoneOf = (page: Page, kind: string, zone: string) => page.locator(`[data-kind="${kind}"] [data-zone="${zone}"]`);
const failures = (page: Page, kind: string) => page.locator(`[data-kind="${kind}"] td`).nth(1);
const number = (page: Page, name: string) => page.locator(`[data-load-number="${name}"]`);

/** Numbers that say where statements went are of the last ten seconds. */
const moved = { timeout: 30_000 };

async function startLoad(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start for 5 min' }).click();
  for (const zone of ['zone1', 'zone2', 'zone3']) await expect(zoneOf(page, 'write', zone)).toBeVisible(moved);
  for (const zone of ['zone4', 'zone5']) await expect(zoneOf(page, 'weak', zone)).toBeVisible(moved);
}

async function begin(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Begin: ${title}` }).click();
  await expect(page.getByRole('button', { name: `Undo: ${title}` })).toBeVisible();
}

async function undo(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Undo: ${title}` }).click();
  await expect(page.getByRole('button', { name: `Begin: ${title}` })).toBeVisible();
}

test.beforeEach(async () => {
  await asProxyAdmin(...detectQuickly, "ALTER PROXYCONFIG SET server_state_refresh_interval = '1s'");
});

test.afterEach(async ({ page }) => {
  const headers = { origin: product().url };
  await page.request.post('/api/demo/load', { headers, data: { minutes: 0 } });
  await fault({ fault: 'clear' });
  await fault({ fault: 'spreadLeaders' });
  await clearLists(page);
});

test.afterAll(async () => {
  await asProxyAdmin(...detectAsUsual, "ALTER PROXYCONFIG SET server_state_refresh_interval = '20s'");
});

test('B9 C14 a server is stopped in the browser: it comes on the blocklist, and the running load goes on without it', async ({
  page,
  visit,
}) => {
  const address = await addressOf('zone2');
  await visit('/lab');
  await startLoad(page);
  await page.getByLabel('Reason (optional)').fill('to see who takes over');
  await begin(page, 'A server dies');
  await expect(page.locator(`[data-fault="stop"][data-target="${address}"]`)).toBeVisible();
  await expect(server(page, address)).toHaveAttribute('data-listed', /detection/);
  await expect(page.locator('[data-lab-event]').first()).toContainText(address);
  await expect(zoneOf(page, 'write', 'zone2')).toHaveCount(0, moved);
  await expect(zoneOf(page, 'read', 'zone2')).toHaveCount(0, moved);
  await expect(zoneOf(page, 'write', 'zone1')).toBeVisible();
  // Reads are done again elsewhere. A write that was under way at that moment is lost, and its client told: nothing else fails.
  await expect(failures(page, 'read')).toHaveText('0');
  await expect(failures(page, 'weak')).toHaveText('0');
  const lost = Number(await failures(page, 'write').textContent());
  const told = page.getByRole('region', { name: 'Last failures' }).getByRole('listitem');
  await expect(told).toHaveCount(lost);
  for (const text of await told.allTextContents()) expect(text).toContain(address);
  await undo(page, 'A server dies');
  await expect(server(page, address)).toHaveAttribute('data-listed', '');
  await expect(page.locator('[data-lab-event]').first()).toHaveAttribute('data-lab-event', 'released');
  await expect(zoneOf(page, 'write', 'zone2')).toBeVisible(moved);
  await expect(number(page, 'failed')).toHaveText(String(lost));
  await page.goto('/history?q=action:demo.fault');
  await expect(page.getByText(`stop ${address}`).first()).toBeVisible();
  await expect(page.getByText('to see who takes over').filter({ visible: true }).first()).toBeVisible();
});

test('R13 a zone merges: weak reads leave it, nothing fails and nothing is listed', async ({ page, visit }) => {
  await visit('/lab');
  await startLoad(page);
  await begin(page, 'A zone merges');
  await expect(page.getByRole('button', { name: 'Merge of zone4' })).toHaveAttribute('aria-pressed', 'true');
  await expect(zoneOf(page, 'weak', 'zone4')).toHaveCount(0, moved);
  await expect(zoneOf(page, 'weak', 'zone5')).toBeVisible();
  await expect(page.locator('[data-lab-server]:not([data-listed=""])')).toHaveCount(0);
  await undo(page, 'A zone merges');
  await expect(zoneOf(page, 'weak', 'zone4')).toBeVisible(moved);
  await expect(number(page, 'failed')).toHaveText('0');
});

test('C13 a leader moves: writes and strong reads go there, nothing fails', async ({ page, visit }) => {
  await visit('/lab');
  await startLoad(page);
  await begin(page, 'A leader moves');
  await expect(zoneOf(page, 'write', 'zone1')).toHaveCount(0, moved);
  await expect(zoneOf(page, 'read', 'zone1')).toHaveCount(0, moved);
  await expect(zoneOf(page, 'write', 'zone3')).toBeVisible();
  await undo(page, 'A leader moves');
  await expect(zoneOf(page, 'write', 'zone1')).toBeVisible(moved);
  await expect(number(page, 'failed')).toHaveText('0');
  // The same by hand: from one server to another.
  const address = await addressOf('zone2');
  await page.getByLabel(`Move the leaders of ${address} to`).selectOption({ label: 'zone1' });
  await expect(server(page, address)).toContainText('0 leaders');
  await page.getByRole('button', { name: 'Send leaders back' }).click();
  await expect(server(page, address)).not.toContainText('0 leaders');
});

test('C16 the network of a region is cut: its servers are listed, weak reads go to the other one, and come back', async ({
  page,
  visit,
}) => {
  const addresses = [await addressOf('zone4'), await addressOf('zone5')];
  await visit('/lab');
  await startLoad(page);
  await begin(page, 'A network cut of a region');
  for (const address of addresses) {
    await expect(server(page, address)).toHaveAttribute('data-listed', /detection/, moved);
    await expect(server(page, address).getByRole('button', { name: 'Cut off' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  }
  await expect(zoneOf(page, 'weak', 'zone4')).toHaveCount(0, moved);
  await expect(zoneOf(page, 'weak', 'zone5')).toHaveCount(0, moved);
  await expect(zoneOf(page, 'weak', 'zone1')).toBeVisible();
  await undo(page, 'A network cut of a region');
  for (const address of addresses) await expect(server(page, address)).toHaveAttribute('data-listed', '', moved);
  await expect(zoneOf(page, 'weak', 'zone4')).toBeVisible(moved);
  // Strong reads and writes have nothing to do with that region.
  await expect(failures(page, 'write')).toHaveText('0');
  await expect(failures(page, 'read')).toHaveText('0');
});

test('faults outlast the page, whoever began them, and a reset ends them all', async ({ page, visit }) => {
  const address = await addressOf('zone5');
  await visit('/lab');
  await expect(page.getByText('Nothing is wrong.')).toBeVisible();
  const switches = server(page, address).getByRole('group', { name: `Faults of ${address}` });
  // By keyboard: they are buttons like any other.
  for (const name of ['Frozen', 'Slow', 'Refusing', 'Failing']) {
    const button = switches.getByRole('button', { name });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(button).toHaveAttribute('aria-pressed', 'true');
  }
  await page.getByRole('button', { name: 'Rolling merge', exact: true }).click();
  await fault({ fault: 'inService', server: 'zone3', inService: false });
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/\/lab$/);
  await expect(page.locator('[data-fault]')).toHaveCount(6);
  await page.getByRole('button', { name: `End: Slow of ${address}` }).click();
  await expect(page.locator('[data-fault]')).toHaveCount(5);
  await expect(switches.getByRole('button', { name: 'Slow' })).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('button', { name: 'Reset all' }).click();
  await expect(page.getByText('Nothing is wrong.')).toBeVisible();
  await expect(switches.getByRole('button', { pressed: true })).toHaveCount(0);
});

test('what cannot be done is told, and what was last seen stays', async ({ page, visit }) => {
  const address = await addressOf('zone5');
  await visit('/lab');
  await page.route('**/api/demo/faults', (route) => route.abort());
  await server(page, address).getByRole('button', { name: 'Stopped' }).click();
  await expect(page.getByText('It was not done')).toBeVisible();
  await page.route('**/api/demo', (route) => route.abort());
  await expect(page.getByText('The demo cluster cannot be read just now')).toBeVisible({ timeout: 20_000 });
  await expect(server(page, address)).toBeVisible();
});

test.describe('a viewer', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test('watches, and gets no controls', async ({ page }) => {
    addViewer('lab-viewer');
    await page.goto('/login');
    await page.getByLabel('User name').fill('lab-viewer');
    await page.getByLabel('Password').fill(chosenPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectLive(page);
    await page.goto('/lab');
    await expectLive(page);
    await expect(page.getByText('Your role may watch, but break nothing.')).toBeVisible();
    await expect(scenario(page, 'serverDies')).toContainText('A server dies');
    await expect(page.locator('#content').getByRole('button')).toHaveCount(0);
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme}, phone`, () => {
    test.use({ colorScheme, viewport: { width: 390, height: 844 } });

    test('a broken cluster under load fits the width and keeps to WCAG A and AA', async ({ page, visit }) => {
      await fault({ fault: 'stop', server: 'zone2' });
      await fault({ fault: 'partition', region: 'HANGZHOU', cut: true });
      await fault({ fault: 'rollingMerge', perZoneMs: 60_000 });
      await visit('/lab');
      await page.getByRole('button', { name: 'Start for 5 min' }).click();
      await expect(page.locator('[data-kind="weak"] [data-zone]').first()).toBeVisible(moved);
      await expect(page.locator('[data-lab-event="listed"]').first()).toBeVisible(moved);
      await expectAccessible(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  });
}
