import type { Page } from '@playwright/test';
import { makeDeaf } from './support/deaf.ts';
import { enter, expectSignedOut, guess, otherBrowser, signedIn } from './support/people.ts';
import { shownValue } from './support/sql.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';
import { addUser, newestRow, storedUser } from './support/viewer.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const rowOf = (page: Page, name: string) => page.locator(`[data-user="${name}"]`);

async function openUser(page: Page, name: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: `Details of ${name}` })
    .click();
  await expect(dialog(page).getByRole('heading', { name, exact: true })).toBeVisible();
}

async function send(page: Page, word: string, reason: string): Promise<void> {
  await dialog(page).getByLabel('Reason').fill(reason);
  await dialog(page).getByRole('button', { name: word, exact: true }).click();
}

test('issue 9: a user is added, logs in with the one-time password, and is told where and by whom', async ({
  page,
  visit,
  browser,
}) => {
  await visit('/users');
  await page.getByRole('button', { name: 'Add user …' }).click();
  await expect(dialog(page).getByLabel('Name')).toBeFocused();
  await dialog(page).getByLabel('Name').fill('Nora');
  await expect(dialog(page).getByRole('alert')).toContainText('Small letters');
  await dialog(page).getByLabel('Name').fill('nora');
  await dialog(page)
    .getByLabel(/^operator/)
    .check();
  await expectAccessible(page);
  await send(page, 'Add', 'Nora is on call from today');
  const password = (await dialog(page).getByTestId('one-time-password').textContent()) ?? '';
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'I have passed it on' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(rowOf(page, 'nora')).toContainText('One-time password');
  expect(newestRow('user.create')).toMatchObject({
    actor: 'admin',
    role: 'administrator',
    newValue: 'nora: operator',
    reason: 'Nora is on call from today',
  });
  expect(JSON.stringify([storedUser('nora'), newestRow('user.create')])).not.toContain(password);

  const nora = await otherBrowser(browser);
  await enter(nora, 'nora', password);
  await expect(nora.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
  await nora.getByLabel('One-time password').fill(password);
  await nora.getByLabel('New password', { exact: true }).fill('noras own password');
  await nora.getByLabel('New password again').fill('noras own password');
  await nora.getByRole('button', { name: 'Save password' }).click();
  await expectLive(nora);
  await expect(rowOf(page, 'nora')).toHaveAttribute('data-state', 'active');
  await expect(rowOf(page, 'nora')).toContainText('127.0.0.1');
  expect(storedUser('nora')).toMatchObject({ role: 'operator', mustChangePassword: 0, lastLoginFrom: '127.0.0.1' });

  // What is not hers is neither offered nor given.
  await expect(
    nora.getByRole('navigation', { name: 'Pages' }).first().getByRole('link', { name: 'Users' }),
  ).toHaveCount(0);
  await nora.goto('/users');
  await expect(nora.getByRole('alert').filter({ hasText: 'Could not load the users' })).toContainText('users.read');
  await nora.context().close();
});

test('issue 9: a role lowered while logged in: the open page hears of it, and the next action is refused', async ({
  page,
  visit,
  browser,
}) => {
  addUser('dana', 'dba');
  const open = await signedIn(browser, 'dana');
  const deaf = await open.context().newPage();
  await makeDeaf(deaf);
  await deaf.goto('/configuration');
  await deaf.getByRole('textbox', { name: 'congestion_fail_window', exact: true }).fill('60s');
  await deaf.getByRole('button', { name: /^Review/ }).click();
  await deaf.getByRole('dialog').getByLabel('Reason').fill('begun as a DBA');

  await visit('/users');
  await openUser(page, 'dana');
  await dialog(page).getByRole('button', { name: 'Role …' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Change the role' })).toBeDisabled();
  await dialog(page)
    .getByLabel(/^viewer/)
    .check();
  await expectAccessible(page);
  await send(page, 'Change the role', 'Dana has left the team');
  await expect(rowOf(page, 'dana').getByTestId('role')).toHaveText('viewer');

  await expect(open.getByText('Your role is viewer now')).toBeVisible();
  await expect(open.getByRole('button', { name: 'Account of dana' })).toContainText('viewer');
  await expectLive(open);
  await deaf.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect(deaf.getByRole('dialog').getByRole('alert')).toContainText('parameters.write');
  expect(await shownValue('congestion_fail_window')).toBe('120s');
  expect(newestRow('user.role')).toMatchObject({
    oldValue: 'dana: dba',
    newValue: 'dana: viewer',
    reason: 'Dana has left the team',
  });
  expect(newestRow('parameter.change')).toMatchObject({ actor: 'dana', role: 'viewer', outcome: 'refused' });
  await open.context().close();
});

test('case B112 lock-out: wrong passwords from several addresses lock, and an administrator unlocks', async ({
  page,
  visit,
  browser,
}) => {
  addUser('lena', 'operator');
  await visit('/users');
  for (const address of ['127.0.0.2', '127.0.0.3']) {
    for (let time = 0; time < 5; time += 1) expect(await guess('lena', address)).toBe(401);
  }
  const row = rowOf(page, 'lena');
  await expect(row).toHaveAttribute('data-state', 'locked');
  await expect(row).toContainText('10 wrong passwords, last from 127.0.0.3');
  await expectAccessible(page);
  expect(newestRow('user.lock')).toMatchObject({ actor: 'lena', origin: '127.0.0.3', reason: '10 wrong passwords' });

  const lena = await otherBrowser(browser);
  await enter(lena, 'lena');
  await expect(lena.getByRole('alert').filter({ hasText: /./ })).toContainText('Wrong name or password');

  await row.getByRole('button', { name: 'Unlock …' }).click();
  await send(page, 'Unlock', 'Lena is on the phone');
  await expect(row).toHaveAttribute('data-state', 'active');
  expect(storedUser('lena')).toMatchObject({ lockedUntil: null, failedLogins: 0 });
  expect(newestRow('user.unlock')).toMatchObject({ actor: 'admin', reason: 'Lena is on the phone' });
  await enter(lena, 'lena');
  await expectLive(lena);
  await lena.context().close();
});

test('issue 9: a log-in that is ended leads its browser to the sign-in page, also when its user is disabled', async ({
  page,
  visit,
  browser,
}) => {
  addUser('rita', 'viewer');
  const rita = await signedIn(browser, 'rita');
  await visit('/users');
  await openUser(page, 'rita');
  await expect(dialog(page).getByRole('list', { name: 'Log-ins' })).toContainText(
    /Chrome \d+ on \w+ from 127\.0\.0\.1/,
  );
  await expectAccessible(page);
  await dialog(page)
    .getByRole('button', { name: /^End the log-in from/ })
    .click();
  await send(page, 'End it', 'A lost laptop');
  await expectSignedOut(rita);
  expect(newestRow('login.end')).toMatchObject({ actor: 'admin', newValue: 'ended', reason: 'A lost laptop' });
  await expect(dialog(page)).toContainText('Not logged in anywhere.');

  await enter(rita, 'rita');
  await expectLive(rita);
  await dialog(page).getByRole('button', { name: 'Disable …' }).click();
  await expect(dialog(page)).toContainText('1 log-in will end.');
  await send(page, 'Disable', 'Rita has left');
  await expectSignedOut(rita);
  await expect(rowOf(page, 'rita')).toHaveAttribute('data-state', 'disabled');
  await enter(rita, 'rita');
  await expect(rita.getByRole('alert').filter({ hasText: /./ })).toContainText('Wrong name or password');
  await rita.context().close();
});

test('stale edit: of two administrators at one user the later is refused, and sees what is', async ({
  page,
  visit,
  browser,
}) => {
  addUser('stan', 'viewer');
  addUser('ann', 'administrator');
  const ann = await signedIn(browser, 'ann');
  await ann.goto('/users');
  await expectLive(ann);
  await visit('/users');
  for (const [one, role] of [
    [page, /^dba/],
    [ann, /^operator/],
  ] as const) {
    await openUser(one, 'stan');
    await dialog(one).getByRole('button', { name: 'Role …' }).click();
    await dialog(one).getByLabel(role).check();
  }
  await send(ann, 'Change the role', 'Stan is on call');
  await expect(rowOf(page, 'stan').getByTestId('role')).toHaveText('operator');
  await send(page, 'Change the role', 'Stan is a DBA');
  await expect(dialog(page).getByRole('alert')).toContainText(
    /Nothing was changed\. stan was changed by somebody else/,
  );
  await expect(dialog(page)).toContainText('stan is now: operator, active.');
  expect(storedUser('stan')).toMatchObject({ role: 'operator' });
  await dialog(page).getByRole('button', { name: 'Change the role' }).click();
  await expect(rowOf(page, 'stan').getByTestId('role')).toHaveText('dba');
  expect(storedUser('stan')).toMatchObject({ role: 'dba' });

  // Nobody lowers themselves: it is not offered, and the proxy refuses it.
  await page.keyboard.press('Escape');
  await openUser(page, 'admin');
  await expect(dialog(page)).toContainText('Nobody changes their own role or state.');
  await expect(dialog(page).getByRole('button', { name: 'Role …' })).toHaveCount(0);
  await ann.context().close();
});

test('an auditor sees users, log-ins and the history, and can change nothing', async ({ browser }) => {
  addUser('otto', 'auditor');
  const otto = await signedIn(browser, 'otto');
  await otto.getByRole('navigation', { name: 'Pages' }).first().getByRole('link', { name: 'Users' }).click();
  await expect(rowOf(otto, 'admin')).toBeVisible();
  await expect(otto.getByRole('button', { name: 'Add user …' })).toHaveCount(0);
  await expect(otto.locator('[data-right="parameters.write"] [data-role="dba"]')).toHaveText('yes');
  await expect(otto.locator('[data-right="parameters.write"] [data-role="auditor"]')).toContainText('no');
  await openUser(otto, 'admin');
  await expect(dialog(otto).getByRole('list', { name: 'Log-ins' })).toContainText('127.0.0.1');
  await expect(dialog(otto).getByRole('button', { name: /…$|^End/ })).toHaveCount(0);
  await expectAccessible(otto);
  await otto.goto('/history');
  await expect(otto.locator('[data-history]').first()).toBeVisible();
  expect((await otto.request.get('/api/history.csv')).status()).toBe(200);
  await otto.goto('/configuration');
  await expectLive(otto);
  await expect(otto.getByRole('textbox', { name: 'congestion_fail_window', exact: true })).toHaveCount(0);
  await otto.context().close();
});

test('everybody sees where they are logged in, and ends the others', async ({ browser }) => {
  addUser('vera', 'viewer');
  const first = await signedIn(browser, 'vera');
  const second = await signedIn(browser, 'vera');
  await second.getByRole('button', { name: 'Account of vera' }).click();
  await second.getByRole('menuitem', { name: 'Your account and log-ins' }).click();
  await expect(second.getByRole('heading', { name: 'Your account', level: 1 })).toBeVisible();
  await expect(second.locator('[data-log-in]')).toHaveCount(2);
  await expectAccessible(second);
  await second.getByRole('button', { name: 'End all others' }).click();
  await expect(second.locator('[data-log-in]')).toHaveCount(1);
  await expect(second.locator('[data-log-in="current"]')).toContainText('this one');
  await expectSignedOut(first);
  await expectLive(second);
  await first.context().close();
  await second.context().close();
});

test('by keyboard: to the page, into a user and back', async ({ page, visit }) => {
  await visit('/');
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page).toHaveURL(/\/users$/);
  const details = rowOf(page, 'admin').getByRole('button', { name: 'Details of admin' });
  await details.focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await expect(page).toHaveURL(/user=1/);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(details).toBeFocused();
});
