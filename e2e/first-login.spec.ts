import { chosenPassword, product, signedInFile } from './support/product.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';

test('the one-time password lets in once, and only to choose another', async ({ page, context, baseURL }) => {
  await page.goto('/history?q=source%3Asql');
  await expect(page).toHaveURL(/\/login/);
  await expectAccessible(page);

  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill('not-the-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible();

  await page.getByLabel('Password').fill(product().oneTimePassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
  await expectAccessible(page);

  // Nothing else is to be had before that.
  await page.goto('/configuration');
  await expect(page).toHaveURL(/\/password$/);
  expect((await page.request.get('/api/overview')).status()).toBe(403);

  const [current, next, again] = ['One-time password', 'New password', 'New password again'].map((name) =>
    page.getByLabel(name, { exact: true }),
  );
  const save = page.getByRole('button', { name: 'Save password' });
  await current?.fill(product().oneTimePassword);
  await next?.fill('short');
  await again?.fill('short');
  await save.click();
  await expect(page.getByText('Use 10 to 256 characters.')).toBeVisible();
  await next?.fill(chosenPassword);
  await again?.fill(`${chosenPassword}x`);
  await save.click();
  await expect(page.getByText('The two do not match.')).toBeVisible();
  await again?.fill(chosenPassword);
  await save.click();

  await expect(page).toHaveURL(`${baseURL}/`);
  await expectLive(page);
  await context.storageState({ path: signedInFile });

  // B112: the session from before the change is not the one from after it, and the cookie is out of scripts' reach.
  const cookie = (await context.cookies()).find(({ name }) => name.startsWith('odp_session_'));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  expect(await page.evaluate(() => document.cookie)).not.toContain('odp_session');
});
