import type { RouteCandidate } from './candidate.ts';

/**
 * Case B78: puts the servers whose replica was too old a moment ago behind all others. When no replica is left before
 * them the leader, which is never too old, comes first.
 * @param leader null: there is none, or the policy must not use it
 */
export function staleLast(
  candidates: readonly RouteCandidate[],
  isStale: (address: string) => boolean,
  leader: string | null,
): readonly RouteCandidate[] {
  const stale = candidates.filter(({ role, address }) => role !== null && isStale(address));
  if (stale.length === 0) return candidates;
  const fresh = candidates.filter((candidate) => !stale.includes(candidate));
  const behind = stale.map((candidate) => ({ ...candidate, reason: `${candidate.reason}; lately too old` }));
  if (leader === null || fresh.some(({ role }) => role !== null)) return [...fresh, ...behind];
  const reason = 'leader of the table: every replica was too old lately';
  const isOther = ({ address }: RouteCandidate): boolean => address !== leader;
  return [
    { address: leader, role: 'leader', group: null, reason },
    ...fresh.filter(isOther),
    ...behind.filter(isOther),
  ];
}
