import { expect, expectAccessible, test } from './support/test.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [device, viewport] of [
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    test.describe(`${colorScheme}, ${device}`, () => {
      test.use({ colorScheme, viewport });

      for (const path of [
        '/',
        '/blocklist',
        '/routing',
        '/locations',
        '/sessions',
        '/upgrade',
        '/configuration',
        '/history',
        '/users',
        '/account',
        '/tokens',
        '/lab',
        '/password',
      ]) {
        test(`${path} keeps to WCAG A and AA and fits the width`, async ({ page, visit }) => {
          if (path === '/password') {
            await page.goto(path);
            await expectAccessible(page);
          } else {
            await visit(path);
          }
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          expect(overflow).toBeLessThanOrEqual(0);
        });
      }
    });
  }
}

test('menus, palette and sheet keep to WCAG A and AA', async ({ page, visit }) => {
  await visit('/');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Account of/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page);
});

test('a chosen theme holds from the first byte', async ({ page, visit, context, baseURL }) => {
  await visit('/');
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const html = await (await context.request.get(`${baseURL}/`)).text();
  expect(html).toMatch(/<html[^>]*data-theme="dark"/);
});
