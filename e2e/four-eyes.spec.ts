import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { APIRequestContext, Browser, Page } from '@playwright/test';
import { chosenPassword, product } from './support/product.ts';
import { cancelReverts } from './support/reverts.ts';
import { asProxyAdmin, shownValue } from './support/sql.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';
import { addUser } from './support/viewer.ts';

const second = 'sora';
const headers = { origin: '' };
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const state = (page: Page) => page.getByRole('status').filter({ hasText: /^(Waiting|Approved|Refused|Withdrawn)$/ });

/** Somebody else, signed in by another browser. */
async function signIn(browser: Browser, name: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: product().url, storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(chosenPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectLive(page);
  return page;
}

/** Proposes a change over the API. @returns the number of the proposal, null when it was made at once */
async function change(request: APIRequestContext, name: string, value: string): Promise<number | null> {
  const { parameters } = await (await request.get('/api/parameters')).json();
  const { revision: baseRevision } = parameters.find((one: { name: string }) => one.name === name);
  const data = { changes: [{ name, value, baseRevision }], reason: 'of the tests' };
  const answer = await request.post('/api/parameters', { headers, data });
  expect(answer.status()).toBe(200);
  return (await answer.json()).proposal;
}

async function decide(page: Page, step: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: `${step} …` }).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`^${step}: Proposal`) });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: step }).click();
  await expect(dialog).toBeHidden();
}

/** Rows of the history as they are stored. */
function storedRows(proposal: number): string[] {
  const database = new DatabaseSync(join(product().home, 'odp.db'), { readOnly: true });
  try {
    const rows = database
      .prepare(`SELECT action, actor, parameter, reason FROM "HistoryRow" WHERE reason LIKE ? ORDER BY id`)
      .all(`proposal ${proposal} of %`);
    return rows.map(({ action, actor, parameter, reason }) => `${action} ${actor} ${parameter}: ${reason}`);
  } finally {
    database.close();
  }
}

test.beforeAll(() => {
  headers.origin = product().url;
});

test.beforeEach(async ({ page }) => {
  addUser(second, 'dba');
  expect(await change(page.request, 'four_eyes_parameters', 'enable_congestion;congestion_fail_window')).toBeNull();
});

test.afterEach(async ({ page, browser }) => {
  const { proposals } = await (await page.request.get('/api/proposals')).json();
  for (const { id, state: now } of proposals) {
    if (now !== 'waiting') continue;
    await page.request.post(`/api/proposals/${id}/withdraw`, { headers, data: { reason: 'end of the test' } });
  }
  addUser(second, 'dba');
  const id = await change(page.request, 'four_eyes_parameters', '');
  const other = await signIn(browser, second);
  const answer = await other.request.post(`/api/proposals/${id}/approve`, {
    headers,
    data: { reason: 'end of the test' },
  });
  expect(answer.status()).toBe(200);
  await other.context().close();
  await cancelReverts(page.request);
  await asProxyAdmin(
    "ALTER PROXYCONFIG SET enable_congestion = 'True'",
    "ALTER PROXYCONFIG SET congestion_fail_window = '120s'",
  );
});

