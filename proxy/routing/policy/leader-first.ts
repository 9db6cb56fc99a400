import type { Replica, TableLocation } from '../../cluster/topology.ts';
import { type RouteCandidate, rotate } from '../candidate.ts';

/**
 * Order for writes and strong reads (R10, R11): the leader, then the followers from a random one on (each of them
 * passes the request on to the leader it knows). Two leaders are as good as none (B76).
 * @param isKnown whether the cluster lists this server; a location's other rows are passed over
 * @param random in [0, 1)
 */
export function leaderFirst(
  location: TableLocation,
  isKnown: (address: string) => boolean,
  random: number,
): RouteCandidate[] {
  let leader: Replica | null = null;
  let leaders = 0;
  const followers: Replica[] = [];
  for (const replica of location.replicas) {
    if (!isKnown(replica.address)) continue;
    if (replica.role === 'leader') {
      leader = replica;
      leaders += 1;
    } else followers.push(replica);
  }
  if (leader !== null && leaders === 1) {
    const first: RouteCandidate = { address: leader.address, role: 'leader', reason: 'leader of the table' };
    return [first, ...rotate(followers, random).map((replica) => follower(replica, 'follower, after the leader'))];
  }
  const all = location.replicas.filter((replica) => isKnown(replica.address));
  return rotate(all, random).map((replica) => follower(replica, 'replica of a table whose leader is not known'));
}

function follower(replica: Replica, reason: string): RouteCandidate {
  return { address: replica.address, role: 'follower', reason };
}
