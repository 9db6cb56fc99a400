/** The configuration as a whole, as it is, was, or stands in a file: what is compared, exported and taken over. */
import { OdpError } from '../errors/odp-error.ts';
import type { ValueAt } from '../history/values-at.ts';
import { checkScope } from './check-scope.ts';
import { type OverrideScope, scopeFromText } from './config-level.ts';
import type { ConfigStore } from './config-store.ts';
import { findParameter, type ParameterName, parameterTable } from './parameter-table.ts';
import { overrideKey } from './plan-overrides.ts';

/** A text for a part of the sessions. */
interface SnapshotLevel {
  readonly name: ParameterName;
  readonly scope: OverrideScope;
  readonly text: string;
}

/** Secrets are in none: nobody has their texts. */
export interface Snapshot {
  /** The texts that are kept. One that is left out is not told: it is compared with nothing. */
  readonly texts: ReadonlyMap<ParameterName, string>;
  /** By `overrideKey`; null: not told. */
  readonly levels: ReadonlyMap<string, SnapshotLevel> | null;
  /** What could not be read, and why. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** A configuration as a file tells it. */
export interface SnapshotFile {
  readonly parameters: Readonly<Record<string, string>>;
  readonly levels?:
    | readonly (Omit<OverrideScope, 'vid'> & { readonly name: string; readonly value: string })[]
    | undefined;
}

/** What is kept now: a value that waits for a restart counts. */
export function snapshotNow(store: ConfigStore): Snapshot {
  const statuses = store.parameters().filter(({ spec }) => !spec.secret);
  const levels = store.overrides().filter(({ spec }) => !spec.secret);
  return {
    texts: new Map(statuses.map(({ spec, storedText }) => [spec.name, storedText])),
    levels: new Map(
      levels.map(({ spec, scope, text }) => [overrideKey(spec.name, scope), { name: spec.name, scope, text }]),
    ),
    skipped: [],
  };
}

/** Everything at its default. */
export function snapshotOfDefaults(): Snapshot {
  const open = parameterTable.filter(({ secret }) => !secret);
  return { texts: new Map(open.map(({ name, defaultText }) => [name, defaultText])), levels: new Map(), skipped: [] };
}

/** `now` with the values that the history tells. */
export function snapshotWith(now: Snapshot, values: readonly ValueAt[]): Snapshot {
  const texts = new Map(now.texts);
  const levels = new Map(now.levels);
  const skipped: { name: string; reason: string }[] = [];
  for (const { parameter, scope: scopeText, value, changedSince } of values) {
    const spec = findParameter(parameter);
    if (spec === undefined) {
      skipped.push({ name: parameter, reason: 'this version does not have it' });
      continue;
    }
    if (spec.secret) {
      texts.delete(spec.name);
      if (changedSince) skipped.push({ name: spec.name, reason: 'a secret: it has been changed since' });
      continue;
    }
    if (scopeText === '') {
      texts.set(spec.name, value ?? spec.defaultText);
      continue;
    }
    const scope = scopeFromText(scopeText);
    const key = overrideKey(spec.name, scope);
    if (value === null) levels.delete(key);
    else levels.set(key, { name: spec.name, scope, text: value });
  }
  return { texts, levels, skipped };
}

/** What a file tells. Names are those of this version in any case of letters; what it cannot use is skipped and named. */
export function snapshotOfFile(file: SnapshotFile): Snapshot {
  const texts = new Map<ParameterName, string>();
  const levels = new Map<string, SnapshotLevel>();
  const skipped: { name: string; reason: string }[] = [];
  for (const [name, text] of Object.entries(file.parameters)) {
    const spec = findParameter(name);
    if (spec === undefined) skipped.push({ name, reason: 'this version does not have it' });
    else if (spec.secret) skipped.push({ name, reason: 'a secret: its text in a file is not taken' });
    else if (texts.has(spec.name)) skipped.push({ name, reason: 'given before, in other letters' });
    else texts.set(spec.name, text);
  }
  for (const { name, value, ...rest } of file.levels ?? []) {
    const spec = findParameter(name);
    if (spec === undefined || spec.secret) {
      skipped.push({ name, reason: spec === undefined ? 'this version does not have it' : 'a secret is not taken' });
      continue;
    }
    try {
      const scope = checkScope({ ...rest, vid: -1 });
      levels.set(overrideKey(spec.name, scope), { name: spec.name, scope, text: value });
    } catch (error) {
      if (!(error instanceof OdpError)) throw error;
      skipped.push({ name, reason: error.message });
    }
  }
  return { texts, levels: file.levels === undefined ? null : levels, skipped };
}