test('one proposes, another approves: two browsers, from the log-in to the rows in the database', async ({
  page,
  visit,
  browser,
}) => {
  const other = await signIn(browser, second);
  await other.goto('/configuration');
  await expectLive(other);
  await visit('/configuration');
  await page.getByRole('switch', { name: 'enable_congestion' }).click();
  await field(page, 'congestion_fail_window').fill('60s');
  await page.getByRole('button', { name: /^Review/ }).click();
  const review = page.getByRole('dialog', { name: 'Propose 2 changes' });
  await expect(review).toContainText('Nothing changes until somebody else has approved it');
  await review.getByLabel('Reason').fill('maintenance of zone 2');
  await review.getByLabel('Goes back by itself').selectOption('after 30 minutes');
  await review.getByRole('button', { name: 'Propose' }).click();
  await expect(review).toBeHidden();
  const waiting = page.getByRole('region', { name: 'Waits for a second person' }).locator('[data-proposal]');
  await expect(waiting).toContainText(
    /congestion_fail_window → 60s.*by admin, 23 h 59 min left: maintenance of zone 2/s,
  );
  await expect(page.getByRole('link', { name: /Configuration.*1 proposal waits for a second person/ })).toBeVisible();
  await expectAccessible(page);
  expect(await shownValue('congestion_fail_window')).toBe('120s');

  await waiting.getByRole('link', { name: /Look at it/ }).click();
  await expect(page).toHaveURL(/\/configuration\/proposals\/\d+$/);
  await expect(state(page)).toHaveText('Waiting');
  await expect(page.getByText('somebody else has to decide it')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve …' })).toHaveCount(0);

  // The other one sees it come, and opens the address that was sent.
  await expect(other.getByRole('region', { name: 'Waits for a second person' })).toContainText('by admin');
  await other.goto(page.url());
  await expectLive(other);
  await expect(other.locator('[data-change="congestion_fail_window"]')).toContainText(/120s.*60s/s);
  await expect(other.locator('[data-change="enable_congestion"]')).toContainText(/True.*false/is);
  await expect(other.getByText('30 min 0 s after it is approved')).toBeVisible();
  await expect(other.getByRole('region', { name: 'What if' })).toContainText(/last 6 hours/);
  await expectAccessible(other);
  await decide(other, 'Approve', 'seen and agreed');
  await expect(other.getByText(/In force in (the worker|all \d+ workers)/)).toBeVisible();

  await expect(state(page)).toHaveText('Approved');
  await expect(page.getByText('seen and agreed')).toBeVisible();
  expect(await shownValue('congestion_fail_window')).toBe('60s');
  expect((await shownValue('enable_congestion')).toLowerCase()).toBe('false');
  const id = Number(page.url().split('/').at(-1));
  const made = `proposal ${id} of admin: maintenance of zone 2; approved by ${second}: seen and agreed`;
  expect(storedRows(id).toSorted()).toEqual(
    [
      `proposal.create admin congestion_fail_window: proposal ${id} of admin: maintenance of zone 2`,
      `proposal.create admin enable_congestion: proposal ${id} of admin: maintenance of zone 2`,
      `parameter.change ${second} congestion_fail_window: ${made}`,
      `parameter.change ${second} enable_congestion: ${made}`,
      `proposal.approve ${second} : proposal ${id} of admin: seen and agreed`,
    ].toSorted(),
  );
  await page.goto('/history?q=action:proposal.create');
  const entry = page.locator('[data-history]').first();
  await expect(entry).toContainText(/Change proposed.*enable_congestion|Change proposed.*congestion_fail_window/s);
  await entry.getByRole('button', { name: /Details/ }).click();
  await entry.getByRole('link', { name: `Proposal ${id}` }).click();
  await expect(state(page)).toHaveText('Approved');
  await page.goto('/configuration');
  const planned = page.getByRole('region', { name: 'Goes back by itself' });
  await expect(planned.locator('[data-revert]')).toHaveCount(2);
  await expect(planned.getByRole('button')).toHaveCount(0);
  await other.context().close();
});

test('over SQL nobody changes it, the proxy administrator neither: the error tells the way', async ({
  page,
  visit,
}) => {
  await expect(asProxyAdmin("ALTER PROXYCONFIG SET enable_congestion = 'False'")).rejects.toThrow(
    /enable_congestion: a second person is needed \(four_eyes_parameters\)\. Propose the change on the console/,
  );
  await expect(asProxyAdmin("ALTER PROXYCONFIG SET four_eyes_parameters = ''")).rejects.toThrow(/second person/);
  expect(await shownValue('enable_congestion')).toMatch(/true/i);
  await visit('/history?q=outcome:refused');
  await expect(page.locator('[data-history]').first()).toContainText(/four_eyes_parameters.*FOUR_EYES_NEEDED/s);
});

test("case B101: what moved meanwhile is said, to both, and is not approved; one's own neither", async ({
  page,
  browser,
}) => {
  const first = await change(page.request, 'congestion_fail_window', '60s');
  const later = await change(page.request, 'congestion_fail_window', '90s');
  const own = await page.request.post(`/api/proposals/${later}/approve`, { headers, data: { reason: 'mine' } });
  expect([own.status(), (await own.json()).code]).toEqual([403, 'PROPOSAL_PERSON']);
  await page.goto(`/configuration/proposals/${later}`);
  await expectLive(page);
  const other = await signIn(browser, second);
  await other.goto(`/configuration/proposals/${first}`);
  await decide(other, 'Approve', 'yes');
  await expect(page.locator('[data-change]')).toContainText(`Changed since: it is 60s now, by ${second} at`);
  await expect(page.getByText('It cannot be approved')).toBeVisible();
  await other.goto(`/configuration/proposals/${later}`);
  await expect(other.getByRole('button', { name: 'Approve …' })).toBeDisabled();
  await expectAccessible(other);
  await decide(other, 'Refuse', 'the window was set to 60s');
  await expect(state(page)).toHaveText('Refused');
  await expect(page.getByText('the window was set to 60s')).toBeVisible();
  expect(await shownValue('congestion_fail_window')).toBe('60s');
  await other.context().close();
});

test('the proposer withdraws; a role lowered while the dialog is open approves nothing', async ({ page, browser }) => {
  const id = await change(page.request, 'enable_congestion', 'False');
  const other = await signIn(browser, second);
  await other.goto(`/configuration/proposals/${id}`);
  await other.getByRole('button', { name: 'Approve …' }).click();
  const dialog = other.getByRole('dialog', { name: /^Approve/ });
  await dialog.getByLabel('Reason').fill('yes');
  addUser(second, 'operator');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(dialog.getByRole('alert')).toContainText('parameters.approve');
  expect(await shownValue('enable_congestion')).toMatch(/true/i);
  await page.goto(`/configuration/proposals/${id}`);
  await decide(page, 'Withdraw', 'a mistake');
  await expect(state(page)).toHaveText('Withdrawn');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(state(other)).toHaveText('Withdrawn');
  await other.reload();
  await expectLive(other);
  await expect(other.getByRole('button', { name: /…$/ })).toHaveCount(0);
  await page.goto('/configuration/proposals/999999');
  await expect(page.getByText('There is no proposal 999999')).toBeVisible();
  await other.context().close();
});
