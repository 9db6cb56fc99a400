import { defineConfig, devices } from '@playwright/test';

const pictures = process.env.ODP_SCREENSHOTS === '1';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/support/global-setup.ts',
  forbidOnly: process.env.CI !== undefined,
  // A test that needs a second try is broken.
  retries: 0,
  // One product with one configuration behind all of them.
  workers: 1,
  fullyParallel: false,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.ODP_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    },
  },
  projects: [
    { name: 'first login', testMatch: 'first-login.spec.ts' },
    {
      name: 'console',
      testMatch: '*.spec.ts',
      testIgnore: ['first-login.spec.ts', 'pictures.spec.ts'],
      dependencies: ['first login'],
      use: { storageState: 'test-results/signed-in.json' },
    },
    // Writes docs/images, so only when asked: ODP_SCREENSHOTS=1.
    ...(pictures
      ? [
          {
            name: 'pictures',
            testMatch: 'pictures.spec.ts',
            dependencies: ['first login'],
            use: { storageState: 'test-results/signed-in.json' },
          },
        ]
      : []),
  ],
});
