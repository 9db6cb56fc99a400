/** Writes the pictures of the README. Runs only with ODP_SCREENSHOTS=1. */
import type { APIRequestContext, Page } from '@playwright/test';
import { parametersResponseSchema } from '../proxy/control/contract.ts';
import { addressOf, failUntil, fault } from './support/demo.ts';
import { guess, signedIn } from './support/people.ts';
import { product, signedInFile } from './support/product.ts';
import { asProxyAdmin, longStatement, shopClient } from './support/sql.ts';
import { expect, test } from './support/test.ts';
import { startTraffic, type Traffic } from './support/traffic.ts';
import { addUser, storedUser } from './support/viewer.ts';

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

const picture = (page: string, look: string) => ({
  path: `docs/images/${page}-${look}.png`,
  animations: 'disabled' as const,
});

let traffic: Traffic;

test.beforeAll(async ({ browser }) => {
  traffic = await startTraffic(6);
  const context = await browser.newContext({ baseURL: product().url, storageState: signedInFile });
  await changeThroughConsole(context.request, 'congestion_retry_interval', '30s', 'Node 3 needs longer to come back');
  await changeThroughConsole(context.request, 'congestion_retry_interval', '20s', 'Node 3 is back for good');
  await context.close();
  await asProxyAdmin(
    "ALTER PROXYCONFIG SET proxy_idc_name = 'idc1'",
    "ALTER PROXYCONFIG SET congestion_fail_window = '90s'",
  );
});
test.afterAll(async () => {
  await traffic.stop();
});

