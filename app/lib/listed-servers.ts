import type { BlocklistCluster, BlocklistName } from '../../proxy/control/contract.ts';

/** A server that is on a list. */
export interface ListedServer {
  readonly cluster: string;
  readonly address: string;
  readonly lists: readonly BlocklistName[];
}

/** All servers that are on a list. */
export function listedServers(clusters: readonly BlocklistCluster[]): ListedServer[] {
  return clusters.flatMap((cluster) =>
    cluster.servers
      .filter((server) => server.listings.length > 0)
      .map(({ address, listings }) => ({ cluster: cluster.name, address, lists: listings.map(({ list }) => list) })),
  );
}

/** Those that were on no list before: what is worth an alert. A further list of a listed server is not. */
export function newlyListed(before: readonly ListedServer[], now: readonly ListedServer[]): ListedServer[] {
  const known = new Set(before.map(nameOf));
  return now.filter((server) => !known.has(nameOf(server)));
}

function nameOf({ cluster, address }: ListedServer): string {
  return `${cluster} ${address}`;
}
