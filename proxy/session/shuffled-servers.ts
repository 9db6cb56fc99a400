import { type ClusterTopology, isMember } from '../cluster/topology.ts';

/**
 * All servers of a cluster in random order, those that the cluster itself calls active first: others are tried only
 * when nothing else is left.
 * @param random in [0, 1)
 */
export function shuffledServers(topology: ClusterTopology, random: () => number): { address: string }[] {
  return topology.servers
    .filter(isMember)
    .map((server) => ({ address: server.address, rank: (server.state === 'ACTIVE' ? 0 : 1) + random() }))
    .sort((a, b) => a.rank - b.rank);
}
