import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type APIRequestContext, type Page, request } from '@playwright/test';
import { chosenPassword, product } from './support/product.ts';
import { shownValue } from './support/sql.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';
import { addViewer } from './support/viewer.ts';

const parameter = 'short_async_task_timeout';

/** A script: no cookies, nothing but the token. */
function script(secret: string): Promise<APIRequestContext> {
  return request.newContext({ baseURL: product().url, extraHTTPHeaders: { authorization: `Bearer ${secret}` } });
}

/** Runs SQL on the product's store. */
function store<Row>(run: (database: DatabaseSync) => Row): Row {
  const database = new DatabaseSync(join(product().home, 'odp.db'));
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    return run(database);
  } finally {
    database.close();
  }
}

/** Makes a token on the page and reads it there. */
async function makeInBrowser(page: Page, name: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Make a token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByLabel(`All that the role ${role} may`).check();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('a script of the tests');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Make', exact: true }).click();
  const secret = (await dialog.getByTestId('token-secret').textContent()) ?? '';
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have it' }).click();
  return secret;
}

async function changeBy(api: APIRequestContext, value: string) {
  const { parameters } = await (await api.get('/api/v1/parameters')).json();
  const { revision } = parameters.find((one: { name: string }) => one.name === parameter);
  const changes = [{ name: parameter, value, baseRevision: revision }];
  return api.post('/api/v1/parameters', { data: { changes, reason: 'by a script' } });
}

test('a token made in the browser changes a parameter, is named in the database, and is revoked', async ({
  page,
  visit,
}) => {
  await visit('/');
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'API tokens' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API tokens' })).toBeVisible();
  await expectLive(page);
  const secret = await makeInBrowser(page, 'nightly run', 'dba');
  expect(secret).toMatch(/^odp_[0-9a-f]{64}$/);
  await expect(page.getByText(secret)).toHaveCount(0);

  const api = await script(secret);
  const answer = await changeBy(api, '8s');
  expect(answer.status(), await answer.text()).toBe(200);
  expect(answer.headers()['access-control-allow-origin']).toBeUndefined();
  expect(await shownValue(parameter)).toBe('8s');
  const row = store((database) =>
    database
      .prepare(
        'SELECT actor, role, token, source, newValue, reason FROM "HistoryRow" WHERE parameter = ? ORDER BY id DESC',
      )
      .get(parameter),
  );
  expect({ ...row }).toMatchObject({ actor: 'admin', token: 'nightly run', source: 'api', reason: 'by a script' });
  expect((await changeBy(api, '5s')).status()).toBe(200);

  const line = page.locator('[data-token="nightly run"]');
  await page.reload();
  await expect(line).toContainText('127.0.0.1');
  await line.getByRole('link', { name: 'What it did' }).click();
  await expect(page.getByRole('row').filter({ hasText: parameter }).first()).toContainText('nightly run');
  await page.goBack();

  await line.getByRole('button', { name: 'Revoke nightly run of admin' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('the test is over');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(line).toHaveCount(0);
  const refused = await api.get('/api/v1/overview');
  expect(refused.status()).toBe(401);
  expect(refused.headers()['www-authenticate']).toBe('Bearer');
  expect((await refused.json()).code).toBe('TOKEN_REFUSED');
  await api.dispose();
});

test('a token loses what its owner loses, and works no more when the owner is disabled', async ({
  browser,
  baseURL,
}) => {
  const own = baseURL ?? '';
  addViewer('toni');
  const setUser = (column: 'role' | 'disabled', value: string | number) =>
    store((database) => database.prepare(`UPDATE "User" SET ${column} = ? WHERE name = 'toni'`).run(value));
  setUser('role', 'dba');
  const context = await browser.newContext({ baseURL: own, storageState: { cookies: [], origins: [] } });
  const headers = { origin: own };
  const login = { name: 'toni', password: chosenPassword };
  expect((await context.request.post('/api/login', { headers, data: login })).status()).toBe(200);
  const asked = {
    name: 'deploy',
    role: 'dba',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    reason: 'test',
  };
  const tooMuch = await context.request.post('/api/tokens', { headers, data: { ...asked, role: 'administrator' } });
  expect(tooMuch.status()).toBe(403);
  const made = await context.request.post('/api/tokens', { headers, data: asked });
  const api = await script((await made.json()).secret);
  expect((await changeBy(api, '6s')).status()).toBe(200);
  setUser('role', 'viewer');
  const refused = await changeBy(api, '7s');
  expect(refused.status()).toBe(403);
  expect((await refused.json()).detail).toContain('parameters.write');
  setUser('disabled', 1);
  expect((await api.get('/api/v1/parameters')).status()).toBe(401);
  setUser('disabled', 0);
  setUser('role', 'dba');
  expect((await changeBy(api, '5s')).status()).toBe(200);
  setUser('disabled', 1);
  await api.dispose();
  await context.close();
});

test('the API takes no cookie for a token, and says what it has', async ({ page, visit }) => {
  await visit('/tokens');
  const byCookie = await page.request.get('/api/v1/overview');
  expect(byCookie.status()).toBe(401);
  expect((await byCookie.json()).code).toBe('NO_TOKEN');
  for (const [method, path, status] of [
    ['GET', '/api/v1/nothing', 404],
    ['POST', '/api/v1/login', 404],
    ['DELETE', '/api/v1/parameters', 405],
    ['GET', '/api/v1/health', 200],
  ] as const) {
    expect((await page.request.fetch(path, { method })).status(), `${method} ${path}`).toBe(status);
  }
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const route = page.locator('[data-route="changeParameters"]');
  await expect(route).toContainText('POST');
  await expect(route).toContainText('/api/v1/parameters');
  await expect(route).toContainText('parameters.write');
  await expectAccessible(page);
});

test('the examples of docs/api.md do what they say', async ({ page, visit }) => {
  await visit('/tokens');
  const secret = await makeInBrowser(page, 'examples', 'administrator');
  const blocks = [...readFileSync('docs/api.md', 'utf8').matchAll(/^```bash\n(.*?)^```/gms)].map(([, code]) => code);
  expect(blocks.length).toBeGreaterThan(10);
  const folder = mkdtempSync(join(tmpdir(), 'odp-examples-'));
  try {
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', blocks.join('\n')], {
      cwd: folder,
      env: { ...process.env, ODP_URL: product().url, ODP_TOKEN: secret },
      encoding: 'utf8',
    });
    expect(status, `${stdout}\n${stderr}`).toBe(0);
    expect(stdout).toContain('"name": "examples"');
    expect(stdout).toContain('event: hello');
    expect(readFileSync(join(folder, 'odp-history.csv'), 'utf8')).toContain('the move is over');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect(await shownValue(parameter)).toBe('5s');
  // What goes back by itself in half an hour would meet the tests that come next.
  const api = await script(secret);
  const { reverts } = await (await api.get('/api/v1/parameters/reverts')).json();
  for (const { id } of reverts) {
    const data = { reason: 'the test is over' };
    expect((await api.post(`/api/v1/parameters/reverts/${id}/cancel`, { data })).status()).toBe(204);
  }
  const { parameters } = await (await api.get('/api/v1/parameters')).json();
  const { revision } = parameters.find((one: { name: string }) => one.name === 'connect_observer_max_retries');
  const changes = [{ name: 'connect_observer_max_retries', value: '3', baseRevision: revision }];
  expect((await api.post('/api/v1/parameters', { data: { changes, reason: 'the test is over' } })).status()).toBe(200);
  await api.dispose();
});
