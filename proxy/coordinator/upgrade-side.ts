/** A generation's side of upgrades: carries out what the supervisor tells it, and tells it how things stand. */
import type { ConfigView } from '../config/config-view.ts';
import type { UpgradeService } from '../control/upgrade-service.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';
import type { HistoryLog } from '../history/history-log.ts';
import type { Logger } from '../log/logger.ts';
import type { Refusal, UpgradeOrder, UpgradeSettings } from '../upgrade/types.ts';
import type { UpgradeView } from '../upgrade/view.ts';
import type { ToSupervisor, UpgradeRecord } from './supervisor-link.ts';

export interface UpgradeSideOptions {
  readonly tell: (message: ToSupervisor) => void;
  readonly history: HistoryLog;
  readonly log: Logger;
}

export class UpgradeSide implements UpgradeService {
  readonly #options: UpgradeSideOptions;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  readonly #told = Promise.withResolvers<void>();
  #lastOrder = 0;
  #view: UpgradeView | null = null;

  constructor(options: UpgradeSideOptions) {
    this.#options = options;
  }

  /** Resolves when the supervisor has told how things stand. */
  get told(): Promise<void> {
    return this.#told.promise;
  }

  /** Somebody upgrades or restarts just now. */
  get isRunning(): boolean {
    return this.#view !== null && this.#view.phase !== 'idle';
  }

  /** @throws OdpError UPGRADE_NOT_POSSIBLE before the supervisor has told it, in the first moments of the process */
  state(): UpgradeView {
    if (this.#view === null) throw new OdpError('UPGRADE_NOT_POSSIBLE', { detail: 'the proxy is still starting' });
    return this.#view;
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  order(order: UpgradeOrder): Promise<void> {
    const id = ++this.#lastOrder;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#options.tell({ type: 'order', id, order });
    });
  }

  // ---- what the supervisor tells ---------------------------------------------------------------------------------

  onState(view: UpgradeView): void {
    this.#view = view;
    this.#told.resolve();
    for (const listener of this.#listeners) listener();
  }

  onAnswer(id: number, refusal: Refusal | null): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (refusal === null) waiting?.resolve();
    else waiting?.reject(new OdpError(refusal.code, refusal.details));
  }

  /** Keeps a step in the history, once however often it is told. One that cannot be written is told again to the next generation. */
  async onRecord({ key, run, step, reason }: UpgradeRecord): Promise<void> {
    const { history, log, tell } = this.#options;
    const { role = '', token = '', origin = '' } = step;
    try {
      await history.addOnce(
        { actor: step.by, role, token, source: step.source, origin, requestId: key },
        { action: 'upgrade.step', newValue: `${run}.${step.number} ${step.phase}: ${step.text}`, reason },
      );
      tell({ type: 'recorded', key });
    } catch (error) {
      log.warn({ err: error, step: step.text }, `a step of an upgrade could not be kept: ${errorText(error)}`);
    }
  }
}

/** Parameters of upgrades as they are now. */
export function upgradeSettings(config: ConfigView): UpgradeSettings {
  const exitTimeoutUs = config.int('hot_upgrade_exit_timeout');
  return {
    exitTimeoutMs: exitTimeoutUs < 0 ? -1 : exitTimeoutUs / 1_000,
    rollbackTimeoutMs: config.timeMs('hot_upgrade_rollback_timeout'),
    failureRetries: config.int('hot_upgrade_failure_retries'),
    delayExitMs: config.timeMs('delay_exit_time'),
  };
}
