import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/test.ts';

const phone = { width: 390, height: 844 };

test.describe('on a phone', () => {
  test.use({ viewport: phone });

  test('the bar has a few pages, and every page is behind More', async ({ page, visit }) => {
    await visit('/');
    const bar = page.getByRole('navigation', { name: 'Pages', exact: true });
    await expect(bar.getByRole('link')).toHaveCount(4);
    await expect(bar.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page');
    const before = await bar.boundingBox();
    await bar.getByRole('button', { name: 'More' }).click();
    const all = page.getByRole('navigation', { name: 'All pages' });
    await expect(all.getByRole('link').first()).toBeVisible();
    await expectAccessible(page);
    await all.getByRole('link', { name: 'History' }).click();
    await expect(page).toHaveURL(/\/history$/);
    await expect(all).toBeHidden();
    // Where one is can be told from the bar, and nothing has moved.
    await expect(bar.getByRole('button', { name: 'More' })).toHaveAttribute('aria-current', 'true');
    await expect(bar.getByRole('link', { name: 'Overview' })).not.toHaveAttribute('aria-current');
    expect(await bar.boundingBox()).toEqual(before);
  });

  test('no name in the bar is cut, and each is a target of 44 pixels', async ({ page, visit }) => {
    await visit('/configuration');
    const entries = page.getByRole('navigation', { name: 'Pages', exact: true }).locator('a:visible, button:visible');
    await expect(entries).toHaveCount(5);
    for (const entry of await entries.all()) {
      const { inner, outer, height } = await entry.evaluate((node) => ({
        inner: node.querySelector('span')?.scrollWidth ?? 0,
        outer: node.clientWidth,
        height: node.clientHeight,
      }));
      expect(inner).toBeLessThanOrEqual(outer);
      expect(Math.min(outer, height)).toBeGreaterThanOrEqual(44);
    }
  });

  test('the palette is behind More as well', async ({ page, visit }) => {
    await visit('/');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Find a page, a parameter or an action' }).click();
    await expect(page.getByRole('dialog', { name: 'Find a page, a parameter or an action' })).toBeVisible();
    await page.keyboard.type('locations');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/locations$/);
  });
});

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 820, height: 1180 } });

  test('the bar has every page, and nothing is behind anything', async ({ page, visit }) => {
    await visit('/');
    const bar = page.getByRole('navigation', { name: 'Pages', exact: true });
    await expect(bar.getByRole('button', { name: 'More' })).toBeHidden();
    for (const link of await bar.getByRole('link').all()) {
      const fits = await link.evaluate((node) => (node.querySelector('span')?.scrollWidth ?? 0) <= node.clientWidth);
      expect(fits).toBe(true);
    }
  });
});

/** Holds up what the page's scripts fetch from now on. @returns lets it through */
async function holdScripts(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_next/static/**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test.describe('before the palette has been fetched', () => {
  test('Escape closes it, and it stays closed when it comes', async ({ page, visit }) => {
    await visit('/');
    const release = await holdScripts(page);
    const fetched = page.waitForResponse(/_next\/static\/.*\.js/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('upgrade');
    await expect(page.getByRole('textbox', { name: 'Find a page, a parameter or an action' })).toHaveValue('upgrade');
    await page.keyboard.press('Escape');
    release();
    await (await fetched).finished();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toContainText('Go to Upgrade');
  });

  test('Enter takes what was typed', async ({ page, visit }) => {
    await visit('/');
    const release = await holdScripts(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('locations');
    await page.keyboard.press('Enter');
    release();
    await expect(page).toHaveURL(/\/locations$/);
  });
});
