/** What the tenant views tell of each tenant that the router minds, by the tenant's name. No I/O. */
import { toServerAddress } from '../config/server-address.ts';
import type { MetadataRow } from './metadata-connection.ts';
import { ALL_ROWS, WEAK_READ } from './sql-text.ts';

type ByTenant = Readonly<Record<string, string>>;

export interface TenantFacts {
  /** As the cluster writes them. A tenant that spreads its leaders at random (`RANDOM`) has none. */
  readonly primaryZones: ByTenant;
  /** As the cluster writes them; of one that is being changed the one before. */
  readonly localities: ByTenant;
  /** `ip:port` of the only server that leads any of the tenant's log streams; tenants with several are left out. */
  readonly singleLeaders: ByTenant;
}

/** Ids of the tenants that serve: the view of log streams may hang on others (reference proxy). */
export function tenantIds(tenants: readonly MetadataRow[]): string[] {
  return tenants.flatMap(({ tenant_id: id, status }) => (id && status === 'NORMAL' && /^\d+$/.test(id) ? [id] : []));
}

/** Log stream 1 holds no table. The views aren't joined: that may hang, too. */
export function singleLeaderQuery(ids: readonly string[]): string {
  return (
    `SELECT ${WEAK_READ} DISTINCT tenant_id, svr_ip, sql_port FROM oceanbase.CDB_OB_LS_LOCATIONS ` +
    `WHERE ls_id <> 1 AND role = 'LEADER' AND tenant_id IN (${ids.join(', ')}) ${ALL_ROWS}`
  );
}

/** @param leaders rows of {@link singleLeaderQuery} */
export function tenantFacts(tenants: readonly MetadataRow[], leaders: readonly MetadataRow[]): TenantFacts {
  const leadersOf = new Map<string, Set<string>>();
  for (const { tenant_id: id, svr_ip: ip, sql_port: port } of leaders) {
    const address = toServerAddress(ip ?? '', Number(port))?.text;
    if (!id || address === undefined) continue;
    const known = leadersOf.get(id);
    if (known === undefined) leadersOf.set(id, new Set([address]));
    else known.add(address);
  }
  const onlyLeader = (id: string): string => {
    const [first = '', ...others] = leadersOf.get(id) ?? [];
    return others.length === 0 ? first : '';
  };
  return {
    primaryZones: byTenant(tenants, ({ primary_zone: zone }) => (zone?.toUpperCase() === 'RANDOM' ? '' : zone)),
    localities: byTenant(tenants, ({ locality, previous_locality: previous }) => previous || locality),
    singleLeaders: byTenant(tenants, ({ tenant_id: id }) => onlyLeader(id ?? '')),
  };
}

/** In one order, so that nothing seems to have changed. */
function byTenant(rows: readonly MetadataRow[], told: (row: MetadataRow) => string | null | undefined): ByTenant {
  const known = rows.flatMap((row): [string, string][] => {
    const value = told(row);
    return row.tenant_name && value ? [[row.tenant_name, value]] : [];
  });
  return Object.fromEntries(known.sort(([one], [other]) => (one < other ? -1 : 1)));
}
