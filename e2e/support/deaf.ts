import type { Page } from '@playwright/test';

/** Makes a page that believes to be live and never hears of any change; to be called before it is opened. */
export async function makeDeaf(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'EventSource', {
      value: class {
        onerror = null;
        addEventListener(_type: string, listener: (event: { data: string }) => void): void {
          setTimeout(() => listener({ data: JSON.stringify({ type: 'ping', at: new Date().toISOString() }) }), 0);
        }
        close(): void {
          this.onerror = null;
        }
      },
    });
  });
}
