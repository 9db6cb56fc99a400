/**
 * `resource_max_connections`: how many client sessions a tenant may have, in all workers (the reference's table
 * resource_unit). A value for an address counts the tenant's sessions that came to that address, any other one all.
 */
import { type ConfigScope, type LeveledConfig, tenantScope } from '../config/leveled-config.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { TenantCounts } from './tenant-counts.ts';

/** A session that is counted. */
export class TenantPlace {
  readonly #counts: TenantCounts;
  #keys: readonly string[];

  constructor(counts: TenantCounts, keys: readonly string[]) {
    this.#counts = counts;
    this.#keys = keys;
  }

  /** It is over; a second time changes nothing. */
  leave(): void {
    for (const key of this.#keys) this.#counts.add(key, -1);
    this.#keys = [];
  }
}

export class TenantLimit {
  readonly #levels: LeveledConfig;
  readonly #counts: TenantCounts;

  constructor(levels: LeveledConfig, counts: TenantCounts) {
    this.#levels = levels;
    this.#counts = counts;
  }

  /** Asked before a server is: a full tenant's log-ins reach none. @throws OdpError TOO_MANY_CONNECTIONS */
  check(scope: ConfigScope): void {
    const { limit, key } = this.#limitOf(scope);
    if (limit >= 0 && this.#counts.of(key) >= limit) throw tooMany(scope, limit);
  }

  /**
   * Counts a session whose log-in a server has accepted. @param isCounted it has a place in the same tenant already, which
   * it leaves for this one (COM_CHANGE_USER) @throws OdpError TOO_MANY_CONNECTIONS
   */
  enter(scope: ConfigScope, isCounted: boolean): TenantPlace {
    const keys = [tenantKey(scope), addressKey(scope)];
    const { limit, key } = this.#limitOf(scope);
    let count = 0;
    for (const counted of keys) {
      const now = this.#counts.add(counted, 1);
      if (counted === key) count = now;
    }
    const place = new TenantPlace(this.#counts, keys);
    if (limit < 0 || isCounted || count <= limit) return place;
    place.leave();
    throw tooMany(scope, limit);
  }

  #limitOf(scope: ConfigScope): { limit: number; key: string } {
    if (this.#levels.isForAddress('resource_max_connections', scope)) {
      return { limit: this.#levels.view(scope).int('resource_max_connections'), key: addressKey(scope) };
    }
    const whole = tenantScope(scope.clusterName, scope.tenant);
    return { limit: this.#levels.view(whole).int('resource_max_connections'), key: tenantKey(scope) };
  }
}

/** Letters of either case are the same, as in the rows of parameters. */
const tenantKey = ({ clusterName, tenant }: ConfigScope): string => JSON.stringify([clusterName, tenant]).toLowerCase();
const addressKey = (scope: ConfigScope): string => `${tenantKey(scope)} ${scope.vip.host}`;

const tooMany = ({ clusterName, tenant }: ConfigScope, limit: number): OdpError =>
  new OdpError('TOO_MANY_CONNECTIONS', { tenant, cluster: clusterName, limit });
