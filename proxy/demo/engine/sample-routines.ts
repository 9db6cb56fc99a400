/**
 * Procedures that the demo tells of and does not run: what a proxy needs to route CALL. The statements are as a genuine
 * 4.3 server tells them, with the parameters as `:0`, `:1` …
 */
import type { SqlValue } from '../translate/context.ts';
import type { TenantStore } from './tenant-store.ts';

const DATABASE = 'trade';
const FIRST_ROUTINE_ID = 310_101;
const PROCEDURE = 1n;

const ROUTINES = [
  { name: 'customer_name', sql: 'SELECT name FROM customers WHERE id = :0' },
  { name: 'order_status', sql: 'SELECT status FROM orders WHERE id = :0' },
  { name: 'first_order', sql: 'SELECT status FROM orders WHERE id = 1' },
  { name: 'answer', sql: '' },
] as const;

/** Rows of `__all_virtual_proxy_routine`. */
export function routineRows(tenant: TenantStore): Readonly<Record<string, SqlValue>>[] {
  if (!tenant.hasDatabase(DATABASE)) return [];
  return ROUTINES.map(({ name, sql }, index) => ({
    tenant_name: tenant.name,
    database_name: DATABASE,
    package_name: '',
    routine_name: name,
    routine_id: BigInt(FIRST_ROUTINE_ID + index),
    routine_type: PROCEDURE,
    schema_version: 1n,
    routine_sql: sql,
    spare1: 0n,
    spare2: 0n,
    spare3: 0n,
    spare4: '',
    spare5: '',
    spare6: '',
  }));
}
