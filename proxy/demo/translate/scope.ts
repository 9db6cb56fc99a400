import { MysqlError } from '../mysql-error.ts';
import type { SqlType } from './sql-type.ts';

/** Where a result column comes from, for its metadata. */
export interface Origin {
  readonly database: string;
  /** Alias of the table in this statement. */
  readonly table: string;
  readonly originalTable: string;
  readonly column: string;
  /** Column flags of the protocol: not null 1, primary 2, unique 4, part of a key 8, … */
  readonly flags: number;
}

export interface SourceColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly origin: Origin | null;
}

/** One table, derived table or sub-query in FROM. */
export interface Source {
  readonly alias: string;
  readonly columns: readonly SourceColumn[];
}

export interface Resolved {
  readonly sql: string;
  readonly column: SourceColumn;
  readonly alias: string;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The names that an expression can see: this query's sources, then those of the queries around it. */
export class Scope {
  readonly sources: Source[] = [];
  readonly parent: Scope | null;
  /** Columns joined by USING: the first source's stands for all. */
  readonly shared = new Set<string>();
  /** VALUES(column) of ON DUPLICATE KEY UPDATE. */
  excluded = false;

  constructor(parent: Scope | null = null) {
    this.parent = parent;
  }

  add(source: Source): void {
    const lower = source.alias.toLowerCase();
    if (this.sources.some(({ alias }) => alias.toLowerCase() === lower)) {
      throw new MysqlError('NOT_UNIQUE_ALIAS', { table: source.alias });
    }
    this.sources.push(source);
  }

  /** The column of that name here or further out, or null. */
  find(table: string, name: string, clause: string): Resolved | null {
    const found: Resolved[] = [];
    for (const source of this.sources) {
      if (table !== '' && source.alias.toLowerCase() !== table.toLowerCase()) continue;
      const column = source.columns.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
      if (column) found.push({ sql: `${quoted(source.alias)}.${quoted(column.name)}`, column, alias: source.alias });
    }
    const [first] = found;
    if (found.length > 1 && !this.shared.has(name.toLowerCase())) {
      throw new MysqlError('AMBIGUOUS_COLUMN', { column: name, clause });
    }
    return first ?? this.parent?.find(table, name, clause) ?? null;
  }

  /** @throws MysqlError UNKNOWN_COLUMN */
  resolve(table: string, name: string, clause: string): Resolved {
    const found = this.find(table, name, clause);
    if (!found) throw new MysqlError('UNKNOWN_COLUMN', { column: table ? `${table}.${name}` : name, clause });
    return found;
  }
}
