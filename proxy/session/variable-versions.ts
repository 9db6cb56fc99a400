/** Of each kind of variable the version of its last change: what a server session is behind in, and what not (C11, C12). */

/** Often-set ones, which are compared by value, are `hot`; `last_insert_id` is a kind by itself. */
export type VariableKind = 'hot' | 'system' | 'user' | 'lastInsertId';
/** 0: not changed since the log-in. Numbers are of one counter, and so say which change came first. */
export type VariableVersions = Readonly<Record<VariableKind, number>>;

const kinds: readonly VariableKind[] = ['hot', 'system', 'user', 'lastInsertId'];

export class LastChanges {
  readonly #versions: Record<VariableKind, number> = { hot: 0, system: 0, user: 0, lastInsertId: 0 };

  note(kind: VariableKind, version: number): void {
    this.#versions[kind] = version;
  }

  restore(versions: VariableVersions): void {
    for (const kind of kinds) this.#versions[kind] = versions[kind];
  }

  reset(): void {
    const versions = this.#versions;
    versions.hot = 0;
    versions.system = 0;
    versions.user = 0;
    versions.lastInsertId = 0;
  }

  get all(): VariableVersions {
    return { ...this.#versions };
  }

  /** Those that somebody has who was last brought to `version`. */
  upTo(version: number): VariableVersions {
    const { hot, system, user, lastInsertId } = this.#versions;
    return {
      hot: Math.min(hot, version),
      system: Math.min(system, version),
      user: Math.min(user, version),
      lastInsertId: Math.min(lastInsertId, version),
    };
  }
}
