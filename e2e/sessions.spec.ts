import type { Page } from '@playwright/test';
import mysql from 'mysql2/promise';
import { sessionsResponseSchema } from '../proxy/control/contract.ts';
import { chosenPassword, product } from './support/product.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';
import { addViewer } from './support/viewer.ts';

const secret = 'a-name-nobody-may-read';
const asked = `SELECT * FROM customers WHERE name = '${secret}'`;

async function client(): Promise<{ connection: mysql.Connection; id: number }> {
  const connection = await mysql.createConnection({
    host: '127.0.0.1',
    port: product().mysqlPort,
    user: 'root@trade#obdemo',
    database: 'trade',
  });
  connection.on('error', () => undefined);
  return { connection, id: connection.threadId ?? 0 };
}

const row = (page: Page, id: number) => page.locator(`[data-session="${id}"]`);
const errnoOf = (work: Promise<unknown>) => work.then(() => 0).catch((error: { errno?: number }) => error.errno ?? -1);

/** The pointer away from the rows, which it would hold. */
const leaveRows = (page: Page) => page.getByRole('searchbox', { name: 'Search the sessions' }).hover();

test('sessions show as they come, act and go, and are found by filter and order in the address', async ({
  page,
  visit,
}) => {
  await visit('/sessions?q=tenant:trade');
  await leaveRows(page);
  const { connection, id } = await client();
  await expect(row(page, id)).toContainText('Idle');
  await connection.query('BEGIN');
  await connection.query(asked);
  await expect(row(page, id)).toContainText('In transaction');
  await expect(row(page, id)).toContainText(secret);
  await page.getByLabel('State').selectOption('in-transaction');
  await expect(page).toHaveURL(/state=in-transaction/);
  await expect(row(page, id)).toBeVisible();
  await page.getByRole('button', { name: 'Transaction', exact: true }).click();
  await expect(page).toHaveURL(/sort=transaction.*order=desc|order=desc.*sort=transaction/);
  await leaveRows(page);
  await connection.end();
  await expect(row(page, id)).toBeHidden();
  await page.getByRole('searchbox', { name: 'Search the sessions' }).fill('user:nobody');
  await expect(page.getByText('No session fits this filter')).toBeVisible();
});

test('rows stay while the pointer or the focus is on one, and while paused', async ({ page, visit }) => {
  const { connection, id } = await client();
  await visit('/sessions?q=tenant:trade');
  await row(page, id).hover();
  await expect(page.getByText('held while you are on a row')).toBeVisible();
  const late = await client();
  await leaveRows(page);
  await expect(row(page, late.id)).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('paused ·')).toBeVisible();
  await Promise.all([connection.end(), late.connection.end()]);
});

