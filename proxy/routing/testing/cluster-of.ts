import type { Zone, ZoneType } from '../../cluster/states.ts';
import type { ClusterTopology, Replica, TableLocation } from '../../cluster/topology.ts';
import { planRoute, type RouteInput } from '../plan.ts';
import type { RouteSettings } from '../policy/pick-policy.ts';

/** A zone as tests describe it, with the addresses of its servers. */
export interface TestZone {
  readonly name: string;
  readonly idc: string;
  readonly region: string;
  readonly type?: ZoneType;
  readonly merging?: boolean;
  readonly servers: readonly string[];
}

export function clusterOf(zones: readonly TestZone[]): ClusterTopology {
  return {
    clusterName: 'c',
    revision: 1,
    source: 'views',
    zones: zones.map(
      ({ name, idc, region, type, merging }): Zone => ({
        name,
        idc,
        region,
        type: type ?? 'ReadWrite',
        state: merging ? 'MERGE' : 'ACTIVE',
      }),
    ),
    servers: zones.flatMap(({ name, servers }) =>
      servers.map((address) => ({
        address,
        host: address,
        port: 2881,
        zone: name,
        state: 'ACTIVE' as const,
        reason: '',
      })),
    ),
    refreshedAtMs: 0,
    error: null,
  };
}

export function locationOf(...replicas: readonly (readonly [address: string, role: Replica['role']])[]): TableLocation {
  return {
    tenant: 't',
    database: 'd',
    table: 'x',
    tableId: '1',
    partitionCount: 1,
    schemaVersion: '1',
    replicas: replicas.map(([address, role]) => ({ address, role })),
  };
}

/** A session without any settings. */
export const plainSettings: RouteSettings = {
  idcName: '',
  proxyRoutePolicy: '',
  obRoutePolicy: '',
  primaryZoneName: '',
  followsPrimaryZone: true,
  isRandom: false,
};

/** What a strong request of a session without any settings brings along. */
export const plainInput: Omit<RouteInput, 'topology'> = {
  tenantServers: null,
  tenantPrimaryZone: '',
  singleLeader: null,
  location: null,
  consistency: 'strong',
  fitsReadOnlyZones: false,
  mayReadDuplicate: false,
  settings: plainSettings,
  forced: null,
  boundServer: null,
  lastServer: null,
  forcesLastServer: false,
  isStale: null,
  random: 0,
};

export interface WeakOptions {
  readonly idc?: string;
  readonly policy?: string;
  readonly zonePolicy?: string;
  readonly random?: number;
}

/** The plan of a weak read. */
export function planWeak(topology: ClusterTopology, location: TableLocation, options: WeakOptions = {}) {
  const { idc = '', policy = '', zonePolicy = '', random = 0 } = options;
  const settings = { ...plainSettings, idcName: idc, proxyRoutePolicy: policy, obRoutePolicy: zonePolicy };
  return planRoute({ ...plainInput, topology, location, consistency: 'weak', settings, random });
}

export const addressesOf = (plan: { readonly candidates: readonly { readonly address: string }[] }): string[] =>
  plan.candidates.map(({ address }) => address);
