import type { VirtualTable } from '../translate/context.ts';
import { informationSchema } from './information-schema.ts';
import { oceanbaseTables } from './oceanbase-tables.ts';
import { proxyTables } from './proxy-tables.ts';
import type { DemoSession } from './session.ts';

/** Tables made for one session, by `database.name` in lower case. */
function virtualTablesOf(session: DemoSession): VirtualTable[] {
  const tables = informationSchema(session);
  // Only the sys tenant sees the cluster.
  return session.store.name === 'sys' ? [...tables, ...oceanbaseTables(session), ...proxyTables(session)] : tables;
}

export function findVirtualTable(session: DemoSession, database: string, name: string): VirtualTable | undefined {
  const inDatabase = database.toLowerCase();
  if (inDatabase !== 'information_schema' && inDatabase !== 'oceanbase' && inDatabase !== 'mysql') return undefined;
  return virtualTablesOf(session).find(
    (table) => table.database === inDatabase && table.name.toLowerCase() === name.toLowerCase(),
  );
}

/** Names of all tables of a database, made and kept ones. */
export function allTableNames(session: DemoSession, database: string): string[] {
  const made = virtualTablesOf(session).filter((table) => table.database === database);
  const kept = session.store.tables.filter((table) => table.database === database);
  return [...made.map((table) => table.name), ...kept.map((table) => table.name)].sort();
}
