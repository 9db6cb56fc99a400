import { errorText, OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { WarningLog } from '../history/history-keeper.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { loadOverrides } from '../history/parameter-overrides.ts';
import { loadParameters, type StoredParameter } from '../history/parameter-values.ts';
import { findParameter } from './parameter-table.ts';
import { type OverrideStatus, overrideKey, statusOfRow } from './plan-overrides.ts';
import { parseValue } from './values.ts';
import type { WrittenOverride } from './write-changes.ts';

/** Everything that the database keeps of the configuration. */
export interface StoredConfig {
  readonly parameters: readonly StoredParameter[];
  /** By `overrideKey`; rows that this version cannot use are left out, with a warning. */
  readonly overrides: Map<string, OverrideStatus>;
}

/** @throws OdpError STORE_UNUSABLE */
export async function readStored(history: HistoryStore, log: WarningLog): Promise<StoredConfig> {
  try {
    const overrides = new Map<string, OverrideStatus>();
    for (const stored of await loadOverrides(history.database)) {
      const spec = findParameter(stored.name);
      try {
        if (spec === undefined) throw new OdpError('UNKNOWN_PARAMETER', { name: stored.name });
        parseValue(spec, stored.value);
        const status = statusOfRow(stored, spec);
        overrides.set(overrideKey(spec.name, status.scope), status);
      } catch (error) {
        log.warn(
          { parameter: stored.name, cluster: stored.cluster, tenant: stored.tenant, reason: errorText(error) },
          'a stored value for a part of the sessions cannot be used and is ignored',
        );
      }
    }
    return { parameters: await loadParameters(history.database), overrides };
  } catch (error) {
    const detail = databaseErrorText(error);
    throw new OdpError('STORE_UNUSABLE', { file: history.file, detail }, { cause: error });
  }
}

/** What has to happen to `before` for it to become `after`. */
export function differences(
  before: ReadonlyMap<string, OverrideStatus>,
  after: ReadonlyMap<string, OverrideStatus>,
): WrittenOverride[] {
  const differing: WrittenOverride[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key) ?? null, after.get(key) ?? null];
    const known = now ?? old;
    if (known === null || old?.revision === now?.revision) continue;
    const { spec, scope } = known;
    differing.push({ planned: { spec, scope, before: old, newText: now?.text ?? null }, after: now });
  }
  return differing;
}
