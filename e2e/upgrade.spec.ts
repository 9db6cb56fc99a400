import type { Browser, Page } from '@playwright/test';
import { upgradeStateSchema } from '../proxy/control/contract.ts';
import { aReport, Bench } from '../proxy/upgrade/testing-bench.ts';
import { chosenPassword, product, signedInFile } from './support/product.ts';
import { asProxyAdmin, longStatement, shopClient, shownValue } from './support/sql.ts';
import { StagedUpgrade } from './support/staged-upgrade.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';
import { addViewer } from './support/viewer.ts';

const headline = (page: Page) => page.getByTestId('headline');
const generation = (page: Page, role: string) => page.locator(`[data-generation][data-role="${role}"]`);
const dialog = (page: Page) => page.getByRole('dialog');

/** Fills in a reason and sends the order. */
async function order(page: Page, button: string, reason: string): Promise<void> {
  await dialog(page).getByLabel('Reason').fill(reason);
  await dialog(page).getByRole('button', { name: button, exact: true }).click();
  await expect(dialog(page)).toBeHidden();
}

async function activeGeneration(browser: Browser): Promise<number> {
  const context = await browser.newContext({ baseURL: product().url, storageState: signedInFile });
  const { generations } = upgradeStateSchema.parse(await (await context.request.get('/api/upgrade')).json());
  await context.close();
  return generations.find(({ role }) => role === 'active')?.id ?? 0;
}