test('a session is killed with a reason: its client is cut off, the history has it', async ({ page, visit }) => {
  const { connection, id } = await client();
  await visit('/sessions?q=tenant:trade');
  await row(page, id)
    .getByRole('button', { name: /^Kill session/ })
    .click();
  const dialog = page.getByRole('dialog', { name: `Kill session ${id}` });
  await expect(dialog.getByRole('button', { name: 'Kill', exact: true })).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('it blocks the nightly batch');
  await dialog.getByRole('button', { name: 'Kill', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(row(page, id)).toBeHidden();
  expect(await errnoOf(connection.query('SELECT 1'))).not.toBe(0);
  await page.goto('/history?q=action:session.kill');
  const newest = page.locator('[data-history]').first();
  await expect(newest).toContainText('Session killed');
  await expect(newest).toContainText(`session ${id}`);
  await expect(newest).toContainText('it blocks the nightly batch');
});

test('only the statement is killed where that is asked for: 1317, and the client goes on', async ({ page, visit }) => {
  const { connection, id } = await client();
  await visit(`/sessions/${id}`);
  const outcome = errnoOf(connection.query('SELECT /*+ query_timeout(80000000) */ SLEEP(60)'));
  await expect(page.locator('[data-statement]').first()).toContainText('running');
  await page.getByRole('button', { name: 'Kill …' }).click();
  await page.getByLabel(/^Only what it is running/).check();
  await page.getByLabel('Reason').fill('too long');
  await page.getByRole('button', { name: 'Kill', exact: true }).click();
  expect(await outcome).toBe(1317);
  expect(await errnoOf(connection.query('SELECT 1'))).toBe(0);
  await expect(page.locator('[data-statement]').nth(1)).toContainText('error 1317');
  await connection.end();
  await expect(page.getByText('The session has ended.')).toBeVisible();
});

test('a session’s page tells variables, server sessions and last statements, and leads to their route', async ({
  page,
  visit,
}) => {
  const { connection, id } = await client();
  await connection.query("SET @colour = 'blue', @proxy_idc_name = 'idc1'");
  await connection.query(asked);
  await connection.query('SELECT COUNT(*) FROM orders');
  await visit('/sessions?q=tenant:trade');
  await row(page, id).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/sessions/${id}$`));
  await expect(page.locator('[data-statement]').first()).toContainText('by table trade.orders');
  await expect(page.locator('[data-server-session]').filter({ hasText: 'last statement' })).toHaveCount(1);
  await page.getByLabel('Search the variables').fill('colour');
  await expect(page.locator('[data-variable]')).toHaveCount(1);
  await expect(page.locator('[data-variable]')).toContainText("'blue'");
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Where it would go now' }).first().click();
  await expect(page).toHaveURL(/\/routing\?/);
  await expect(page.getByLabel('As sent by')).toHaveValue(String(id));
  await expect(page.getByTestId('goes-to')).toContainText('goes to');
  await connection.end();
  await page.goto('/sessions/4000000000');
  await expect(page.getByText('There is no session 4000000000')).toBeVisible();
});

test('10,000 sessions scroll with a few dozen rows drawn', async ({ page }) => {
  const { connection } = await client();
  const [template] = sessionsResponseSchema.parse(
    await (await page.request.get('/api/sessions?tenant=trade')).json(),
  ).sessions;
  const asks: number[] = [];
  await page.route('**/api/sessions?*', (route) => {
    const search = new URL(route.request().url()).searchParams;
    const [offset, limit] = [Number(search.get('offset')), Number(search.get('limit'))];
    asks.push(offset);
    const ids = Array.from({ length: Math.min(limit, 10_000 - offset) }, (_, index) => offset + index + 1);
    return route.fulfill({
      json: {
        at: new Date().toISOString(),
        sessions: ids.map((id) => ({ ...template, id })),
        matches: 10_000,
        states: { running: 0, 'in-transaction': 0, idle: 10_000 },
      },
    });
  });
  await page.goto('/sessions');
  await expectLive(page);
  await expect(page.getByText('10,000 sessions')).toBeVisible();
  await expect(row(page, 1)).toBeVisible();
  const list = page.getByRole('region', { name: 'List of sessions' });
  await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(row(page, 10_000)).toBeVisible();
  await list.evaluate((box) => box.scrollTo(0, box.scrollHeight / 2));
  await expect(row(page, 5_001)).toBeVisible();
  expect(await page.locator('[data-session]').count()).toBeLessThan(60);
  // Every frame of a long scroll comes in time: nothing near a second is spent on one.
  const slowest = await list.evaluate(async (box) => {
    let [last, worst] = [performance.now(), 0];
    for (let step = 0; step < 60; step += 1) {
      box.scrollBy(0, 400);
      await new Promise(requestAnimationFrame);
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }
    return worst;
  });
  expect(slowest).toBeLessThan(500);
  expect(new Set(asks).size).toBeLessThan(20);
  await connection.end();
});

test('a viewer sees sessions without literals, and kills nothing', async ({ browser }) => {
  addViewer('vera-sessions');
  const { connection, id } = await client();
  await connection.query(`SET @mine = '${secret}'`);
  await connection.query(asked);
  const context = await browser.newContext({ baseURL: product().url, storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('User name').fill('vera-sessions');
  await page.getByLabel('Password').fill(chosenPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectLive(page);
  await page.goto('/sessions?q=tenant:trade');
  await expect(row(page, id)).toContainText('WHERE name = ?');
  await expect(page.getByRole('button', { name: /Kill/ })).toHaveCount(0);
  await page.goto(`/sessions/${id}`);
  await expect(page.locator('[data-statement]').first()).toContainText('WHERE name = ?');
  await expect(page.locator('[data-variable="mine"], [data-variable="@mine"]')).toContainText('hidden');
  expect(await (await page.request.get(`/api/sessions/${id}`)).text()).not.toContain(secret);
  const kill = await page.request.post(`/api/sessions/${id}/kill`, {
    headers: { origin: product().url },
    data: { what: 'connection', reason: 'just so' },
  });
  expect(kill.status()).toBe(403);
  await context.close();
  await connection.end();
});
