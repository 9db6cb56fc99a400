/** What the Upgrade page asks for, and orders. */
import { queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import {
  type UpgradeDecision,
  type UpgradeStart,
  type UpgradeState,
  upgradeStateSchema,
} from '../../proxy/control/contract.ts';
import { getJson, postJson } from './api.ts';

export const upgradeQuery = queryOptions({
  queryKey: ['upgrade'],
  queryFn: ({ signal }) => getJson('/api/upgrade', upgradeStateSchema, signal),
  // While the control API goes over to another generation an answer of the old one may come late.
  structuralSharing: (old, fresh) => newerState(old as UpgradeState | undefined, fresh as UpgradeState),
});

/** Both states are by one clock, whichever generation tells them. */
export function newerState(old: UpgradeState | undefined, fresh: UpgradeState): UpgradeState {
  if (old === undefined) return fresh;
  return Date.parse(fresh.at) < Date.parse(old.at) ? old : replaceEqualDeep(old, fresh);
}

/** @throws ApiError, 409 while there is a run already */
export async function startUpgrade(order: UpgradeStart): Promise<UpgradeState> {
  return upgradeStateSchema.parse(await postJson('/api/upgrade/start', order));
}

/** @throws ApiError, 409 when there is nothing to commit or roll back (any more) */
export async function decideUpgrade(what: 'commit' | 'rollback', decision: UpgradeDecision): Promise<UpgradeState> {
  return upgradeStateSchema.parse(await postJson(`/api/upgrade/${what}`, decision));
}
