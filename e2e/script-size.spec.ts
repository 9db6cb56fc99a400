import { globSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, expectLive, test } from './support/test.ts';

/** Issue 9: compressed script of a page's first load. */
const limitBytes = 250_000;

/** Every page that needs no name of something to be opened. */
const paths = globSync('**/page.tsx', { cwd: 'app/(console)' })
  .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`)
  .filter((path) => !path.includes('['))
  .sort();

/** Counts the bytes of scripts' bodies as they come over the wire. */
async function countScripts(page: Page): Promise<() => number> {
  const devtools = await page.context().newCDPSession(page);
  const scripts = new Map<string, number>();
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.set(requestId, 0);
  });
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const before = scripts.get(requestId);
    if (before !== undefined) scripts.set(requestId, before + encodedDataLength);
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  return () => [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0);
}

for (const path of paths) {
  test(`the first load of ${path} is under 250 KB of compressed script`, async ({ page }) => {
    const bytes = await countScripts(page);
    await page.goto(path);
    await expectLive(page);
    await page.waitForLoadState('load');
    test.info().annotations.push({ type: 'compressed script', description: `${path}: ${bytes()} bytes` });
    expect(bytes(), path).toBeGreaterThan(50_000);
    expect(bytes(), path).toBeLessThan(limitBytes);
  });
}

test('the first load of the sign-in page is under 250 KB of compressed script', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    ...(baseURL ? { baseURL } : {}),
  });
  const page = await context.newPage();
  const bytes = await countScripts(page);
  await page.goto('/login');
  await expect(page.getByLabel('Password')).toBeVisible();
  await page.waitForLoadState('load');
  expect(bytes()).toBeGreaterThan(50_000);
  expect(bytes()).toBeLessThan(limitBytes);
  await context.close();
});
