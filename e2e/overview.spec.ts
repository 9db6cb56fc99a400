import { shownValue } from './support/sql.ts';
import { expect, test } from './support/test.ts';

test('shows the demo cluster as region, IDC, zone and server, and says that it is a demo', async ({ page, visit }) => {
  await visit('/');
  const cluster = page.getByRole('region', { name: /obdemo/ });
  for (const region of ['SHANGHAI', 'HANGZHOU']) await expect(cluster.getByText(region, { exact: true })).toBeVisible();
  for (const idc of ['idc1', 'idc2', 'idc3']) await expect(cluster.getByText(idc, { exact: true })).toBeVisible();
  const servers = cluster.locator('[data-server]');
  await expect(servers).toHaveCount(5);
  for (const [index, host] of [11, 12, 13, 14, 15].entries()) {
    // Which loopback network it is depends on how many demos run on this machine.
    await expect(servers.nth(index)).toHaveAttribute('data-server', new RegExp(`^127\\.0\\.\\d+\\.${host}:\\d+$`));
    await expect(servers.nth(index).getByText('Active', { exact: true })).toBeVisible();
  }
  await expect(cluster.getByText('Demo cluster')).toBeVisible();
  await expect(page.getByRole('banner').getByText('Demo cluster')).toBeVisible();
});

test('hides servers without problems when asked', async ({ page, visit }) => {
  await visit('/');
  await page.getByLabel('Problems only').check();
  await expect(page.getByText('No server has a problem')).toBeVisible();
});

test('enable_congestion is two clicks, and a MySQL client sees it at once', async ({ page, visit }) => {
  await visit('/');
  const toggle = page.getByRole('switch', { name: 'enable_congestion' });
  await expect(toggle).toBeChecked();

  await toggle.click();
  const dialog = page.getByRole('dialog', { name: 'Apply 1 change' });
  await expect(dialog.getByText('old: True')).toBeVisible();
  await expect(dialog.getByText('new: False')).toBeVisible();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog).toBeHidden();
  expect((await shownValue('enable_congestion')).toLowerCase()).toBe('false');
  await expect(toggle).not.toBeChecked();

  await toggle.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect(toggle).toBeChecked();
  expect((await shownValue('enable_congestion')).toLowerCase()).toBe('true');
});

test('the keyboard alone gets everywhere', async ({ page, visit, baseURL }) => {
  await visit('/');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.type('gc');
  await expect(page).toHaveURL(`${baseURL}/configuration`);
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search parameters')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.type('gh');
  await expect(page).toHaveURL(`${baseURL}/history`);
  await page.keyboard.type('go');
  await expect(page).toHaveURL(`${baseURL}/`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('congestion_fail_window');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/configuration\?q=name/);
  await expect(page.locator('[data-parameter]')).toHaveCount(1);
});
