import type { Page } from '@playwright/test';
import { addressOf, fault } from './support/demo.ts';
import { asProxyAdmin } from './support/sql.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';
import { startTraffic } from './support/traffic.ts';

const read = 'SELECT * FROM customers WHERE id = 7';
const address = (settings: Record<string, string>) =>
  `/routing?${new URLSearchParams({ tenant: 'trade', database: 'trade', ...settings })}`;
const goesTo = (page: Page) => page.getByTestId('goes-to');
const candidate = (page: Page, server: string) => page.locator(`[data-candidate="${server}"]`);
const onMap = (page: Page, server: string) => page.locator(`[data-map-server="${server}"]`);

test('a pasted statement gets its plan: facts, map and candidates with reasons', async ({ page, visit }) => {
  await visit('/routing');
  await expect(page.getByText('Paste a statement to see where it goes')).toBeVisible();
  await page.getByLabel('Database').fill('trade');
  await page.getByLabel('Statement', { exact: true }).fill(read);
  await expect(goesTo(page)).toContainText('goes to');
  await expect(page.getByText('trade.customers')).toBeVisible();
  const order = page.getByRole('list', { name: 'Candidates in order' }).getByRole('listitem');
  // A strong read keeps to the read-write zones.
  await expect(order).toHaveCount(3);
  await expect(order.first()).toContainText('leader');
  await expect(order.first()).toContainText('goes here');
  await expect(page.getByRole('img', { name: /^Map of obdemo/ })).toBeVisible();
  await expect(page.locator('[data-target="true"]')).toHaveCount(1);
  await expectAccessible(page);
});

test('says what is missing when a table is named and no database is chosen', async ({ page, visit }) => {
  await visit(address({ sql: read, database: '' }));
  await expect(page.getByText('No database is chosen, and customers is named without one')).toBeVisible();
  await page.getByLabel('Database').fill('trade');
  await expect(page.getByText('trade.customers')).toBeVisible();
});

test('the address carries statement and settings, so that a plan can be handed on', async ({ page, visit }) => {
  await visit(address({ sql: read, consistency: 'weak', idc: 'idc3' }));
  await expect(page.getByLabel('Statement', { exact: true })).toHaveValue(read);
  await expect(page.getByLabel('IDC')).toHaveValue('idc3');
  await expect(goesTo(page)).toContainText(/1 equal/);
  await expect(page.getByRole('definition').filter({ hasText: /^weak/ })).toBeVisible();
  await page.getByLabel('IDC').fill('idc1');
  await expect(page).toHaveURL(/idc=idc1/);
});

test('changing one setting shows what moves, with the plan before beside it, and goes back', async ({
  page,
  visit,
}) => {
  const [zone1, zone4] = [await addressOf('zone1'), await addressOf('zone4')];
  await visit(address({ sql: read, consistency: 'weak', zonePolicy: '0', idc: 'idc1' }));
  await expect(candidate(page, zone1)).toContainText('goes here');
  await page.getByLabel('IDC').fill('idc3');
  const moved = page.getByRole('region', { name: 'What moved' });
  await expect(moved).toContainText(/idc1\s*→\s*idc3/);
  await expect(moved).toContainText('candidates moved');
  await expect(candidate(page, zone4)).toContainText('goes here');
  await expect(candidate(page, zone4)).toContainText(/up, was \d/);
  await expect(candidate(page, zone1)).toContainText(/down, was \d/);
  await expect(onMap(page, zone1)).toContainText('went here');
  await expect(page.getByRole('region', { name: 'Plan before' }).getByRole('listitem')).toHaveCount(5);
  await expectAccessible(page);
  await moved.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('IDC')).toHaveValue('idc1');
  await expect(candidate(page, zone1)).toContainText('goes here');
});

