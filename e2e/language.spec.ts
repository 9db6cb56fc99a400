import type { Browser, Page } from '@playwright/test';
import { type Language, languageTags } from '../app/lib/language.ts';
import { expect, expectAccessible, test } from './support/test.ts';

/** The name of each page's place in the navigation, which is its heading too. */
const headings: Record<string, Record<'ja' | 'zh', string>> = {
  '/': { ja: '概要', zh: '概览' },
  '/configuration': { ja: '構成', zh: '配置' },
  '/configuration/compare': { ja: '構成', zh: '配置' },
  '/history': { ja: '履歴', zh: '历史' },
  '/blocklist': { ja: 'ブロックリスト', zh: '黑名单' },
  '/sessions': { ja: 'セッション', zh: '会话' },
  '/routing': { ja: 'ルーティング', zh: '路由' },
  '/upgrade': { ja: 'アップグレード', zh: '升级' },
};

/** A browser without a session, of a reader who has told it a language. */
async function newReader(browser: Browser, baseURL: string | undefined, locale: string): Promise<Page> {
  const storageState = { cookies: [], origins: [] };
  const context = await browser.newContext({ storageState, locale, ...(baseURL ? { baseURL } : {}) });
  return context.newPage();
}

/** Three English words in a row in what is shown or read out, unless it is marked as English. */
function englishLeft(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const three = /\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\b/i;
    const found: string[] = [];
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('[lang="en"], script, style, code, pre') !== null) continue;
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      const said = ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? '');
      for (const text of [...own.map((node) => node.textContent ?? ''), ...said])
        if (three.test(text)) found.push(text);
    }
    return found;
  });
}

async function choose(page: Page, language: Language): Promise<void> {
  const names = { en: 'English', ja: '日本語', zh: '中文' };
  await page.locator('aside button[aria-haspopup="menu"]').click();
  await page.getByRole('menuitemradio', { name: names[language] }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', languageTags[language]);
}

test('issue 9: the sign-in page is in the language that the browser asks for, until another is chosen', async ({
  browser,
  baseURL,
}) => {
  const page = await newReader(browser, baseURL, 'ja-JP');
  await page.goto('/login');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await expect(page).toHaveTitle('サインイン · ODPコンソール');
  expect(await englishLeft(page)).toEqual([]);
  await expectAccessible(page);

  await page.getByLabel('ユーザー名').fill('admin');
  await page.getByRole('button', { name: '中文' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
  // What was typed is still there.
  await expect(page.getByLabel('用户名')).toHaveValue('admin');
  expect(await englishLeft(page)).toEqual([]);
  await expectAccessible(page);

  // The server writes it so from the first byte on.
  const html = await (await page.request.get('/login')).text();
  expect(html).toMatch(/<html[^>]* lang="zh-CN"/);
  expect(html).toContain('>登录</h1>');
  await page.context().close();
});

test('issue 9: a reader of no language that the console has gets English', async ({ browser, baseURL }) => {
  const page = await newReader(browser, baseURL, 'fr-FR');
  await page.goto('/login');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.context().close();
});

test('issue 9: the language is changed in the menu, on the page as it stands', async ({ page, visit, context }) => {
  await visit('/configuration?q=congestion_retry');
  await choose(page, 'ja');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('構成');
  expect(page.url()).toContain('q=congestion_retry');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'キーボードショートカット' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const html = await (await context.request.get('/configuration')).text();
  expect(html).toMatch(/<html[^>]* lang="ja"/);
  // Pages fetched before it was chosen are asked for again.
  await page.getByRole('navigation').getByRole('link', { name: '履歴' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('履歴');
  await choose(page, 'en');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('History');
});

for (const language of ['ja', 'zh'] as const) {
  for (const [path, heading] of Object.entries(headings)) {
    for (const width of [1440, 390]) {
      test(`issue 9: ${path} in ${language} at ${width} pixels`, async ({ page, visit, context, baseURL }) => {
        await page.setViewportSize({ width, height: 900 });
        await context.addCookies([{ name: 'odp_language', value: language, url: baseURL ?? '' }]);
        await visit(`${path}?in=${language}`);
        await expect(page.locator('html')).toHaveAttribute('lang', languageTags[language]);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading[language]);
        expect(await englishLeft(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
          0,
        );
        await expectAccessible(page);
      });
    }
  }
}
