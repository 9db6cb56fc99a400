import type { APIRequestContext } from '@playwright/test';
import { chosenPassword } from './support/product.ts';
import { shownValue } from './support/sql.ts';
import { expect, test } from './support/test.ts';

const change = (value: string) => ({
  changes: [{ name: 'congestion_fail_window', value, baseRevision: 0 }],
  reason: 'from elsewhere',
});

async function post(request: APIRequestContext, headers: Record<string, string>): Promise<number> {
  const answer = await request.post('/api/parameters', { headers, data: change('99s') });
  return answer.status();
}

test('case B110 a change from another site is refused, however it is dressed up', async ({ page, baseURL }) => {
  const own = baseURL ?? '';
  for (const headers of [
    {},
    { origin: 'null' },
    { origin: 'http://evil.example' },
    { origin: '::::' },
    { origin: own, 'sec-fetch-site': 'cross-site' },
    { origin: own.replace('http:', 'https:') },
    { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
  ]) {
    expect(await post(page.request, headers), JSON.stringify(headers)).toBe(403);
  }
  const text = await page.request.post('/api/parameters', {
    headers: { origin: own, 'content-type': 'text/plain' },
    data: JSON.stringify(change('99s')),
  });
  expect(text.status()).toBe(415);
  const broken = await page.request.post('/api/parameters', {
    headers: { origin: own, 'content-type': 'application/json' },
    data: Buffer.from('{"changes":'),
  });
  expect(broken.status()).toBe(400);
  expect((await page.request.get('/api/parameters?_method=POST')).status()).toBe(200);
  expect(await shownValue('congestion_fail_window')).toBe('120s');
});

test.describe('without a session', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test('case B111 no route gives anything away, whatever the headers and spellings', async ({ page, baseURL }) => {
    const skip = 'middleware:middleware:middleware:middleware:middleware';
    for (const path of ['overview', 'parameters', 'history', 'history.csv', 'events', 'me']) {
      for (const spelling of [`/api/${path}`, `/api/${path}/`, `//api/${path}`, `/API/${path}`, `/api/%2e/${path}`]) {
        const answer = await page.request.get(`${baseURL}${spelling}`, {
          headers: { 'x-middleware-subrequest': skip },
        });
        expect([400, 401, 404], `${spelling} ${answer.status()}`).toContain(answer.status());
        expect(await answer.text()).not.toMatch(/congestion_fail_window|obdemo/);
      }
    }
    for (const path of ['/', '/configuration', '/history', '/configuration?_rsc=1']) {
      const answer = await page.request.get(path, {
        headers: { rsc: '1', 'x-middleware-subrequest': skip },
        maxRedirects: 0,
      });
      expect(await answer.text(), path).not.toMatch(/congestion_fail_window|127\.0\.0\.11/);
    }
  });

  test('case B112 a planted cookie is not taken over, and a signed-out one is dead', async ({
    page,
    context,
    baseURL,
  }) => {
    const port = new URL(baseURL ?? '').port;
    const planted = { name: `odp_session_${port}`, value: 'abc', url: baseURL ?? '' };
    await context.addCookies([planted]);
    await page.goto('/login');
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password').fill(chosenPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${baseURL}/`);
    const cookie = (await context.cookies()).find(({ name }) => name === planted.name);
    expect(cookie?.value).not.toBe('abc');

    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await context.addCookies([{ ...planted, value: cookie?.value ?? '' }]);
    expect((await page.request.get('/api/me')).status()).toBe(401);
  });

  test('case B113 a name with markup is text in the history', async ({ page, baseURL, browser }) => {
    const name = '"><svg onload=alert(1)>\u202egpj';
    const answer = await page.request.post('/api/login', {
      headers: { origin: baseURL ?? '' },
      data: { name, password: 'wrong-password' },
    });
    expect(answer.status()).toBe(401);

    const context = await browser.newContext({ storageState: 'test-results/signed-in.json' });
    const reader = await context.newPage();
    const dialogs: string[] = [];
    reader.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await reader.goto(`${baseURL}/history?q=action:login.failed`);
    await expect(reader.getByText('"><svg onload=alert(1)>⟨U+202E⟩gpj').first()).toBeVisible();
    expect(await reader.locator('main svg[onload]').count()).toBe(0);
    expect(dialogs).toEqual([]);
    await context.close();
  });
});

test("case B113 the policy lets no script run but the console's own", async ({ page, visit, browserErrors }) => {
  const answer = await page.goto('/history');
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]+'(;|$)/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(answer?.headers()).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  const again = await page.request.get('/history');
  expect(again.headers()['content-security-policy']).not.toBe(policy);

  await visit('/history');
  // The browser itself says that it refused the handler.
  const refused = await page.evaluate(() => {
    const violation = new Promise<string>((done) =>
      document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective), { once: true }),
    );
    const box = document.createElement('div');
    box.innerHTML = '<button onclick="window.odpInjected = true">x</button>';
    document.body.append(box);
    box.querySelector('button')?.click();
    return violation;
  });
  expect(refused).toBe('script-src-attr');
  expect(await page.evaluate(() => 'odpInjected' in window)).toBe(false);
  await expect.poll(() => browserErrors.length).toBe(1);
  expect(browserErrors.pop()).toContain('Content Security Policy');
});

test('loads nothing from anywhere else', async ({ page, visit, baseURL }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseURL}/`) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  for (const path of ['/', '/configuration', '/history']) await visit(path);
  expect(foreign).toEqual([]);
});