for (const { name, colorScheme, viewport } of looks) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport });

    test('overview', async ({ page, visit }) => {
      await visit('/');
      await expect(page.getByText(/[1-9]\d* req\/s/).first()).toBeVisible();
      await page.screenshot(picture('overview', name));
    });

    test('blocklist, calm and in trouble, and a change tried on the past', async ({ page, visit }) => {
      await asProxyAdmin('ALTER PROXYCONFIG SET server_detect_mode = 2');
      await visit('/blocklist');
      await expect(page.getByText('Nothing is listed')).toBeVisible();
      await page.screenshot(picture('blocklist-calm', name));
      await fault({ fault: 'error', server: 'zone3', errno: 4013 });
      const address = await addressOf('zone3');
      await failUntil(
        async () => (await page.locator(`[data-server="${address}"]`).getAttribute('data-listed')) === 'true',
        (key) => `SELECT name, city FROM customers WHERE id = ${key}`,
      );
      await fault({ fault: 'stop', server: 'zone5' });
      await expect(page.getByText('2 of 5 servers are listed')).toBeVisible();
      await expect(page.locator(`[data-event]`).first()).toContainText('detection');
      await page.screenshot(picture('blocklist', name));
      await page.locator('[data-event]').filter({ hasText: 'alive' }).first().getByRole('button').click();
      await page
        .locator('[data-event]')
        .first()
        .evaluate((row) => row.scrollIntoView({ block: 'center' }));
      await page.screenshot(picture('blocklist-evidence', name));
      await page.getByRole('textbox', { name: 'congestion_failure_threshold' }).fill('20');
      await page.getByRole('button', { name: 'What if …' }).click();
      await page.getByLabel('How far back').selectOption('last hour');
      await expect(page.getByText('With the new values')).toBeVisible();
      await page.getByLabel('Reason').fill('A single burst of memory errors is no reason to move traffic');
      await page.screenshot(picture('blocklist-what-if', name));
      await fault({ fault: 'clear' });
      await asProxyAdmin(
        'ALTER PROXYCONFIG SET congestion_failure_threshold = -1',
        'ALTER PROXYCONFIG SET congestion_failure_threshold = 5',
      );
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByText('Nothing is listed')).toBeVisible();
    });

    test('routing, and what a change moves', async ({ page, visit }) => {
      const question = { tenant: 'trade', database: 'trade', sql: 'SELECT name, city FROM customers WHERE id = 7' };
      await visit(
        `/routing?${new URLSearchParams({ ...question, consistency: 'weak', zonePolicy: '0', idc: 'idc1' })}`,
      );
      await expect(page.getByTestId('goes-to')).toContainText('goes to');
      await page.getByLabel('IDC').fill('idc3');
      await expect(page.getByRole('region', { name: 'What moved' })).toBeVisible();
      await page
        .getByTestId('goes-to')
        .evaluate((plan) => plan.closest('section')?.scrollIntoView({ block: 'center' }));
      await page.screenshot(picture('routing', name));
    });

    test('requests by zone, and the cached locations', async ({ page, visit }) => {
      await visit('/locations');
      await expect(page.getByTestId('hit-rate')).toContainText('%');
      await expect(page.locator('[data-location]').first()).toBeVisible();
      await page.screenshot(picture('locations', name));
      if (name === 'phone') await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('link', { name: 'Routing' }).first().click();
      const table = page.getByRole('table', { name: /^Requests of obdemo/ });
      await expect(table.getByRole('row')).toHaveCount(11);
      await table.evaluate((rows) => rows.scrollIntoView({ block: 'center' }));
      await page.screenshot(picture('load', name));
    });

    test('sessions, and one of them', async ({ page, visit }) => {
      await visit('/sessions?q=tenant:trade');
      await expect(page.locator('[data-session]').nth(5)).toBeVisible();
      await page.screenshot(picture('sessions', name));
      await page.locator('[data-session]').first().getByRole('link').click();
      await expect(page.locator('[data-statement]').nth(9)).toBeVisible();
      await page.screenshot(picture('session', name));
    });

    test('an upgrade under way, and somebody it waits for', async ({ page, visit }) => {
      test.slow();
      const report = await shopClient();
      const killed = expect(report.query(longStatement)).rejects.toThrow();
      await visit('/upgrade?order=upgrade');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('wait for somebody to commit or roll back').check();
      await dialog.getByLabel('Reason').fill('Rehearsal of the next version');
      await dialog.getByRole('button', { name: 'Upgrade', exact: true }).click();
      const now = page.getByTestId('headline');
      await expect(now).toContainText('Commit or rollback is awaited', { timeout: 60_000 });
      const waiting = page.locator('[data-waiting]');
      await expect(waiting).toHaveCount(1);
      await showTreeAs(page, '/opt/odp');
      await page.screenshot(picture('upgrade', name));
      await asProxyAdmin(`KILL ${await waiting.getAttribute('data-waiting')}`);
      await killed;
      await page.getByRole('button', { name: 'Roll back …' }).click();
      await dialog.getByLabel('Reason').fill('The rehearsal is over');
      await dialog.getByRole('button', { name: 'Roll back', exact: true }).click();
      await expect(now).toHaveAttribute('data-outcome', 'rolled back', { timeout: 60_000 });
    });

    test('the demo lab, with a server down and a zone that merges', async ({ page, visit }) => {
      test.slow();
      await visit('/lab');
      await page.getByRole('button', { name: 'Start for 5 min' }).click();
      await expect(page.locator('[data-kind="write"] [data-zone="zone2"]')).toBeVisible({ timeout: 30_000 });
      await page.getByRole('button', { name: 'Begin: A zone merges' }).click();
      await page.getByRole('button', { name: 'Begin: A server dies' }).click();
      await expect(page.locator('[data-listed~="detection"]')).toBeVisible({ timeout: 30_000 });
      for (const [kind, zone] of [
        ['write', 'zone2'],
        ['weak', 'zone4'],
      ])
        await expect(page.locator(`[data-kind="${kind}"] [data-zone="${zone}"]`)).toHaveCount(0, { timeout: 60_000 });
      await page.screenshot(picture('lab', name));
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByRole('button', { name: 'Reset all' }).click();
      await expect(page.getByText('Nothing is wrong.')).toBeVisible();
    });

    test('configuration, and a change to confirm', async ({ page, visit }) => {
      await visit('/configuration');
      await page.screenshot(picture('configuration', name));
      await page.getByRole('textbox', { name: 'congestion_retry_interval' }).fill('30s');
      await page.getByRole('textbox', { name: 'congestion_fail_window' }).fill('60s');
      await page.getByRole('button', { name: 'Review changes' }).click();
      await page.getByLabel('Reason').fill('Node 3 recovers within half a minute after the upgrade');
      await page.screenshot(picture('change', name));
    });

    test('history', async ({ page, visit }) => {
      await visit('/history');
      await page.screenshot(picture('history', name));
    });

    test('users', async ({ page, visit, browser, baseURL }) => {
      const people = { maria: 'dba', jonas: 'operator', otto: 'auditor', ines: 'viewer' } as const;
      for (const [person, role] of Object.entries(people)) addUser(person, role);
      const data = { name: 'kim', role: 'viewer', reason: 'Kim begins on Monday' };
      await page.request.post('/api/users', { headers: { origin: baseURL ?? '' }, data });
      const maria = await signedIn(browser, 'maria');
      if (storedUser('ines').lockedUntil === null) {
        for (let time = 0; time < 10; time += 1) await guess('ines', time < 5 ? '127.0.0.2' : '127.0.0.3');
      }
      await visit('/users');
      await expect(page.locator('[data-user="ines"]')).toHaveAttribute('data-state', 'locked');
      await page.screenshot(picture('users', name));
      await page.getByRole('button', { name: 'Details of maria' }).click();
      await expect(page.getByRole('list', { name: 'Log-ins' })).toContainText('127.0.0.1');
      await page.screenshot(picture('user', name));
      await maria.context().close();
    });
  });

  test.describe(`${name}, signed out`, () => {
    test.use({ colorScheme, viewport, storageState: { cookies: [], origins: [] } });

    test('login', async ({ page }) => {
      await page.goto('/login');
      await page.screenshot(picture('login', name));
    });
  });
}

async function changeThroughConsole(
  request: APIRequestContext,
  name: string,
  value: string,
  reason: string,
): Promise<void> {
  const { parameters } = parametersResponseSchema.parse(await (await request.get('/api/parameters')).json());
  const baseRevision = parameters.find((parameter) => parameter.name === name)?.revision;
  const answer = await request.post('/api/parameters', {
    headers: { origin: product().url },
    data: { changes: [{ name, value, baseRevision }], reason },
  });
  expect(answer.status()).toBe(200);
}

/** Where the tree lies on the machine that takes the pictures is of no interest to those who look at them. */
async function showTreeAs(page: Page, shown: string): Promise<void> {
  await page.evaluate(
    ([tree, other]) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.nodeValue?.includes(tree)) node.nodeValue = node.nodeValue.replaceAll(tree, other);
      }
    },
    [process.cwd(), shown] as const,
  );
}
