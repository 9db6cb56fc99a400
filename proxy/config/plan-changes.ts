import { OdpError } from '../errors/odp-error.ts';
import type { ParameterSpec } from './parameter-spec.ts';
import { findParameter, type ParameterName } from './parameter-table.ts';
import { type ChangeDoor, textToKeep } from './special-items.ts';
import { secretMask } from './values.ts';

/** One wanted change; with `baseRevision` it is refused when the parameter has another revision by now. */
export interface ParameterChange {
  readonly name: string;
  readonly value: string;
  readonly baseRevision?: number | undefined;
}

/** A parameter as it stands. */
export interface ParameterStatus {
  readonly spec: ParameterSpec<ParameterName>;
  /** The text in force. */
  readonly text: string;
  /** The text kept: differs from `text` while a change waits for a restart. */
  readonly storedText: string;
  readonly revision: number;
  readonly changedAt: Date | null;
  readonly changedBy: string | null;
}

/** A change that has been checked by itself. */
export interface PlannedChange {
  readonly before: ParameterStatus;
  readonly newText: string;
}

/**
 * Checks each change by itself and sorts out those that change nothing (the same text, or a secret's mask sent back).
 * @param stale takes an error for each that is based on something older
 * @throws OdpError INVALID_ARGUMENT for an empty or over-long name or a name given twice; UNKNOWN_PARAMETER, and what
 * `textToKeep` throws.
 */
export function planChanges(
  changes: readonly ParameterChange[],
  statusOf: (name: ParameterName) => ParameterStatus,
  door: ChangeDoor,
  stale: OdpError[],
): { planned: PlannedChange[]; unchanged: ParameterName[] } {
  const planned = new Map<ParameterName, PlannedChange>();
  const unchanged: ParameterName[] = [];
  for (const change of changes) {
    const spec = specOf(change.name);
    if (planned.has(spec.name) || unchanged.includes(spec.name)) {
      throw new OdpError('INVALID_ARGUMENT', { detail: `${spec.name} is given twice` });
    }
    const before = statusOf(spec.name);
    if (spec.secret && change.value === secretMask) {
      unchanged.push(spec.name);
      continue;
    }
    const newText = textToKeep(spec, change.value, door);
    if (newText === before.storedText) {
      unchanged.push(spec.name);
      continue;
    }
    checkRevision({ ...before, text: before.storedText }, change.baseRevision, stale);
    planned.set(spec.name, { before, newText });
  }
  return { planned: [...planned.values()], unchanged };
}

/** The text of a parameter for history rows, errors and the console: a secret is stars. */
export function textToShow(spec: ParameterSpec, text: string): string {
  return spec.secret ? secretMask : text;
}

/** @throws OdpError INVALID_ARGUMENT for an empty or over-long name, UNKNOWN_PARAMETER */
export function specOf(name: string): ParameterSpec<ParameterName> {
  if (name === '' || name.length > 128) {
    throw new OdpError('INVALID_ARGUMENT', { detail: `a parameter name has 1 to 128 characters, not ${name.length}` });
  }
  const spec = findParameter(name);
  if (spec === undefined) throw new OdpError('UNKNOWN_PARAMETER', { name });
  return spec;
}

/** What a change says it is based on, and what there is. */
interface RevisionCheck {
  readonly spec: ParameterSpec;
  readonly revision: number;
  readonly text: string | null;
  readonly changedBy: string | null;
  readonly changedAt: Date | null;
}

/** Adds a STALE_REVISION to `stale` when the change is based on something older. */
export function checkRevision(before: RevisionCheck, baseRevision: number | undefined, stale: OdpError[]): void {
  if (baseRevision === undefined || baseRevision === before.revision) return;
  const error = new OdpError('STALE_REVISION', {
    name: before.spec.name,
    current: before.text === null ? '' : textToShow(before.spec, before.text),
    by: before.changedBy ?? 'nobody',
    at: before.changedAt?.toISOString() ?? 'no time',
    given: baseRevision,
    revision: before.revision,
  });
  stale.push(error);
}
