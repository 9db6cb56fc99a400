import type { Page, Route } from '@playwright/test';
import { type UpgradeState, upgradeDecisionSchema, upgradeStartSchema } from '../../proxy/control/contract.ts';
import type { Bench } from '../../proxy/upgrade/testing-bench.ts';
import type { UpgradeEvent } from '../../proxy/upgrade/types.ts';
import { viewOf } from '../../proxy/upgrade/view.ts';

/** The bench's clock stands at a day long ago; what is staged has to be newer than what the real proxy tells. */
const aheadMs = 3_600_000;
const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Upgrades as the real state machine tells them, with generations that do what a test says: for states that the real
 * product passes through too fast, or never on purpose. The page gets them in place of the proxy's own, over a stream
 * that says nothing else.
 */
export class StagedUpgrade {
  readonly bench: Bench;
  readonly #page: Page;
  readonly #shiftMs: number;

  private constructor(page: Page, bench: Bench) {
    this.#page = page;
    this.bench = bench;
    this.#shiftMs = Date.now() + aheadMs - bench.at().wallMs;
  }

  /** To be called before the page is opened. */
  static async on(page: Page, bench: Bench): Promise<StagedUpgrade> {
    const staged = new StagedUpgrade(page, bench);
    await page.addInitScript(stageEvents);
    await page.route('**/api/upgrade', (route) => route.fulfill({ json: staged.view() }));
    await page.route('**/api/upgrade/*', (route) => staged.#order(route));
    return staged;
  }

  view(): UpgradeState {
    const view = JSON.stringify(viewOf(this.bench.state, this.bench.at()));
    const shifted = (_key: string, value: unknown): unknown =>
      typeof value === 'string' && isoTime.test(value)
        ? new Date(Date.parse(value) + this.#shiftMs).toISOString()
        : value;
    return JSON.parse(view, shifted) as UpgradeState;
  }

  async tell(event: UpgradeEvent): Promise<void> {
    this.bench.tell(event);
    await this.push();
  }

  /** Lets time pass in the proxy, at once, while the generations go on telling what they told last. */
  async live(ms: number): Promise<void> {
    this.bench.live(ms, ...this.bench.state.generations.map(({ id }) => id));
    await this.push();
  }

  /** Sends the state to the page as the event stream does. */
  async push(): Promise<void> {
    await this.#page.evaluate((data) => window.dispatchEvent(new CustomEvent('staged', { detail: data })), {
      type: 'upgrade',
      state: this.view(),
    });
  }

  async #order(route: Route): Promise<void> {
    const what = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const body: unknown = route.request().postDataJSON();
    const order = { by: 'admin', source: 'console' as const };
    if (what === 'start') this.bench.tell({ type: 'start', ...upgradeStartSchema.parse(body), ...order });
    else this.bench.tell({ type: what as 'commit' | 'rollback', ...upgradeDecisionSchema.parse(body), ...order });
    const { refusal } = this.bench;
    if (refusal === null) {
      await route.fulfill({ json: this.view() });
      return;
    }
    const problem = { type: 'about:blank', title: 'Refused', status: 409, code: refusal.code, requestId: 'r' };
    const detail = `refused: ${JSON.stringify(refusal.details)}`;
    await route.fulfill({ status: 409, contentType: 'application/problem+json', json: { ...problem, detail } });
  }
}

/** Runs in the page: an event stream that is live and passes on what the test dispatches. */
function stageEvents(): void {
  Object.defineProperty(window, 'EventSource', {
    value: class {
      onerror = null;
      onmessage: ((event: { data: string }) => void) | null = null;
      #listener = (event: Event): void => this.onmessage?.({ data: JSON.stringify((event as CustomEvent).detail) });
      constructor() {
        window.addEventListener('staged', this.#listener);
        const ping = { type: 'ping', at: new Date().toISOString() };
        setTimeout(() => this.onmessage?.({ data: JSON.stringify(ping) }), 0);
      }
      addEventListener(): void {
        // What is staged comes by `onmessage`.
      }
      close(): void {
        window.removeEventListener('staged', this.#listener);
      }
    },
  });
}
