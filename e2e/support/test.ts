import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { product } from './product.ts';

interface ConsoleFixtures {
  /** Opens a page of the console, waits until it is live, and holds it to WCAG A and AA (once for each look). */
  visit: (path: string) => Promise<void>;
  /** Errors that the browser has logged so far; empty again at the end, or the test has failed. */
  browserErrors: string[];
}

/** Pages that this worker has held to WCAG already: path, theme and width. A second look at the same finds nothing new. */
const auditedLooks = new Set<string>();

/** Playwright's test with the console's address, a `visit`, and no tolerance for errors in the browser's log. */
export const test = base.extend<ConsoleFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a destructured first parameter.
  baseURL: async ({}, use) => use(product().url),
  // biome-ignore lint/correctness/noEmptyPattern: see above.
  browserErrors: async ({}, use) => use([]),
  page: async ({ page, browserErrors: errors }, use) => {
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // A refused request is told there too; tests that provoke one look at its answer.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text());
    });
    await use(page);
    expect(errors, "errors in the browser's log").toEqual([]);
  },
  visit: async ({ page, colorScheme }, use) => {
    await use(async (path) => {
      await page.goto(path);
      await expectLive(page);
      const look = `${path.split('?')[0]} ${colorScheme} ${page.viewportSize()?.width}`;
      if (auditedLooks.has(look)) return;
      await expectAccessible(page);
      auditedLooks.add(look);
    });
  },
});

export { expect };

/** The page's scripts run and its event stream has said hello. */
export async function expectLive(page: Page): Promise<void> {
  await expect(page.getByTestId('live')).toHaveAttribute('data-phase', 'live');
}

/** No breach of WCAG 2.2 A or AA that axe can find in what is shown now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  expect(found).toEqual([]);
}
