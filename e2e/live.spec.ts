import { CuttableProxy } from './support/cuttable-proxy.ts';
import { product } from './support/product.ts';
import { asProxyAdmin } from './support/sql.ts';
import { expect, expectAccessible, expectLive, test } from './support/test.ts';

let relay: CuttableProxy;

test.beforeEach(async () => {
  relay = await CuttableProxy.start(Number(new URL(product().url).port));
});
test.afterEach(async () => {
  await relay.stop();
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '120s'");
});

test('says when the stream is lost and since when, and recovers by itself', async ({ page }) => {
  await page.goto(`${relay.url}/configuration`);
  await expectLive(page);
  relay.cut();
  await expect(page.getByTestId('live')).toHaveText(/stale.*since \d\d:\d\d:\d\d/);
  await expect(page.getByText(/Live updates are interrupted since/)).toBeVisible();
  await expectAccessible(page);
  await asProxyAdmin("ALTER PROXYCONFIG SET congestion_fail_window = '77s'");
  relay.mend();
  await expectLive(page);
  await expect(page.getByText(/Live updates are interrupted/)).toBeHidden();
  // What happened meanwhile is there too.
  await expect(page.getByRole('textbox', { name: 'congestion_fail_window' })).toHaveValue('77s');
});

test('notices a stream that has only gone quiet', async ({ page }) => {
  await page.clock.install();
  await page.goto(`${relay.url}/`);
  await expectLive(page);
  relay.silence();
  await page.clock.fastForward(13_000);
  await expect(page.getByTestId('live')).toHaveAttribute('data-phase', 'stale');
});
