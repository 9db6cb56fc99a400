import type { Page } from '@playwright/test';
import { makeDeaf } from './support/deaf.ts';
import { asProxyAdmin, proxyAdmin, shownValue } from './support/sql.ts';
import { expect, expectAccessible, test } from './support/test.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const row = (page: Page, name: string) => page.locator(`[data-parameter="${name}"]`);
const bar = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: 'not yet applied' });
const confirm = (page: Page) => page.getByRole('dialog', { name: /^Apply/ });

async function apply(page: Page, reason: string): Promise<void> {
  await page.getByRole('button', { name: /^Review/ }).click();
  await confirm(page).getByLabel('Reason').fill(reason);
  await confirm(page).getByRole('button', { name: 'Apply' }).click();
}

test.afterEach(async () => {
  await asProxyAdmin(
    "ALTER PROXYCONFIG SET congestion_fail_window = '120s'",
    "ALTER PROXYCONFIG SET congestion_retry_interval = '20s'",
    'ALTER PROXYCONFIG SET congestion_failure_threshold = 5',
    "DELETE FROM proxy_config WHERE config_level <> 'LEVEL_GLOBAL'",
  );
});

test('changes several parameters in one go, with the diff and a reason', async ({ page, visit }) => {
  await visit('/configuration');
  await field(page, 'congestion_fail_window').fill('60s');
  await field(page, 'congestion_failure_threshold').fill('7');
  await expect(bar(page)).toContainText('2 changes not yet applied');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const items = confirm(page).getByRole('list', { name: 'Changes' }).getByRole('listitem');
  await expect(items).toHaveCount(2);
  await expect(items.nth(0)).toContainText(/congestion_fail_window.*old: 120s.*new: 60s/s);
  await expect(confirm(page).getByRole('button', { name: 'Apply' })).toBeDisabled();
  await expect(confirm(page).getByLabel('Reason')).toBeFocused();
  await expectAccessible(page);
  await confirm(page).getByLabel('Reason').fill('fewer false alarms');
  await confirm(page).getByRole('button', { name: 'Apply' }).click();
  await expect(confirm(page)).toBeHidden();
  expect(await shownValue('congestion_fail_window')).toBe('60s');
  expect(await shownValue('congestion_failure_threshold')).toBe('7');
  await expect(row(page, 'congestion_fail_window').getByText('modified')).toBeVisible();
});

test('B117 going back to the old text leaves nothing to send', async ({ page, visit }) => {
  await visit('/configuration');
  await field(page, 'congestion_fail_window').fill('60s');
  await expect(bar(page)).toContainText('1 change not yet applied');
  await field(page, 'congestion_fail_window').fill('120s');
  await expect(bar(page)).toHaveCount(0);
});

test('tells what is wrong with a value before it is sent', async ({ page, visit }) => {
  await visit('/configuration');
  const review = page.getByRole('button', { name: 'Review change' });
  for (const [value, reason] of [
    ['2h', 'Outside the range [1s,1h].'],
    ['soon', /number with a unit/],
    ['20 s', 'Blanks are not allowed.'],
  ] as const) {
    await field(page, 'congestion_retry_interval').fill(value);
    await expect(row(page, 'congestion_retry_interval').getByRole('alert')).toHaveText(reason);
    await expect(review).toBeDisabled();
  }
  await expectAccessible(page);
  await field(page, 'congestion_retry_interval').fill('30m');
  await expect(review).toBeEnabled();
});

test('an ALTER PROXYCONFIG by a MySQL client shows within a second', async ({ page, visit }) => {
  await visit('/configuration');
  const connection = await proxyAdmin();
  try {
    await connection.query("ALTER PROXYCONFIG SET congestion_fail_window = '45s'");
    await expect(field(page, 'congestion_fail_window')).toHaveValue('45s', { timeout: 1_000 });
  } finally {
    await connection.end();
  }
});

