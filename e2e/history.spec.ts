import { readFile } from 'node:fs/promises';
import { asProxyAdmin } from './support/sql.ts';
import { expect, test } from './support/test.ts';

const rows = '[data-history]';

test.beforeAll(async () => {
  await asProxyAdmin(
    "ALTER PROXYCONFIG SET congestion_fail_window = '61s'",
    "ALTER PROXYCONFIG SET congestion_fail_window = '120s'",
  );
});

test('shows a change made over SQL: who, when, from where, old and new', async ({ page, visit }) => {
  await visit('/history?q=parameter:congestion_fail_window');
  const newest = page.locator(rows).first();
  await expect(newest).toContainText('congestion_fail_window');
  await expect(newest).toContainText(/old: 61s.*new: 120s/s);
  await expect(newest).toContainText(/root.*SQL/s);
  await expect(newest.locator('time').first()).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0[12]:00/);
  await newest.getByRole('button', { name: /Details/ }).click();
  await expect(newest.getByText('Request')).toBeVisible();
});

test('filters in the URL, and the rows of an open page grow by themselves', async ({ page, visit }) => {
  await visit('/history');
  await page.getByLabel('Source').selectOption('SQL');
  await expect(page).toHaveURL(/q=source:sql/);
  await expect(page.locator(rows).filter({ hasText: 'Signed in' })).toHaveCount(0);
  await expect(page.locator(rows).first()).not.toContainText('62s');
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '62s'");
  await expect(page.locator(rows).first()).toContainText('62s');
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '120s'");

  await page.getByLabel('From day').fill('2001-01-01');
  await page.getByLabel('To day').fill('2001-01-02');
  await expect(page.getByText('Nothing in the history fits this filter')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(page.locator(rows).first()).toBeVisible();
});

test('case B106 times are in the named zone, or in UTC', async ({ page, visit }) => {
  await visit('/history');
  await expect(page.getByText('times in Europe/Berlin')).toBeVisible();
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitemradio', { name: 'UTC' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByText('times in UTC')).toBeVisible();
  await expect(page.locator(`${rows} time`).first()).toContainText('+00:00');
});

test('case B114 the CSV has the rows of the filter on screen', async ({ page, visit }) => {
  // One that no other test changes: all of its rows fit on the first page.
  await asProxyAdmin(
    ...[21, 22, 20].map((value) => `ALTER PROXYCONFIG SET observer_query_timeout_delta = '${value}s'`),
  );
  await visit('/history?q=parameter:observer_query_timeout_delta source:sql');
  await expect(page.locator(rows).first()).toBeVisible();
  const shown = await page.locator(rows).count();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  const lines = text.trim().split(/\r?\n/);
  expect(lines).toHaveLength(shown + 1);
  expect(lines[1]).toContain('observer_query_timeout_delta');
  expect(lines[1]).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/);
});

test('case B105 pages are joined without gap or double', async ({ page, visit }) => {
  const values = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? 6 : 5));
  await asProxyAdmin(...values.map((value) => `ALTER PROXYCONFIG SET congestion_failure_threshold = ${value}`));
  await visit('/history?q=parameter:congestion_failure_threshold');
  await expect(page.locator(rows)).toHaveCount(50);
  await page.getByRole('button', { name: 'Load older' }).click();
  await expect.poll(() => page.locator(rows).count()).toBeGreaterThanOrEqual(60);
  const ids = await page.locator(rows).evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-history'))));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
});

test('a refused change is there with who, why not, and a link to its request', async ({ page, visit }) => {
  await expect(asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = 'soon'")).rejects.toThrow(/soon/);
  await visit('/history?q=parameter:congestion_fail_window');
  await page.getByLabel('Outcome').selectOption('Refused');
  await expect(page).toHaveURL(/outcome:refused/);
  const row = page.locator(rows).first();
  await expect(row).toContainText(/Refused.*new: soon.*INVALID_PARAMETER/s);
  await row.getByRole('button', { name: /Details/ }).click();
  await expect(row).toContainText(/Role.*proxysys.*Outcome.*Refused.*Hash.*[0-9a-f]{64}/s);
  await expect(row).toContainText(/UTC\d{4}-.*Z.*Local\d{4}-.*\+0[12]:00 \(Europe\/Berlin\)/s);
  await row.getByRole('link', { name: /^sql-/ }).click();
  await expect(page).toHaveURL(/q=request:sql-/);
  await expect(page.locator(rows)).toHaveCount(1);
});

test('a change tells in how many workers it is in force', async ({ page, visit }) => {
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '63s'");
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '120s'");
  await visit('/history?q=parameter:congestion_fail_window outcome:persisted');
  await expect(page.locator(rows).first()).toContainText(/applied in (\d+) of \1 workers?/);
});

test('says that the chain holds, and looks again when told to', async ({ page, visit }) => {
  await visit('/history');
  const chain = page.getByRole('region', { name: 'Chain of the history' });
  await expect(chain).toContainText(
    /Chain intact.*\d+ entries, \d+ signed checkpoints?.*checked.*head \d+:[0-9a-f]{12}/s,
  );
  const checked = await chain.locator('time').getAttribute('datetime');
  await chain.getByRole('button', { name: 'Check now' }).click();
  await expect(chain.locator('time')).not.toHaveAttribute('datetime', checked ?? '');
  await expect(chain).toHaveAttribute('data-chain', 'intact');
});

test('case B114 the JSON has the rows of the filter on screen, exactly', async ({ page, visit }) => {
  await visit('/history?q=parameter:congestion_fail_window source:sql outcome:refused');
  await expect(page.locator(rows).first()).toBeVisible();
  const ids = await page.locator(rows).evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-history'))));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'JSON' }).click(),
  ]);
  const found = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(found.map((row: { id: number }) => row.id)).toEqual(ids);
  expect(found[0]).toMatchObject({
    newValue: 'soon',
    outcome: 'refused',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('on paper there is a report: what it shows, and nothing to press', async ({ page, visit }) => {
  await visit('/history?q=parameter:congestion_fail_window');
  await expect(page.locator(rows).first()).toBeVisible();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('heading', { name: 'History of the OceanBase proxy' })).toBeVisible();
  await expect(page.getByText(/^Filter: parameter:congestion_fail_window; all days in Europe\/Berlin$/)).toBeVisible();
  await expect(page.getByText(/^\d+ of \d+ entries, newest first/)).toBeVisible();
  await expect(page.locator('[data-chain]').getByText(/^[0-9a-f]{64}$/)).toBeVisible();
  await expect(page.getByLabel('Search the history')).toBeHidden();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(colour).toBe('rgb(247, 248, 250)');
});
