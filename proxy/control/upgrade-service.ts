import type { UpgradeOrder } from '../upgrade/types.ts';
import type { UpgradeView } from '../upgrade/view.ts';

/** What the control API needs of upgrades; the coordinator supplies it. */
export interface UpgradeService {
  state(): UpgradeView;
  /** Registers a listener for changes of the state, however many. @returns the function that ends it. */
  onChanged(listener: () => void): () => void;
  /** Resolves when the order is under way. Rejects with UPGRADE_RUNNING or UPGRADE_NOT_POSSIBLE. */
  order(order: UpgradeOrder): Promise<void>;
}
