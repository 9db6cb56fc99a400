/** `proxy_local_cmd`: an order in the form of a parameter. */
import type { AppliedChange, ConfigStore } from '../config/config-store.ts';
import { errorText } from '../errors/odp-error.ts';
import type { Logger } from '../log/logger.ts';
import type { ToSupervisor } from './supervisor-link.ts';
import type { UpgradeSide } from './upgrade-side.ts';

/** Watched for as long as a run that was ordered on the command line without saying so. */
const WATCH_MS = 10_000;

export interface LocalCommandParts {
  readonly store: ConfigStore;
  readonly upgrades: UpgradeSide;
  readonly tell: (message: ToSupervisor) => void;
  readonly log: Logger;
}

/** Carries out what was ordered: 1 ends the product, 2 restarts it into a new generation. */
export function runLocalCommand(applied: readonly AppliedChange[], parts: LocalCommandParts): void {
  const text = applied.find(({ name }) => name === 'proxy_local_cmd')?.text;
  if (text === undefined || text === '0') return;
  const { log, store, tell, upgrades } = parts;
  if (text === '1') {
    tell({ type: 'exit' });
    return;
  }
  const by = store.parameter('proxy_local_cmd').changedBy ?? 'odp';
  const order = { kind: 'restart', directory: null, hold: false, watchMs: WATCH_MS, md5: null } as const;
  upgrades
    .order({ type: 'start', ...order, by, source: 'sql', reason: 'proxy_local_cmd' })
    .catch((error: unknown) => log.warn({ reason: errorText(error) }, 'the restart by proxy_local_cmd was refused'));
}
