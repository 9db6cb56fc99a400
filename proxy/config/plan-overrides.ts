import { OdpError } from '../errors/odp-error.ts';
import type { StoredOverride } from '../history/parameter-overrides.ts';
import { checkScope } from './check-scope.ts';
import { configLevels, type OverrideScope, scopeKey, scopeText } from './config-level.ts';
import type { ParameterSpec } from './parameter-spec.ts';
import type { ParameterName } from './parameter-table.ts';
import { checkRevision, specOf } from './plan-changes.ts';
import { type ChangeDoor, textToKeep } from './special-items.ts';
import { secretMask } from './values.ts';

/** A wanted text for a part of the sessions. */
export interface OverrideChange {
  readonly name: string;
  readonly scope: OverrideScope;
  /** Null: go back to the next wider level. */
  readonly value: string | null;
  /** Refused when the row has another revision by now; 0: there was none. */
  readonly baseRevision?: number | undefined;
  /** Refused when there is such a row (INSERT). */
  readonly mustBeNew?: boolean;
}

/** A text in force for a part of the sessions. */
export interface OverrideStatus {
  readonly spec: ParameterSpec<ParameterName>;
  readonly scope: OverrideScope;
  readonly text: string;
  readonly revision: number;
  readonly changedAt: Date;
  readonly changedBy: string;
}

/** A change that has been checked by itself. */
export interface PlannedOverride {
  readonly spec: ParameterSpec<ParameterName>;
  readonly scope: OverrideScope;
  readonly before: OverrideStatus | null;
  /** Null: remove. */
  readonly newText: string | null;
}

/** Parameter and scope as one text: the key of what is in force. */
export function overrideKey(name: string, scope: OverrideScope): string {
  return `${name} ${scopeKey(scope)}`;
}

/**
 * Checks each change by itself and leaves out those that change nothing.
 * @param stale takes an error for each that is based on something older
 * @throws OdpError INVALID_ARGUMENT for a bad name or scope or a row given twice; UNKNOWN_PARAMETER,
 * PARAMETER_NOT_ALTERABLE for a level that the parameter does not have, NOT_FOUND when there is nothing to remove,
 * DUPLICATE_ROW, and what `textToKeep` throws.
 */
export function planOverrides(
  changes: readonly OverrideChange[],
  current: ReadonlyMap<string, OverrideStatus>,
  stale: OdpError[],
  door: ChangeDoor = 'running',
): PlannedOverride[] {
  const planned: PlannedOverride[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    const spec = specOf(change.name);
    checkLevel(spec, change.scope);
    const scope = checkScope(change.scope);
    const key = overrideKey(spec.name, scope);
    const where = `${spec.name} for ${scopeText(scope)}`;
    if (seen.has(key)) throw new OdpError('INVALID_ARGUMENT', { detail: `${where} is given twice` });
    seen.add(key);
    const before = current.get(key) ?? null;
    if (before !== null && change.mustBeNew) throw new OdpError('DUPLICATE_ROW', { detail: where });
    const seenAs = before ?? { spec, revision: 0, text: null, changedBy: null, changedAt: null };
    checkRevision(seenAs, change.baseRevision, stale);
    if (change.value === null) {
      // Gone since: named among the stale ones.
      if (before === null && (change.baseRevision ?? 0) > 0) continue;
      if (before === null) throw new OdpError('NOT_FOUND', { detail: `${where} has no value of its own` });
      planned.push({ spec, scope, before, newText: null });
      continue;
    }
    if (before !== null && spec.secret && change.value === secretMask) continue;
    const newText = textToKeep(spec, change.value, door);
    if (newText !== before?.text) planned.push({ spec, scope, before, newText });
  }
  return planned;
}

function checkLevel(spec: ParameterSpec, { level }: OverrideScope): void {
  if (configLevels.indexOf(spec.configLevel) >= configLevels.indexOf(level)) return;
  throw new OdpError('PARAMETER_NOT_ALTERABLE', {
    name: spec.name,
    detail: `cannot be set at ${level}, only down to ${spec.configLevel}`,
  });
}

/** A stored row as it counts. */
export function statusOfRow(stored: StoredOverride, spec: ParameterSpec<ParameterName>): OverrideStatus {
  const { level, cluster, tenant, vip, vport, vid, revision, changedAt, changedBy } = stored;
  const scope = { level: level as OverrideScope['level'], cluster, tenant, vip, vport, vid };
  return { spec, scope, text: stored.value, revision, changedAt, changedBy };
}
