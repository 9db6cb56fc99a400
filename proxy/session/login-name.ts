/** Login names in all their spellings (reference proxy's rules; cases B22, B23). */

export interface LoginName {
  readonly user: string;
  readonly tenant: string;
  readonly cluster: string;
  /** Empty when none was given. */
  readonly clusterId: string;
  /** Neither tenant nor cluster had to be taken from anywhere else. */
  readonly isFull: boolean;
}

export interface LoginNameRules {
  /** Characters of `username_separator`. */
  readonly separators: readonly string[];
  /** `proxy_tenant_name`; empty: none. */
  readonly defaultTenant: string;
  /** `rootservice_cluster_name`; empty: none. */
  readonly defaultCluster: string;
}

/** Tenant of a name without one. */
const SYS_TENANT = 'sys';

/**
 * `user@tenant#cluster[:id]` with tenant and cluster each optional, or `cluster<sep>tenant<sep>user[<sep>id]` for names
 * without `@` and `#` in which one separator occurs at least twice. A user name may hold `@`: the tenant begins after
 * the last one before `#`.
 */
export function parseLoginName(name: string, rules: LoginNameRules): LoginName {
  const parts = splitSeparated(name, rules.separators) ?? splitStandard(name);
  const tenant = parts.tenant || rules.defaultTenant || SYS_TENANT;
  return {
    user: parts.user,
    tenant,
    cluster: parts.cluster || rules.defaultCluster,
    clusterId: parts.clusterId,
    isFull: parts.tenant !== '' && parts.cluster !== '',
  };
}

type NameParts = Pick<LoginName, 'user' | 'tenant' | 'cluster' | 'clusterId'>;

function splitStandard(name: string): NameParts {
  const hash = name.indexOf('#');
  const account = hash < 0 ? name : name.slice(0, hash);
  let clusterPart = hash < 0 ? '' : name.slice(hash + 1);
  // `u1#c1@t1`: the tenant may stand behind the cluster as well.
  let tenant = '';
  const behind = clusterPart.indexOf('@');
  if (behind >= 0 && !account.includes('@')) {
    tenant = clusterPart.slice(behind + 1);
    clusterPart = clusterPart.slice(0, behind);
  }
  const at = account.lastIndexOf('@');
  const user = at < 0 ? account : account.slice(0, at);
  if (at >= 0) tenant = account.slice(at + 1);
  const colon = clusterPart.indexOf(':');
  return {
    user,
    tenant,
    cluster: colon < 0 ? clusterPart : clusterPart.slice(0, colon),
    clusterId: colon < 0 ? '' : clusterPart.slice(colon + 1),
  };
}

function splitSeparated(name: string, separators: readonly string[]): NameParts | null {
  if (name.includes('@') || name.includes('#')) return null;
  for (const separator of separators) {
    const parts = name.split(separator);
    if (parts.length < 3) continue;
    const [cluster = '', tenant = '', user = '', clusterId = ''] = parts;
    if (parts.length === 3) return { cluster, tenant, user, clusterId: '' };
    return parts.length === 4 ? { cluster, tenant, user, clusterId } : null;
  }
  return null;
}