test.describe('the real product', () => {
  // A process of it starts beside another one and is watched for ten seconds.
  test.slow();

  test('C17 is upgraded to the same tree and committed from the browser, with clients connected', async ({
    page,
    visit,
    browser,
  }) => {
    const before = await activeGeneration(browser);
    const [held, idle, busy] = [await shopClient(), await shopClient(), await shopClient()];
    await held.query('BEGIN');
    await held.query('SELECT * FROM orders WHERE id = 42 FOR UPDATE');
    const killed = expect(busy.query(longStatement)).rejects.toThrow();
    await visit('/upgrade');
    await expect(headline(page)).toContainText(`Generation ${before} serves`);
    await page.getByRole('button', { name: 'Upgrade …' }).click();
    await expect(page).toHaveURL(/order=upgrade/);
    await dialog(page).getByLabel('wait for somebody to commit or roll back').check();
    await expectAccessible(page);
    await order(page, 'Upgrade', 'Rehearsal of the upgrade');
    await expect(page.getByRole('navigation', { name: 'Pages' }).first()).toContainText('under way');
    await expect(headline(page)).toContainText('Commit or rollback is awaited', { timeout: 60_000 });
    // Who is idle goes over, and so does an open transaction; what runs is waited for, and told of.
    await expect(generation(page, 'standby')).toHaveAttribute('data-generation', String(before));
    await expect(generation(page, 'standby').getByTestId('sessions')).toHaveText('1');
    await expect(generation(page, 'active').getByTestId('sessions')).toHaveText('2');
    await held.query('COMMIT');
    const waiting = page.locator('[data-waiting]');
    await expect(waiting).toContainText('a request is being served');
    await asProxyAdmin(`KILL ${await waiting.getAttribute('data-waiting')}`);
    await killed;
    await expect(generation(page, 'standby').getByTestId('sessions')).toHaveText('0');
    await page.getByRole('button', { name: 'Commit …' }).click();
    await expect(dialog(page)).toContainText('Every session has gone over');
    await order(page, 'Commit', 'It works');
    await expect(headline(page)).toHaveAttribute('data-outcome', 'committed');
    await expect(page.locator('[data-generation]')).toHaveCount(1);
    await expect(page.getByRole('list', { name: 'Steps, newest first' })).toContainText('commit by admin');
    // Neither of them has noticed.
    for (const client of [held, idle]) {
      await client.query('SELECT 1');
      await client.end();
    }
    await page.getByRole('link', { name: 'All in the history' }).click();
    await expect(page.getByRole('cell', { name: 'Rehearsal of the upgrade' })).toBeVisible();
    await expect(page.getByRole('cell', { name: 'It works' })).toBeVisible();
  });

  test('C17 is rolled back from the browser: the generation before serves again', async ({ page, visit, browser }) => {
    const before = await activeGeneration(browser);
    await visit('/upgrade?order=restart');
    await dialog(page).getByLabel('wait for somebody to commit or roll back').check();
    await order(page, 'Restart', 'Only to see');
    await expect(headline(page)).toContainText('Commit or rollback is awaited', { timeout: 60_000 });
    await page.getByRole('button', { name: 'Roll back …' }).click();
    await order(page, 'Roll back', 'Seen');
    await expect(headline(page)).toHaveAttribute('data-outcome', 'rolled back', { timeout: 60_000 });
    await expect(generation(page, 'active')).toHaveAttribute('data-generation', String(before));
    await expect(page.getByRole('button', { name: 'Upgrade …' })).toBeEnabled();
  });

  test('a new number of workers is stored and put in force by a restart', async ({ page, visit }) => {
    const [most, byCores] = [await shownValue('work_thread_num'), await shownValue('automatic_match_work_thread')];
    await visit('/upgrade');
    await expect(page.getByText('No parameter waits for a restart.')).toBeVisible();
    await page.getByRole('button', { name: 'Change the number of workers …' }).click();
    await dialog(page).getByLabel('the number below, whatever the cores').check();
    await dialog(page).getByLabel('Workers').fill('0');
    await expect(dialog(page)).toContainText('Outside the range [1,128].');
    await dialog(page).getByLabel('Workers').fill('3');
    await order(page, 'Change and restart', 'Two cores more');
    await expect(page.locator('[data-pending="work_thread_num"]')).toBeVisible();
    await expect(headline(page)).toHaveAttribute('data-outcome', 'committed', { timeout: 80_000 });
    await expect(page.getByRole('region', { name: 'Workers' })).toContainText('3 now');
    await expect(page.getByText('No parameter waits for a restart.')).toBeVisible();
    await asProxyAdmin(
      `ALTER PROXYCONFIG SET work_thread_num = ${most}`,
      `ALTER PROXYCONFIG SET automatic_match_work_thread = ${byCores}`,
    );
    await expect(page.locator('[data-pending]')).toHaveCount(2);
    // What waits for a restart says so in the configuration as well, and leads here.
    await page.goto('/configuration?q=name:work_thread_num');
    const row = page.locator('[data-parameter="work_thread_num"]');
    await expect(row).toContainText('in force until the restart: 3');
    await row.getByRole('link', { name: 'Restart …' }).click();
    await expect(page).toHaveURL(/\/upgrade\?order=restart/);
    await expect(page.getByRole('dialog', { name: 'Restart the proxy' })).toBeVisible();
  });

  test('a viewer sees how things stand and can order nothing', async ({ browser }) => {
    addViewer('vera-upgrade');
    const context = await browser.newContext({ baseURL: product().url, storageState: { cookies: [], origins: [] } });
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByLabel('User name').fill('vera-upgrade');
    await page.getByLabel('Password').fill(chosenPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectLive(page);
    await page.goto('/upgrade?order=upgrade');
    await expect(headline(page)).toContainText('serves');
    await expect(page.getByRole('region', { name: 'Generations' })).toBeVisible();
    await expect(page.getByRole('button', { name: /…$/ })).toHaveCount(0);
    await expect(dialog(page)).toHaveCount(0);
    const headers = { origin: product().url };
    for (const path of ['start', 'commit', 'rollback']) {
      const data = { kind: 'upgrade', reason: 'just so' };
      expect((await page.request.post(`/api/upgrade/${path}`, { headers, data })).status()).toBe(403);
    }
    await context.close();
  });
});

test.describe('staged', () => {
  const report = aReport({ version: '4.3.6.1', workers: 2, clientSessions: 3, requests: 1_200, rssBytes: 90_000_000 });
  const waiting = [
    { id: 4711, user: 'shop@trade#obdemo', reason: 'its transaction is open', waitedMs: 312_000 },
    { id: 815, user: 'etl@trade#obdemo', reason: 'it holds a temporary table', waitedMs: 9_000 },
  ];

  test('shows whom it waits for, why and for how long; the search is in the address', async ({ page, visit }) => {
    const staged = await StagedUpgrade.on(page, Bench.moving({ hold: true }));
    await visit('/upgrade');
    await expect(headline(page)).toContainText('Sessions go over to generation 2');
    await staged.tell({
      type: 'report',
      generation: 1,
      report: { ...report, moved: 9, refused: 1, waiting, waitingTotal: 3 },
    });
    await expect(page.getByTestId('progress')).toHaveText('9 gone over, 3 sessions still to go');
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '75');
    await expect(page.getByText('1 could not be taken')).toBeVisible();
    const first = page.locator('[data-waiting]').first();
    await expect(first).toContainText(/4711\s*shop@trade#obdemo\s*its transaction is open\s*for 5 min 12 s/);
    await expect(page.getByText('The 2 that wait longest are shown.')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('/');
    await page.keyboard.type('temporary');
    await expect(page.locator('[data-waiting]')).toHaveCount(1);
    await expect(page).toHaveURL(/q=temporary/);
    await page.getByLabel('Search those that are waited for').fill('nobody');
    await expect(page.getByText('No session fits this search')).toBeVisible();
    // The next phase comes over the stream, and what happens next is said.
    await staged.live(6_000);
    await expect(headline(page)).toContainText('Commit or rollback is awaited');
    await expect(page.getByTestId('next')).toContainText(/Without a commit it is rolled back in 23 h 59 min/);
  });

  test('counts down to the commit, leaves, and closes what is left', async ({ page, visit }) => {
    const staged = await StagedUpgrade.on(page, Bench.moving());
    await visit('/upgrade?order=workers');
    await expect(dialog(page)).toContainText('A run is under way: it has to end first.');
    await page.keyboard.press('Escape');
    await staged.tell({ type: 'report', generation: 1, report });
    await staged.live(6_000);
    await expect(headline(page)).toContainText('Generation 2 is watched');
    await expect(page.getByTestId('next')).toContainText(/Committed by itself in \d s, unless something is wrong/);
    await expect(page.locator('[data-phase="watch"][data-state="now"]')).toBeVisible();
    await staged.live(10_000);
    await expect(headline(page)).toContainText('Generation 1 leaves');
    await expect(page.getByTestId('next')).toContainText(/Sessions that are left are closed in \d+ s/);
    await expect(page.getByRole('button', { name: 'Commit …' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Roll back …' })).toBeDisabled();
  });

  test('case B92 says what failed, how many attempts are left, and when it was given up', async ({ page, visit }) => {
    const staged = await StagedUpgrade.on(page, Bench.serving({ failureRetries: 2 }));
    await visit('/upgrade');
    await expect(headline(page)).toContainText('It has not been replaced since the proxy was started');
    await page.getByRole('button', { name: 'Upgrade …' }).click();
    await dialog(page).getByLabel('Directory').fill('opt');
    await expect(dialog(page)).toContainText('Write the whole path, from / on.');
    await expect(dialog(page).getByRole('button', { name: 'Upgrade', exact: true })).toBeDisabled();
    await dialog(page).getByLabel('Directory').fill('/opt/odp-2');
    await dialog(page).getByLabel('MD5 of the tree').fill('0123456789abcdef0123456789ABCDEF');
    await order(page, 'Upgrade', 'Version 2');
    await expect(headline(page)).toContainText('Generation 2 starts and tests itself');
    await expect(page.getByText('/opt/odp-2').first()).toBeVisible();
    await staged.tell({ type: 'ended', generation: 2, how: 'code 1' });
    await expect(headline(page)).toContainText('The next attempt is about to begin');
    await expect(headline(page)).toContainText('One attempt has failed. One attempt is left.');
    await expectAccessible(page);
    staged.bench.pass(1_000);
    await staged.tell({ type: 'ended', generation: 3, how: 'code 1' });
    await expect(headline(page)).toHaveAttribute('data-outcome', 'given up');
    await expect(headline(page)).toContainText('no new generation after 2 attempts');
    await expect(page.getByRole('button', { name: 'Upgrade …' })).toBeEnabled();
    await expectAccessible(page);
  });

  test('a decision that somebody else has taken meanwhile is refused, or not offered any more', async ({
    page,
    visit,
  }) => {
    const staged = await StagedUpgrade.on(page, Bench.moving({ hold: true }));
    await visit('/upgrade?order=commit');
    await dialog(page).getByLabel('Reason').fill('It works');
    // The page has not heard of it yet.
    staged.bench.tell({ type: 'rollback', by: 'ben', source: 'console', reason: 'It does not' });
    await dialog(page).getByRole('button', { name: 'Commit', exact: true }).click();
    await expect(dialog(page).getByRole('alert').first()).toBeVisible();
    await expect(dialog(page)).toContainText('It is decided already.');
    await expect(dialog(page).getByRole('button', { name: 'Commit', exact: true })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(headline(page)).toContainText('Everything goes back to generation 1');
    await expect(page).not.toHaveURL(/order=/);
  });

  test('nobody serves: it says so, and offers nothing', async ({ page, visit }) => {
    const staged = await StagedUpgrade.on(page, Bench.serving());
    await visit('/upgrade');
    await staged.tell({ type: 'ended', generation: 1, how: 'SIGKILL' });
    await expect(headline(page)).toContainText('No generation serves just now');
    await expect(page.getByRole('button', { name: 'Upgrade …' })).toBeDisabled();
  });

  test('what cannot be read is said, and what was last seen stays', async ({ page, visit }) => {
    const staged = await StagedUpgrade.on(page, Bench.serving());
    await visit('/upgrade');
    await page.route('**/api/upgrade', (route) => route.abort());
    await page.evaluate(() =>
      window.dispatchEvent(
        new CustomEvent('staged', { detail: { type: 'hello', at: new Date().toISOString(), version: '1' } }),
      ),
    );
    await expect(page.getByText('The state cannot be read just now')).toBeVisible({ timeout: 20_000 });
    await expect(headline(page)).toContainText('Generation 1 serves');
    await page.route('**/api/upgrade', (route) => route.fulfill({ json: staged.view() }));
    await staged.push();
    await expect(page.getByText('The state cannot be read just now')).toBeHidden();
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme}, phone`, () => {
    test.use({ colorScheme, viewport: { width: 390, height: 844 } });

    test('a run under way fits the width and keeps to WCAG A and AA', async ({ page, visit }) => {
      const staged = await StagedUpgrade.on(page, Bench.moving({ hold: true }));
      await visit('/upgrade');
      const user = `${'long'.repeat(20)}@trade#obdemo`;
      const waiting = [{ id: 4711, user, reason: 'its transaction is open', waitedMs: 1_000 }];
      await staged.tell({
        type: 'report',
        generation: 1,
        report: aReport({ clientSessions: 1, waiting, waitingTotal: 1 }),
      });
      await expect(page.locator('[data-waiting]')).toBeVisible();
      await expectAccessible(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await page.getByRole('button', { name: 'Commit …' }).click();
      await expect(dialog(page)).toContainText('1 session has not gone over yet');
      await expectAccessible(page);
    });
  });
}

test('the page is reached by keyboard and palette', async ({ page, visit }) => {
  await visit('/');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await expect(page).toHaveURL(/\/upgrade$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('upgrade');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(dialog(page)).toContainText('Go to Upgrade');
});
