import type { ConfigOverride } from './config-level.ts';
import type { ConfigView } from './config-view.ts';

/** Whose values are wanted: a session, or as much of it as is known before its log-in. */
export interface ConfigScope {
  /** Empty: none (yet). */
  readonly clusterName: string;
  readonly tenant: string;
  /** Where its client has connected to; read only when some value depends on it. */
  readonly vip: { readonly host: string; readonly port: number };
}

const nowhere = { host: '', port: 0 };

/** Everybody of a tenant, wherever they came in. */
export function tenantScope(clusterName: string, tenant: string): ConfigScope {
  return { clusterName, tenant, vip: nowhere };
}

/** Everybody in a cluster. */
export const clusterScope = (clusterName: string): ConfigScope => tenantScope(clusterName, '');

/**
 * The values in force at every level, in one thread. A scope without values of its own gets the global view itself;
 * others share one view as long as the same rows fit them, so that reading a value is always a property read.
 */
export class LeveledConfig {
  readonly global: ConfigView;
  #rows: readonly ConfigOverride[] = [];
  /** Numbers of rows, by cluster and tenant of the row. */
  #byNames = new Map<string, number[]>();
  /** By the numbers of the rows that fit, widest first. */
  readonly #views = new Map<string, ConfigView>();

  constructor(global: ConfigView, overrides: readonly ConfigOverride[] = []) {
    this.global = global;
    this.setOverrides(overrides);
  }

  /** Replaces all rows. Views given out before are old from now on: ask again. */
  setOverrides(overrides: readonly ConfigOverride[]): void {
    this.#rows = overrides.toSorted((left, right) => width(left) - width(right));
    this.#byNames = new Map();
    this.#views.clear();
    for (const [index, row] of this.#rows.entries()) {
      const key = namesKey(row.cluster, row.tenant);
      const rows = this.#byNames.get(key);
      if (rows === undefined) this.#byNames.set(key, [index]);
      else rows.push(index);
    }
  }

  /** The view that is right for the scope until `setOverrides` is called. */
  view(scope: ConfigScope): ConfigView {
    if (this.#rows.length === 0) return this.global;
    const fitting = this.#fitting(scope);
    if (fitting.length === 0) return this.global;
    const key = fitting.join();
    let view = this.#views.get(key);
    if (view === undefined) {
      const rows = fitting.map((index) => this.#rows[index]).filter((row) => row !== undefined);
      view = this.global.derive(Object.fromEntries(rows.map(({ name, text }) => [name, text])));
      this.#views.set(key, view);
    }
    return view;
  }

  /** Whether the value that counts for the scope is one for the address that its client has connected to. */
  isForAddress(name: string, scope: ConfigScope): boolean {
    if (this.#rows.length === 0) return false;
    const row = this.#fitting(scope).findLast((index) => this.#rows[index]?.name === name);
    return row !== undefined && this.#rows[row]?.vip !== '';
  }

  /**
   * As `view`, as if these texts counted for everybody: what is set for the scope still counts before them.
   * @throws OdpError UNKNOWN_PARAMETER, INVALID_PARAMETER
   */
  viewWith(scope: ConfigScope, texts: Readonly<Record<string, string>>): ConfigView {
    if (Object.keys(texts).length === 0) return this.view(scope);
    const view = this.global.derive({});
    for (const [name, text] of Object.entries(texts)) view.apply(name, text);
    for (const index of this.#fitting(scope)) {
      const row = this.#rows[index];
      if (row !== undefined) view.apply(row.name, row.text);
    }
    return view;
  }

  /** Numbers of the rows that fit, widest first: a later one counts before an earlier one of the same parameter. */
  #fitting(scope: ConfigScope): number[] {
    const { clusterName, tenant } = scope;
    const keys = new Set([namesKey('', ''), namesKey(clusterName, ''), namesKey(clusterName, tenant)]);
    const found: number[] = [];
    for (const key of keys) {
      for (const index of this.#byNames.get(key) ?? []) {
        const row = this.#rows[index];
        if (row !== undefined && (row.vip === '' || fitsVip(row, scope.vip))) found.push(index);
      }
    }
    return found.sort((left, right) => left - right);
  }
}

function fitsVip(row: ConfigOverride, vip: ConfigScope['vip']): boolean {
  return row.vip === vip.host && (row.vport === 0 || row.vport === vip.port);
}

/** Grows from wide to narrow; two rows that can fit the same session are never of the same width. */
function width({ level, cluster, tenant, vport, vid }: ConfigOverride): number {
  if (level === 'LEVEL_CLUSTER') return 0;
  if (level === 'LEVEL_TENANT') return 1;
  return 2 + (tenant === '' ? 0 : 8) + (cluster === '' ? 0 : 4) + (vport === 0 ? 0 : 2) + (vid === -1 ? 0 : 1);
}

const namesKey = (cluster: string, tenant: string): string => JSON.stringify([cluster, tenant]).toLowerCase();
