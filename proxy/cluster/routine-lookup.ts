/** Asking a cluster for a stored procedure: above all, by which statement a CALL of it is best routed. */
import type { RoutineName } from '../sql/statement-info.ts';
import type { MetadataRow } from './metadata-connection.ts';
import { quoteText, WEAK_READ } from './sql-text.ts';

/** A stored routine as OceanBase 4.x tells it (`__all_virtual_proxy_routine`, seen in 4.3). */
export interface Routine {
  readonly database: string;
  /** Empty: it stands in no package. */
  readonly packageName: string;
  readonly name: string;
  /** Decimal text. */
  readonly routineId: string;
  /** 1 procedure, 2 function, 3 in a package. */
  readonly routineType: number;
  /** Decimal text. */
  readonly schemaVersion: string;
  /**
   * The first statement of its body that works on a table; `:0`, `:1` … stand for the routine's parameters. Empty: it has
   * none.
   */
  readonly routeSql: string;
}

/**
 * Null: there is no such procedure. Rejects as `query` does. One word before the name is a database or, in the current
 * database, a package: the cluster is asked in this order.
 * @param database the current one; empty: none
 * @param query rows of one SELECT from any server
 */
export async function lookupRoutine(
  tenant: string,
  database: string,
  { qualifiers, name }: RoutineName,
  query: (sql: string) => Promise<MetadataRow[]>,
): Promise<Routine | null> {
  const [first, second] = qualifiers;
  const places =
    first === undefined
      ? [[database, '']]
      : second === undefined
        ? [
            [first, ''],
            [database, first],
          ]
        : [[first, second]];
  for (const [place = '', packageName = ''] of places) {
    const [row] = place === '' ? [] : await query(routineQuery(tenant, place, packageName, name));
    if (row !== undefined) return mapRoutine(row);
  }
  return null;
}

/** The server refuses to answer unless all four are given. */
function routineQuery(tenant: string, database: string, packageName: string, name: string): string {
  const conditions = [
    `tenant_name = ${quoteText(tenant)}`,
    `database_name = ${quoteText(database)}`,
    `package_name = ${quoteText(packageName)}`,
    `routine_name = ${quoteText(name)}`,
  ];
  return `SELECT ${WEAK_READ} * FROM oceanbase.__all_virtual_proxy_routine WHERE ${conditions.join(' AND ')}`;
}

function mapRoutine(row: MetadataRow): Routine {
  return {
    database: row.database_name ?? '',
    packageName: row.package_name ?? '',
    name: row.routine_name ?? '',
    routineId: row.routine_id ?? '0',
    routineType: Number(row.routine_type ?? 0),
    schemaVersion: row.schema_version ?? '0',
    routeSql: row.routine_sql ?? '',
  };
}
