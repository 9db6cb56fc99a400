import type { Page } from '@playwright/test';
import { signedInFile } from './support/product.ts';
import { cancelReverts } from './support/reverts.ts';
import { asProxyAdmin, shownValue } from './support/sql.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const confirm = (page: Page) => page.getByRole('dialog', { name: /^Apply/ });
const reverts = (page: Page) => page.getByRole('region', { name: 'Goes back by itself' });

async function review(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Review/ }).click();
  await expect(confirm(page).getByLabel('Reason')).toBeFocused();
}

async function apply(page: Page, reason: string): Promise<void> {
  await confirm(page).getByLabel('Reason').fill(reason);
  await confirm(page).getByRole('button', { name: 'Apply' }).click();
  await expect(confirm(page)).toBeHidden();
}

test.afterEach(async ({ page }) => {
  await cancelReverts(page.request);
  await asProxyAdmin(
    "ALTER PROXYCONFIG SET enable_congestion = 'True'",
    "ALTER PROXYCONFIG SET congestion_fail_window = '120s'",
    'ALTER PROXYCONFIG SET congestion_failure_threshold = 5',
    "ALTER PROXYCONFIG SET proxy_idc_name = ''",
  );
});

test('case B102 what is applied is what was listed: the draft of somebody else stays a draft', async ({
  page,
  visit,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ storageState: signedInFile, ...(baseURL ? { baseURL } : {}) });
  const other = await context.newPage();
  await other.goto('/configuration');
  await expectLive(other);
  await field(other, 'congestion_fail_window').fill('60s');
  await visit('/configuration');
  await field(page, 'congestion_failure_threshold').fill('7');
  await review(page);
  await expect(confirm(page).locator('[data-change]')).toHaveCount(1);
  await expect(confirm(page).locator('[data-change]')).toHaveAttribute('data-change', 'congestion_failure_threshold');
  await apply(page, 'mine alone');
  await expect(page.getByText(/In force in (the worker|all \d+ workers)/)).toBeVisible();
  expect(await shownValue('congestion_failure_threshold')).toBe('7');
  expect(await shownValue('congestion_fail_window')).toBe('120s');
  await expect(field(other, 'congestion_fail_window')).toHaveValue('60s');
  await expect(field(other, 'congestion_failure_threshold')).toHaveValue('7');
  await context.close();
});

test('what a change does to blocklists and routes is shown before it is made', async ({ page, visit }) => {
  await visit('/configuration');
  await field(page, 'congestion_failure_threshold').fill('1000');
  await field(page, 'proxy_idc_name').fill('idc2');
  await review(page);
  await expect(confirm(page).getByRole('region', { name: 'What if' })).toContainText(/last 6 hours/);
  const route = confirm(page).getByRole('region', { name: 'Route' });
  await expect(route.getByRole('status')).toContainText(/127\.0\.0\.\d+:\d+/);
  await route.getByLabel('Statement').fill('SELECT /*+ READ_CONSISTENCY(WEAK) */ * FROM trade.customers WHERE id = 7');
  await expect(route.getByRole('status')).toContainText(/weak-read.*weak-read.*candidates? moved in its order/s);
  await expectAccessible(page);
  await confirm(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(await shownValue('congestion_failure_threshold')).toBe('5');
});

test('a change goes back by itself: time left, and the way to let it stay', async ({ page, visit }) => {
  await visit('/configuration');
  await page.getByRole('switch', { name: 'enable_congestion' }).click();
  await review(page);
  await confirm(page).getByLabel('Goes back by itself').selectOption('after 30 minutes');
  await apply(page, 'maintenance of zone 2');
  const planned = reverts(page).locator('[data-revert="enable_congestion"]');
  await expect(planned).toContainText(/True in 29 min \d+ s .*asked by admin: maintenance of zone 2/);
  await page.reload();
  await planned.getByRole('button', { name: 'Let it stay …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Let enable_congestion stay' });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('it takes longer');
  await dialog.getByRole('button', { name: 'Let it stay' }).click();
  await expect(reverts(page)).toHaveCount(0);
  expect((await shownValue('enable_congestion')).toLowerCase()).toBe('false');
  await visit('/history?q=action:revert.cancel');
  await expect(page.locator('[data-history]').first()).toContainText('it takes longer');
});

test('what somebody else has changed meanwhile is said to be left alone, at once', async ({ page, visit }) => {
  await visit('/configuration');
  await field(page, 'congestion_fail_window').fill('60s');
  await review(page);
  await confirm(page).getByLabel('Goes back by itself').selectOption('after 5 minutes');
  await apply(page, 'a try');
  const planned = reverts(page).locator('[data-revert="congestion_fail_window"]');
  await expect(planned.getByTestId('time-left')).toContainText(/in 4 min/);
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '90s'");
  await expect(planned).toContainText('changed since: will be left alone');
});

test('any parameter is two keys away, with all that is known of it', async ({ page, visit }) => {
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '60s'");
  await visit('/');
  await page.keyboard.press('/');
  const palette = page.getByRole('dialog', { name: 'Find a page, a parameter or an action' });
  await expect(palette).toBeVisible();
  await page.keyboard.type('cfw');
  const facts = palette.getByRole('region', { name: 'About congestion_fail_window' });
  await expect(facts).toContainText(/time in s\s*\[1s,1h\]\s*default 120s\s*modified\s*works at once/);
  await expect(facts).toContainText(/Changed last by root@proxysys.* at \d{4}-/);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/configuration\?q=name(:|%3A)congestion_fail_window$/);
  await expect(page.locator('[data-parameter]')).toHaveCount(1);
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search parameters')).toBeFocused();
});
