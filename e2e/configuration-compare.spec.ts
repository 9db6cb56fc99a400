import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { asProxyAdmin, shownValue } from './support/sql.ts';
import { expect, expectAccessible, test } from './support/test.ts';

const difference = (page: Page, name: string) => page.locator(`[data-difference="${name}"]`);

async function newestEntry(page: Page, parameter = 'congestion_fail_window'): Promise<number> {
  const answer = await page.request.get(`/api/history?action=parameter.change&parameter=${parameter}&limit=1`);
  return ((await answer.json()) as { rows: { id: number }[] }).rows[0]?.id ?? 0;
}

test.afterEach(async () => {
  await asProxyAdmin(
    "ALTER PROXYCONFIG SET congestion_fail_window = '120s'",
    'ALTER PROXYCONFIG SET congestion_failure_threshold = 5',
    "DELETE FROM proxy_config WHERE config_level <> 'LEVEL_GLOBAL'",
  );
});

test('the configuration goes out as a file and comes back: dry run first, then one change', async ({ page, visit }) => {
  await asProxyAdmin(
    "REPLACE INTO proxy_config(cluster_name, name, value, config_level) VALUES ('obdemo', 'proxy_idc_name', 'idc3', 'LEVEL_CLUSTER')",
  );
  await visit('/configuration');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export' }).click();
  const path = await (await download).path();
  const file = JSON.parse(await readFile(path, 'utf8')) as { parameters: Record<string, string> };
  expect(file.parameters.congestion_fail_window).toBe('120s');
  expect(JSON.stringify(file)).not.toMatch(/observer_sys_password":/);

  await page.getByRole('link', { name: 'Compare or import' }).click();
  await expect(page).toHaveURL(/\/configuration\/compare/);
  // What is announced stays as long as it is pointed at.
  await page.mouse.move(400, 800);
  await asProxyAdmin(
    "ALTER PROXYCONFIG SET congestion_fail_window = '60s'",
    "DELETE FROM proxy_config WHERE config_level <> 'LEVEL_GLOBAL'",
  );
  const other = {
    ...file,
    parameters: { ...file.parameters, enable_congestoin: 'true', congestion_retry_interval: '2h' },
  };
  await page
    .getByLabel('To: exported configuration')
    .setInputFiles({ name: 'odp.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(other)) });
  await expect(difference(page, 'congestion_fail_window')).toContainText(/old: 60s.*new: 120s/s);
  await expect(difference(page, 'proxy_idc_name')).toContainText(/cluster obdemo.*no value of its own.*new: idc3/s);
  await expect(difference(page, 'congestion_retry_interval')).toContainText(
    'Cannot be taken over: out of range [1s,1h]',
  );
  await expect(page.getByRole('list', { name: 'To: not compared' })).toContainText(
    'enable_congestoin: this version does not have it',
  );
  expect(await shownValue('congestion_fail_window')).toBe('60s');
  await page.getByRole('button', { name: 'Take over …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take over 2 values' });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('as it was on the other proxy');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog).toBeHidden();
  await expect(difference(page, 'congestion_fail_window')).toHaveCount(0);
  await expect(difference(page, 'congestion_retry_interval')).toBeVisible();
  expect(await shownValue('congestion_fail_window')).toBe('120s');
  const { rows } = (await (await page.request.get('/api/history?action=parameter.change&limit=2')).json()) as {
    rows: { requestId: string; reason: string }[];
  };
  expect(new Set(rows.map(({ requestId }) => requestId)).size).toBe(1);
  expect(rows[0]?.reason).toBe('as it was on the other proxy');
});

test('a file that is no configuration is refused with what is wrong', async ({ page, visit }) => {
  await visit('/configuration/compare');
  const give = (text: string) =>
    page
      .getByLabel('To: exported configuration')
      .setInputFiles({ name: 'odp.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  const refusal = page.getByRole('main').getByRole('alert');
  await give('{');
  await expect(refusal).toContainText('No JSON');
  await give('{"format":"something"}');
  await expect(refusal).toContainText('No exported configuration: format');
});

test('two points in time are compared at an address that can be passed on; a version is edited from there', async ({
  page,
  visit,
}) => {
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '60s'");
  await visit('/configuration');
  const before = await newestEntry(page);
  await asProxyAdmin(
    "ALTER PROXYCONFIG SET congestion_fail_window = '90s'",
    'ALTER PROXYCONFIG SET congestion_failure_threshold = 9',
  );
  await visit(`/configuration/compare?from=entry:${before}&to=entry:${await newestEntry(page)}`);
  await expect(page.locator('[data-difference]')).toHaveCount(1);
  await expect(difference(page, 'congestion_fail_window')).toContainText(/old: 60s.*new: 90s/s);
  await expect(page.getByRole('button', { name: 'Take over …' })).toHaveCount(0);

  await page.getByLabel('From', { exact: true }).selectOption('Now');
  await page.getByLabel('To', { exact: true }).selectOption('After an entry of the history');
  await page.getByLabel('To: number of the entry').fill(String(before));
  await expect(page).toHaveURL(new RegExp(`to=entry(:|%3A)${before}`));
  await expect(page.locator('[data-difference]')).toHaveCount(2);
  await page.getByRole('button', { name: 'Edit from this version' }).click();
  await expect(page).toHaveURL(/\/configuration\?q=is/);
  await expect(page.getByRole('textbox', { name: 'congestion_fail_window', exact: true })).toHaveValue('60s');
  await page.getByRole('textbox', { name: 'congestion_fail_window', exact: true }).fill('75s');
  await page.getByRole('button', { name: /^Review/ }).click();
  const confirm = page.getByRole('dialog', { name: 'Apply 2 changes' });
  await confirm.getByLabel('Reason').fill('a middle way');
  await confirm.getByRole('button', { name: 'Apply' }).click();
  await expect(confirm).toBeHidden();
  expect(await shownValue('congestion_fail_window')).toBe('75s');
  expect(await shownValue('congestion_failure_threshold')).toBe('5');
});

test('a change is reverted from the history by a new change that says so; a second time there is nothing to do', async ({
  page,
  visit,
}) => {
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '60s'");
  await visit('/history?q=congestion_fail_window');
  const id = await newestEntry(page);
  const entry = page.locator(`[data-history="${id}"]`);
  await entry.getByRole('button', { name: `Details of entry ${id}` }).click();
  await entry.getByRole('button', { name: 'Revert …' }).click();
  const dialog = page.getByRole('dialog', { name: `Revert entry ${id}` });
  await expect(dialog.locator('[data-difference="congestion_fail_window"]')).toContainText(/old: 60s.*new: 120s/s);
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('it was too short');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog).toBeHidden();
  expect(await shownValue('congestion_fail_window')).toBe('120s');
  await expect(page.locator('[data-history]').first()).toContainText(`revert of #${id}: it was too short`);
  await entry.getByRole('button', { name: 'Revert …' }).click();
  await expect(dialog).toContainText('No effect: there is nothing to change.');
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await entry.getByRole('link', { name: 'Edit from this version' }).click();
  await expect(difference(page, 'congestion_fail_window')).toContainText(/old: 120s.*new: 60s/s);
});