test('case B101 a change by somebody else under an open edit is shown, and the reader decides', async ({
  page,
  visit,
}) => {
  await visit('/configuration');
  await field(page, 'congestion_fail_window').fill('300s');
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '60s'");
  const note = row(page, 'congestion_fail_window').getByRole('alert');
  await expect(note).toContainText(/root.* set this to 60s .*Yours is 300s/);
  await expectAccessible(page);
  await note.getByRole('button', { name: 'Keep mine' }).click();
  await apply(page, 'mine after all');
  await expect(confirm(page)).toBeHidden();
  expect(await shownValue('congestion_fail_window')).toBe('300s');
});

test('case B101 a stale page cannot overwrite a newer value', async ({ page, visit }) => {
  await makeDeaf(page);
  await visit('/configuration');
  await field(page, 'congestion_fail_window').fill('300s');
  await field(page, 'congestion_failure_threshold').fill('9');
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '60s'");
  const [answer] = await Promise.all([
    page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/api/parameters'),
    ),
    apply(page, 'too late'),
  ]);
  expect(answer.status()).toBe(409);
  await expect(confirm(page).getByText('Nothing was changed.')).toBeVisible();
  await expect(confirm(page).getByText(/set this to 60s .*Yours is 300s/)).toBeVisible();
  expect(await shownValue('congestion_fail_window')).toBe('60s');
  expect(await shownValue('congestion_failure_threshold')).toBe('5');

  // Theirs stays, the other edit goes through alone.
  await confirm(page).getByRole('button', { name: 'Take theirs' }).click();
  await confirm(page).getByRole('button', { name: 'Apply' }).click();
  await expect(confirm(page)).toBeHidden();
  expect(await shownValue('congestion_fail_window')).toBe('60s');
  expect(await shownValue('congestion_failure_threshold')).toBe('9');
});

test('case B101 a change without the revision it is based on is refused', async ({ page, visit, baseURL }) => {
  await visit('/configuration');
  const answer = await page.request.post('/api/parameters', {
    headers: { origin: baseURL ?? '' },
    data: { changes: [{ name: 'congestion_fail_window', value: '60s' }], reason: 'no revision' },
  });
  expect(answer.status()).toBe(400);
  expect(await shownValue('congestion_fail_window')).toBe('120s');
});

test('the search understands key:value and lives in the URL', async ({ page, visit }) => {
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '60s'");
  await visit('/configuration');
  await page.getByLabel('Search parameters').fill('is:modified name:congestion');
  await expect(page).toHaveURL(/q=is:modified/);
  await expect(page.locator('[data-parameter]')).toHaveCount(1);
  await page.reload();
  await expect(page.getByLabel('Search parameters')).toHaveValue('is:modified name:congestion');
  await expect(page.locator('[data-parameter]')).toHaveCount(1);
  await page.getByLabel('Search parameters').fill('no such parameter');
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(page).toHaveURL(/\/configuration$/);
  await expect.poll(() => page.locator('[data-parameter]').count()).toBeGreaterThan(50);
});

test('case B96 sets a parameter for a tenant and takes it away, each with a reason', async ({ page, visit }) => {
  await visit('/configuration');
  const values = page.getByRole('list', { name: 'Values of proxy_idc_name for parts of the sessions' });
  await page.getByRole('button', { name: 'Set proxy_idc_name for a part of the sessions' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Cluster').fill('obdemo');
  await dialog.getByLabel('Tenant').fill('trade');
  await dialog.getByLabel('Value').fill('idc2');
  await expect(dialog.getByRole('button', { name: 'Set' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('the tenant moves');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Set' }).click();
  await expect(dialog).toBeHidden();
  await expect(values.getByRole('listitem')).toHaveText(/tenant trade of obdemo\s+idc2/);
  await asProxyAdmin(
    "REPLACE INTO proxy_config(cluster_name, name, value, config_level) VALUES ('obdemo', 'proxy_idc_name', 'idc3', 'LEVEL_CLUSTER')",
  );
  await expect(values.getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'Take away the value of proxy_idc_name for tenant trade of obdemo' }).click();
  await dialog.getByLabel('Reason').fill('it has moved');
  await dialog.getByRole('button', { name: 'Take away' }).click();
  await expect(values.getByRole('listitem')).toHaveText(/cluster obdemo\s+idc3/);
  await visit('/history');
  await expect(page.getByRole('row', { name: /the tenant moves/ })).toContainText('tenant=trade cluster=obdemo');
});
