import { request } from 'node:http';
import type { Browser, Page } from '@playwright/test';
import { chosenPassword, product } from './product.ts';
import { expect, expectLive } from './test.ts';

/** Opens another browser, in which nobody is signed in. The caller closes its context. */
export async function otherBrowser(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    baseURL: product().url,
    storageState: { cookies: [], origins: [] },
    viewport: { width: 1440, height: 900 },
  });
  return await context.newPage();
}

/** Fills in the sign-in page and sends it. */
export async function enter(page: Page, name: string, password = chosenPassword): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in another browser. */
export async function signedIn(browser: Browser, name: string): Promise<Page> {
  const page = await otherBrowser(browser);
  await enter(page, name);
  await expectLive(page);
  return page;
}

/** Tries a wrong password from another address of this machine. @returns the status */
export function guess(name: string, localAddress: string): Promise<number> {
  const { url } = product();
  return new Promise((resolve, reject) => {
    const headers = { origin: url, 'content-type': 'application/json' };
    const call = request(`${url}/api/login`, { method: 'POST', localAddress, agent: false, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    call.once('error', reject);
    call.end(JSON.stringify({ name, password: 'not-the-password' }));
  });
}

/** Sees that a browser has been brought to the sign-in page. */
export async function expectSignedOut(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
}
