/** Upgrades whose state machine is the real one, and whose generations do nothing by themselves: for tests. */
import { OdpError } from '../errors/odp-error.ts';
import { Bench } from '../upgrade/testing-bench.ts';
import type { UpgradeEvent, UpgradeOrder } from '../upgrade/types.ts';
import { type UpgradeView, viewOf } from '../upgrade/view.ts';
import type { UpgradeService } from './upgrade-service.ts';

export class TestUpgrades implements UpgradeService {
  readonly bench = Bench.serving();
  readonly #listeners = new Set<() => void>();

  state(): UpgradeView {
    return viewOf(this.bench.state, this.bench.at());
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  order(order: UpgradeOrder): Promise<void> {
    this.tell(order);
    const { refusal } = this.bench;
    return refusal === null ? Promise.resolve() : Promise.reject(new OdpError(refusal.code, refusal.details));
  }

  tell(event: UpgradeEvent): void {
    this.bench.tell(event);
    for (const listener of this.#listeners) listener();
  }
}
