import { errorText, OdpError } from '../errors/odp-error.ts';
import type { OverrideScope } from './config-level.ts';
import type { ConfigStore } from './config-store.ts';
import type { ParameterSpec } from './parameter-spec.ts';
import { findParameter, type ParameterName, parameterTable } from './parameter-table.ts';
import { specOf } from './plan-changes.ts';
import { overrideKey } from './plan-overrides.ts';
import type { Snapshot } from './snapshot.ts';
import { textToKeep } from './special-items.ts';
import { parseValue } from './values.ts';

/** Something that differs between two snapshots. */
export interface SnapshotDifference {
  readonly name: ParameterName;
  /** Null: for everybody. */
  readonly scope: OverrideScope | null;
  /** Null: no value of its own. */
  readonly from: string | null;
  readonly to: string | null;
  /** What there is here now, to base a change to `to` on; 0: nothing. */
  readonly baseRevision: number;
  /** Why `to` cannot be taken over here; null: it can. */
  readonly problem: string | null;
}

/** What differs in meaning – `60s` and `1m` do not – in the order of the table; values for everybody first. */
export function compareSnapshots(from: Snapshot, to: Snapshot, store: ConfigStore): SnapshotDifference[] {
  const differences: SnapshotDifference[] = [];
  for (const spec of parameterTable) {
    const [old, now] = [from.texts.get(spec.name), to.texts.get(spec.name)];
    if (old === undefined || now === undefined || sameMeaning(spec, old, now)) continue;
    const { revision } = store.parameter(spec.name);
    const sides = { from: old, to: now, baseRevision: revision, problem: problemOf(spec, now) };
    differences.push({ name: spec.name, scope: null, ...sides });
  }
  if (from.levels === null || to.levels === null) return differences;
  const here = new Map(store.overrides().map((one) => [overrideKey(one.spec.name, one.scope), one.revision]));
  for (const key of new Set([...from.levels.keys(), ...to.levels.keys()])) {
    const [old, now] = [from.levels.get(key), to.levels.get(key)];
    const known = now ?? old;
    if (known === undefined) continue;
    const { name, scope } = known;
    const spec = specOf(name);
    if (old !== undefined && now !== undefined && sameMeaning(spec, old.text, now.text)) continue;
    differences.push({
      name,
      scope,
      from: old?.text ?? null,
      to: now?.text ?? null,
      baseRevision: here.get(key) ?? 0,
      problem: now === undefined ? null : problemOf(spec, now.text),
    });
  }
  return differences;
}

/** The dry run of taking over what can be. @returns why all of it together would be refused; null: it would not */
export async function refusalOf(
  differences: readonly SnapshotDifference[],
  store: ConfigStore,
): Promise<string | null> {
  const usable = differences.filter(({ problem }) => problem === null);
  try {
    await store.check({
      changes: usable.flatMap(({ name, scope, to }) => (scope === null && to !== null ? [{ name, value: to }] : [])),
      overrides: usable.flatMap(({ name, scope, to }) => (scope === null ? [] : [{ name, scope, value: to }])),
    });
    return null;
  } catch (error) {
    if (!(error instanceof OdpError)) throw error;
    return errorText(error);
  }
}

function sameMeaning(spec: ParameterSpec, left: string, right: string): boolean {
  if (left === right) return true;
  try {
    return JSON.stringify(parseValue(spec, left)) === JSON.stringify(parseValue(spec, right));
  } catch (error) {
    // One of them is no value: that is a difference, and its problem is told.
    if (error instanceof OdpError) return false;
    throw error;
  }
}

function problemOf(spec: ParameterSpec<ParameterName>, text: string): string | null {
  if (findParameter(spec.name)?.visibleLevel === 'MEMORY') return 'an order that is carried out once';
  try {
    textToKeep(spec, text, 'running');
    return null;
  } catch (error) {
    if (!(error instanceof OdpError)) throw error;
    return String(error.details.detail ?? error.message);
  }
}
