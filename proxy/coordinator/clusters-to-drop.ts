/** What is known of the use of one served cluster. */
interface ClusterUse {
  readonly key: string;
  readonly clientSessions: number;
  readonly lastUsedAtMs: number;
}

interface DropLimits {
  /** `cluster_count_high_water_mark`. */
  readonly highWaterMark: number;
  /** `cluster_expire_time`, milliseconds; 0: never. */
  readonly expireMs: number;
}

/**
 * Which clusters are given up: those unused for longer than `expireMs`, and beyond the high water mark those unused for
 * longest. One with client sessions is never among them, nor the one used last. Pure.
 */
export function clustersToDrop(
  clusters: readonly ClusterUse[],
  { highWaterMark, expireMs }: DropLimits,
  nowMs: number,
): string[] {
  const idle = clusters
    .filter(({ clientSessions }) => clientSessions === 0)
    .sort((a, b) => a.lastUsedAtMs - b.lastUsedAtMs);
  const newest = Math.max(...clusters.map(({ lastUsedAtMs }) => lastUsedAtMs));
  const tooMany = Math.max(0, clusters.length - highWaterMark);
  return idle
    .filter(({ lastUsedAtMs }, index) => {
      if (expireMs > 0 && nowMs - lastUsedAtMs > expireMs) return true;
      return index < tooMany && lastUsedAtMs < newest;
    })
    .map(({ key }) => key);
}