test('a blocklisted server is shown left out, on the map and in the list', async ({ page, visit }) => {
  const zone4 = await addressOf('zone4');
  await asProxyAdmin('ALTER PROXYCONFIG SET server_detect_mode = 2');
  await visit(address({ sql: read, consistency: 'weak', idc: 'idc3' }));
  await fault({ fault: 'stop', server: 'zone4' });
  await expect(candidate(page, zone4)).toContainText('left out', { timeout: 45_000 });
  await expect(onMap(page, zone4)).toContainText('left out');
  await expect(goesTo(page)).toContainText(await addressOf('zone5'));
  await fault({ fault: 'clear' });
  await expect(candidate(page, zone4)).not.toContainText('left out', { timeout: 45_000 });
});

test('a session’s own settings can be asked about; what is wrong is said', async ({ page, visit }) => {
  const traffic = await startTraffic(1);
  await visit(address({ sql: read }));
  const sessions = page.getByLabel('As sent by');
  await expect(sessions.locator('option').nth(1)).toContainText('root@trade');
  await sessions.selectOption({ index: 1 });
  await expect(page.getByText('Its own settings count')).toBeVisible();
  await expect(goesTo(page)).toContainText('goes to');
  await traffic.stop();
  await page.goto(address({ sql: read, tenant: 'nobody' }));
  await expect(page.getByText(/tenant 'nobody' in cluster 'obdemo'/)).toBeVisible();
  await page.goto(address({ sql: 'SHOW PROXYSESSION' }));
  await expect(page.getByText('The proxy answers this statement itself')).toBeVisible();
});

test('case B113 markup in statements, tables and zones stays text', async ({ page, visit }) => {
  const evil = '<img src=x onerror="document.title=\'owned\'">';
  await page.route('**/api/routing/explain', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const one of body.plan.candidates) Object.assign(one, { zone: evil, region: evil, reason: evil });
    await route.fulfill({ response: answer, json: body });
  });
  await visit(address({ sql: `SELECT '${evil}' FROM \`${evil}\`` }));
  await expect(page.getByText(evil).first()).toBeVisible();
  expect(await page.title()).not.toContain('owned');
  expect(await page.locator('img[src="x"]').count()).toBe(0);
});

test('requests by zone and server, live', async ({ page, visit }) => {
  const traffic = await startTraffic(2);
  await visit('/routing');
  const zone = page.locator('[data-load="zone1"]');
  await expect(zone.getByRole('img', { name: /^zone1: \d+ % of the requests/ })).toBeVisible();
  await expect(page.getByRole('table', { name: /^Requests of obdemo/ }).getByRole('row')).toHaveCount(11);
  await traffic.stop();
});

test('cached locations: filtered in the address, refreshed and kept in the history', async ({ page, visit }) => {
  await visit(address({ sql: read }));
  await expect(goesTo(page)).toContainText('goes to');
  await page.keyboard.press('Tab');
  await visit('/locations?q=trade.customers');
  const row = page.locator('[data-location="trade.customers"]');
  await expect(row).toContainText(/\d+\.\d+\.\d+\.\d+:\d+/);
  await expect(row).toContainText('Known');
  await row.getByRole('button', { name: 'Fetch trade.customers anew' }).click();
  await expect(page.getByText(/trade\.customers: leader/)).toBeVisible();
  await expect(page.getByTestId('hit-rate')).toContainText('told from memory');
  await page.getByLabel('State').selectOption('missing');
  await expect(page).toHaveURL(/state=missing/);
  await expect(page.getByText('No cached location fits this filter')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/history?q=action:location.refresh');
  await expect(page.getByText('obdemo trade trade.customers').first()).toBeVisible();
});

test('both pages are reached by keyboard and palette', async ({ page, visit }) => {
  await visit('/');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page.getByRole('heading', { level: 1, name: 'Routing' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await expect(page.getByRole('heading', { level: 1, name: 'Locations' })).toBeVisible();
  await expectLive(page);
  await page.keyboard.press('?');
  await expect(page.getByText('Go to Locations')).toBeVisible();
});
