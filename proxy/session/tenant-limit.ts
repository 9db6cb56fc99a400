/**
 * `resource_max_connections`: how many client sessions a tenant may have, in all workers (the reference's table
 * resource_unit). A value for an address counts the tenant's sessions that came to that address, any other one all.
 */
import { type ConfigScope, type LeveledConfig, tenantScope } from '../config/leveled-config.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { TenantCounts } from './tenant-counts.ts';

/** What the sessions of a tenant are counted under: all of them, and those that came to one address. */
interface TenantKeys {
  readonly clusterName: string;
  readonly tenantName: string;
  readonly host: string;
  readonly tenant: string;
  readonly address: string;
}

/** A session that is counted. */
export class TenantPlace {
  readonly #counts: TenantCounts;
  #keys: TenantKeys | null;

  constructor(counts: TenantCounts, keys: TenantKeys) {
    this.#counts = counts;
    this.#keys = keys;
  }

  /** It is over; a second time changes nothing. */
  leave(): void {
    if (this.#keys === null) return;
    this.#counts.add(this.#keys.tenant, -1);
    this.#counts.add(this.#keys.address, -1);
    this.#keys = null;
  }
}

export class TenantLimit {
  readonly #levels: LeveledConfig;
  readonly #counts: TenantCounts;
  #lastKeys: TenantKeys | null = null;

  constructor(levels: LeveledConfig, counts: TenantCounts) {
    this.#levels = levels;
    this.#counts = counts;
  }

  /** Asked before a server is: a full tenant's log-ins reach none. @throws OdpError TOO_MANY_CONNECTIONS */
  check(scope: ConfigScope): void {
    const { count: limit, isForAddress } = this.#limitOf(scope);
    if (limit < 0) return;
    const { tenant, address } = this.#keysOf(scope);
    if (this.#counts.of(isForAddress ? address : tenant) >= limit) throw tooMany(scope, limit);
  }

  /**
   * Counts a session whose log-in a server has accepted. @param isCounted it has a place in the same tenant already, which
   * it leaves for this one (COM_CHANGE_USER) @throws OdpError TOO_MANY_CONNECTIONS
   */
  enter(scope: ConfigScope, isCounted: boolean): TenantPlace {
    const keys = this.#keysOf(scope);
    const limit = this.#limitOf(scope);
    const ofTenant = this.#counts.add(keys.tenant, 1);
    const ofAddress = this.#counts.add(keys.address, 1);
    const place = new TenantPlace(this.#counts, keys);
    if (limit.count < 0 || isCounted || (limit.isForAddress ? ofAddress : ofTenant) <= limit.count) return place;
    place.leave();
    throw tooMany(scope, limit.count);
  }

  #limitOf(scope: ConfigScope): { count: number; isForAddress: boolean } {
    const isForAddress = this.#levels.isForAddress('resource_max_connections', scope);
    const whole = isForAddress ? scope : tenantScope(scope.clusterName, scope.tenant);
    return { count: this.#levels.view(whole).int('resource_max_connections'), isForAddress };
  }

  /** Mostly those of the log-in before: they are asked for several times in each one. */
  #keysOf({ clusterName, tenant, vip }: ConfigScope): TenantKeys {
    const { host } = vip;
    const last = this.#lastKeys;
    if (last?.clusterName === clusterName && last.tenantName === tenant && last.host === host) return last;
    const key = tenantKey(clusterName, tenant);
    this.#lastKeys = { clusterName, tenantName: tenant, host, tenant: key, address: `${key} ${host}` };
    return this.#lastKeys;
  }
}

/** Letters of either case are the same, as in the rows of parameters. */
const tenantKey = (clusterName: string, tenant: string): string => JSON.stringify([clusterName, tenant]).toLowerCase();

const tooMany = ({ clusterName, tenant }: ConfigScope, limit: number): OdpError =>
  new OdpError('TOO_MANY_CONNECTIONS', { tenant, cluster: clusterName, limit });
