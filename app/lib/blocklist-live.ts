import type { QueryClient } from '@tanstack/react-query';
import type { BlocklistCluster, LiveEvent } from '../../proxy/control/contract.ts';
import { type BlocklistResponse, blocklistEventsKey, blocklistQuery } from './blocklist-queries.ts';

type BlocklistLiveEvent = Extract<LiveEvent, { type: 'blocklist' }>;

/** Put a `blocklist` event into the query cache; what it does not tell is asked anew. */
export function applyBlocklistEvent(client: QueryClient, event: BlocklistLiveEvent): void {
  const known = client.getQueryData(blocklistQuery.queryKey);
  // Without a state to put the changes into, or with a hole in them, only a new reading helps.
  if (known === undefined || event.reload) void client.invalidateQueries({ queryKey: blocklistQuery.queryKey });
  else client.setQueryData(blocklistQuery.queryKey, withChanges(known, event));
  // Which open filters an event belongs to is the proxy's to say.
  if (event.events.length > 0 || event.reload) void client.invalidateQueries({ queryKey: blocklistEventsKey });
}

/** The state after an event. One that is older than the state changes nothing. */
export function withChanges(state: BlocklistResponse, event: BlocklistLiveEvent): BlocklistResponse {
  if (Date.parse(event.at) < Date.parse(state.at)) return state;
  const fresh = new Map(event.clusters.map((cluster) => [cluster.name, cluster]));
  const clusters = state.clusters.map((cluster) => {
    const change = fresh.get(cluster.name);
    fresh.delete(cluster.name);
    return change === undefined ? cluster : withClusterChanges(cluster, change);
  });
  const added = [...fresh.values()].map(({ name, parameters, servers }) => ({ name, parameters, servers }));
  return { at: event.at, clusters: [...clusters, ...added] };
}

function withClusterChanges(
  cluster: BlocklistCluster,
  change: BlocklistLiveEvent['clusters'][number],
): BlocklistCluster {
  const fresh = new Map(change.servers.map((server) => [server.address, server]));
  const servers = cluster.servers
    .filter(({ address }) => !change.removed.includes(address))
    .map((server) => {
      const newer = fresh.get(server.address) ?? server;
      fresh.delete(server.address);
      return newer;
    });
  return { name: cluster.name, parameters: change.parameters, servers: [...servers, ...fresh.values()] };
}
