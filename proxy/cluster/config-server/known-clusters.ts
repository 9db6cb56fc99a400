/** What is known of a ConfigServer's clusters, and how a new answer changes it: what was good stays. Pure. */
import type { ConfiguredCluster } from '../cluster-directory.ts';
import type { IdcRegion } from '../topology.ts';
import type { ClusterList, ListedCluster } from './documents.ts';
import { idcListUrl, serverListUrl } from './urls.ts';

/** One of the clusters of a name, with its IDCs. */
interface KnownMember extends ListedCluster {
  readonly idcRegions: readonly IdcRegion[];
  readonly idcsAtMs: number | null;
  readonly idcFetches: number;
}

/** The clusters of a name. */
interface KnownCluster {
  readonly name: string;
  readonly rsUrl: string;
  /** Empty until its list has been read. */
  readonly members: readonly KnownMember[];
  readonly listedAtMs: number | null;
  readonly listFetches: number;
  /** Why its list could not be read when it was asked for last, or null. */
  readonly error: string | null;
}

export interface KnownClusters {
  readonly version: string;
  readonly clusters: readonly KnownCluster[];
}

/** A new document: clusters that it lacks are gone, those that stay keep their lists. */
export function applyList(known: KnownClusters | null, list: ClusterList): KnownClusters {
  const before = new Map(known?.clusters.map((cluster) => [cluster.name, cluster]));
  return {
    version: list.version,
    clusters: list.clusters.map(({ name, rsUrl }) => {
      const cluster = before.get(name);
      if (cluster === undefined) return { name, rsUrl, members: [], listedAtMs: null, listFetches: 0, error: null };
      return cluster.rsUrl === rsUrl ? cluster : { ...cluster, rsUrl };
    }),
  };
}

/** The servers of the clusters of one name, or why they could not be read. */
export function applyServerLists(
  known: KnownClusters,
  name: string,
  answer: { readonly members: readonly ListedCluster[]; readonly atMs: number } | { readonly error: string },
): KnownClusters {
  return replace(known, name, (cluster) => {
    const listFetches = cluster.listFetches + 1;
    if ('error' in answer) return { ...cluster, listFetches, error: answer.error };
    const before = new Map(cluster.members.map((member) => [member.id, member]));
    const members = answer.members.map((listed): KnownMember => {
      const member = before.get(listed.id);
      const isSame = member !== undefined && sameListing(member, listed);
      if (isSame) return member;
      return { idcRegions: [], idcsAtMs: null, idcFetches: 0, ...member, ...listed };
    });
    return { ...cluster, members, listFetches, listedAtMs: answer.atMs, error: null };
  });
}

/** The IDCs of one cluster; null: they could not be read. */
export function applyIdcRegions(
  known: KnownClusters,
  name: string,
  id: number,
  answer: { readonly idcRegions: readonly IdcRegion[]; readonly atMs: number } | null,
): KnownClusters {
  return replace(known, name, (cluster) => ({
    ...cluster,
    members: cluster.members.map((member) => {
      if (member.id !== id) return member;
      const idcFetches = member.idcFetches + 1;
      if (answer === null) return { ...member, idcFetches };
      return { ...member, idcFetches, idcRegions: answer.idcRegions, idcsAtMs: answer.atMs };
    }),
  }));
}

/** As the rest of the proxy takes them. Standbys are reached by their id only: `name:id`. */
export function configuredClusters({ clusters }: KnownClusters): ConfiguredCluster[] {
  return clusters.flatMap((cluster) => {
    const primary = primaryOf(cluster);
    if (primary === null) return [configured(cluster, cluster.name, null)];
    return [
      configured(cluster, cluster.name, primary),
      ...cluster.members
        .filter((member) => member !== primary)
        .map((member) => configured(cluster, `${cluster.name}:${member.id}`, member)),
    ];
  });
}

/** By the name and id of a log-in name; null: there is no such one. A primary may be named by its id as well. */
export function keyOf({ clusters }: KnownClusters, name: string, id: string): string | null {
  const cluster = clusters.find((candidate) => candidate.name === name);
  if (cluster === undefined) return null;
  const primary = primaryOf(cluster);
  // Where no id is told none can be wrong.
  if (id === '' || primary === null || primary.id === 0 || String(primary.id) === id) return name;
  return cluster.members.some((member) => String(member.id) === id) ? `${name}:${id}` : null;
}

/** Without a primary the first one stands in for it, as clients have to be let in somewhere. */
function primaryOf({ members }: KnownCluster): KnownMember | null {
  return members.find(({ isPrimary }) => isPrimary) ?? members[0] ?? null;
}

function configured(cluster: KnownCluster, key: string, member: KnownMember | null): ConfiguredCluster {
  const { name, rsUrl, listedAtMs, listFetches, error } = cluster;
  const id = member?.id ?? 0;
  return {
    key,
    name,
    id,
    rootServers: member?.rootServers ?? [],
    idcRegions: member?.idcRegions ?? [],
    rsUrl: serverListUrl(rsUrl),
    idcUrl: idcListUrl(rsUrl, id),
    listedAtMs,
    idcsAtMs: member?.idcsAtMs ?? null,
    listFetches,
    idcFetches: member?.idcFetches ?? 0,
    error,
  };
}

function replace(known: KnownClusters, name: string, change: (cluster: KnownCluster) => KnownCluster): KnownClusters {
  return {
    ...known,
    clusters: known.clusters.map((cluster) => (cluster.name === name ? change(cluster) : cluster)),
  };
}

function sameListing(a: ListedCluster, b: ListedCluster): boolean {
  const textOf = ({ isPrimary, rootServers }: ListedCluster) => JSON.stringify([isPrimary, rootServers]);
  return textOf(a) === textOf(b);
}
