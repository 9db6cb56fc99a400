/**
 * Interaction to paint with 500 servers and 10,000 sessions (issue 9). The figures are printed, and in docs/console.md by
 * machine and date; a test asserts no time. What it asserts is what makes them so: that each could be measured, and that
 * lists keep to a bounded number of rows however long they are.
 */
import type { Page } from '@playwright/test';
import { interactionMs, watchInteractions } from './support/interactions.ts';
import { LargeCluster, largeSizes } from './support/large-cluster.ts';
import { expect, expectLive, test } from './support/test.ts';

test.use({ storageState: { cookies: [], origins: [] } });

let large: LargeCluster;
const figures: string[] = [];

test.beforeAll(async () => {
  large = await LargeCluster.start();
});
test.afterAll(async () => {
  console.log(['| page | interaction | slowest | median | times |', '|---|---|---|---|---|', ...figures].join('\n'));
  await large.close();
});

async function open(page: Page, path: string): Promise<void> {
  await watchInteractions(page);
  await page.goto(`${large.url}/login`);
  await page.getByLabel('User name').fill(large.user.name);
  await page.getByLabel('Password').fill(large.user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectLive(page);
  await page.goto(`${large.url}${path}`);
  await expectLive(page);
}

/** Does something several times and keeps the figures. */
async function measure(page: Page, what: string, acts: readonly (() => Promise<void>)[]): Promise<void> {
  const times: number[] = [];
  for (const act of acts) times.push(await interactionMs(page, act));
  const sorted = times.toSorted((a, b) => a - b);
  const shown = (ms: number | undefined) => (ms === 16 ? '≤ 16 ms' : `${ms} ms`);
  const path = new URL(page.url()).pathname;
  figures.push(
    `| ${path} | ${what} | ${shown(sorted.at(-1))} | ${shown(sorted[Math.floor(sorted.length / 2)])} | ${times.length} |`,
  );
  expect(times.every((ms) => Number.isFinite(ms) && ms > 0)).toBe(true);
}

const keys = (page: Page, ...pressed: readonly string[]) => pressed.map((key) => () => page.keyboard.press(key));
const rows = (page: Page, attribute: string) => page.locator(`[${attribute}]`).count();

test('Overview', async ({ page }) => {
  await open(page, '/');
  await expect(page.getByTestId('verdict')).toHaveAttribute('data-level', 'bad');
  await expect(page.getByRole('group', { name: 'Events along the time' })).toBeVisible();
  const range = (name: string) => () => page.getByRole('button', { name, exact: true }).click();
  await measure(page, 'choose a range', [range('4 h'), range('1 h'), range('15 min')]);
  await measure(page, 'pause, and go on', [range('Pause'), range('Resume')]);
  await measure(page, 'a page down and up', keys(page, 'PageDown', 'PageDown', 'PageUp', 'PageUp'));
});

test('Blocklist', async ({ page }) => {
  await open(page, '/blocklist');
  await expect(page.getByTestId('headline')).toContainText(`${largeSizes.listed} of ${largeSizes.servers}`);
  expect(await rows(page, 'data-server')).toBeLessThanOrEqual(largeSizes.listed + 60);
  const details = page.getByRole('button', { name: /^Details of/ });
  await measure(
    page,
    'open a server',
    [0, 20, 40, 60].map((nth) => () => details.nth(nth).click()),
  );
  await measure(page, 'a page down and up', keys(page, 'PageDown', 'PageDown', 'PageUp', 'PageUp'));
  await page.getByLabel('Zone').focus();
  await measure(page, 'choose a zone', keys(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Home'));
  await measure(page, 'more servers', [() => page.getByRole('button', { name: /^Show/ }).click()]);
});

test('Sessions', async ({ page }) => {
  await open(page, '/sessions');
  await expect(page.getByText('10,000 sessions')).toBeVisible();
  expect(await rows(page, 'data-session')).toBeLessThanOrEqual(60);
  const sorts = ['Tenant', 'Statement', 'User', 'State'];
  await measure(
    page,
    'sort',
    sorts.map((name) => () => page.getByRole('columnheader').getByRole('button', { name, exact: true }).click()),
  );
  await page.getByRole('region', { name: 'List of sessions' }).focus();
  await measure(page, 'a page down and up', keys(page, 'PageDown', 'PageDown', 'End', 'PageUp', 'Home'));
  expect(await rows(page, 'data-session')).toBeLessThanOrEqual(60);
  await page.getByLabel('Search the sessions').focus();
  await measure(page, 'type in the filter', keys(page, ...'user:user-9', 'Backspace', '7'));
  await expect(page.getByText('10,000 sessions')).toBeHidden();
});

test('Locations', async ({ page }) => {
  await open(page, '/locations');
  await expect(page.locator('[data-location]').first()).toBeVisible();
  expect(await rows(page, 'data-location')).toBeLessThanOrEqual(50);
  const more = page.getByRole('button', { name: 'Load more' });
  await measure(
    page,
    'load more',
    [100, 150, 200].map((count) => async () => {
      await more.click();
      await expect(page.locator('[data-location]')).toHaveCount(count);
    }),
  );
  await page.getByLabel('Search the locations').focus();
  await measure(page, 'type in the filter', keys(page, ...'table_000', 'Backspace', '1'));
  await measure(page, 'a page down and up', keys(page, 'PageDown', 'PageUp'));
});
