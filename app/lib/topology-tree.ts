import type { Cluster, Server, Zone } from '../../proxy/control/contract.ts';

export interface ZoneNode {
  /** Null for servers whose zone the cluster does not list: they are shown all the same. */
  readonly zone: Zone | null;
  readonly name: string;
  readonly servers: readonly Server[];
}
export interface IdcNode {
  readonly name: string;
  readonly zones: readonly ZoneNode[];
}
export interface RegionNode {
  readonly name: string;
  readonly idcs: readonly IdcNode[];
}

/** A cluster as region → IDC → zone → server, in the order in which the cluster names them. No server is left out. */
export function topologyTree(cluster: Cluster): RegionNode[] {
  const regions = new Map<string, Map<string, ZoneNode[]>>();
  const put = (region: string, idc: string, node: ZoneNode): void => {
    const idcs = regions.get(region) ?? new Map<string, ZoneNode[]>();
    regions.set(region, idcs);
    idcs.set(idc, [...(idcs.get(idc) ?? []), node]);
  };
  const known = new Set(cluster.zones.map((zone) => zone.name));
  for (const zone of cluster.zones) {
    put(zone.region, zone.idc, {
      zone,
      name: zone.name,
      servers: cluster.servers.filter((server) => server.zone === zone.name),
    });
  }
  for (const name of new Set(cluster.servers.map((server) => server.zone).filter((zone) => !known.has(zone)))) {
    put('', '', { zone: null, name, servers: cluster.servers.filter((server) => server.zone === name) });
  }
  return [...regions].map(([name, idcs]) => ({
    name,
    idcs: [...idcs].map(([idc, zones]) => ({ name: idc, zones })),
  }));
}
