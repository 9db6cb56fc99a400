import { describe, expect, it } from 'vitest';
import { clustersToDrop } from './clusters-to-drop.ts';

const cluster = (key: string, lastUsedAtMs: number, clientSessions = 0) => ({ key, lastUsedAtMs, clientSessions });

describe('clustersToDrop', () => {
  it('R3 gives up what was not used for cluster_expire_time, never what has sessions', () => {
    const clusters = [cluster('old', 0), cluster('busy', 0, 3), cluster('new', 900)];
    expect(clustersToDrop(clusters, { highWaterMark: 10, expireMs: 500 }, 1000)).toEqual(['old']);
    expect(clustersToDrop(clusters, { highWaterMark: 10, expireMs: 0 }, 1e12)).toEqual([]);
    expect(clustersToDrop([], { highWaterMark: 2, expireMs: 500 }, 1000)).toEqual([]);
  });

  it('R3 gives up the ones longest unused beyond cluster_count_high_water_mark, never the one just asked for', () => {
    const clusters = [cluster('b', 2), cluster('a', 1), cluster('busy', 0, 1), cluster('c', 3)];
    expect(clustersToDrop(clusters, { highWaterMark: 2, expireMs: 0 }, 10)).toEqual(['a', 'b']);
    const allBusy = [cluster('x', 1, 1), cluster('y', 2, 1), cluster('new', 3)];
    expect(clustersToDrop(allBusy, { highWaterMark: 2, expireMs: 0 }, 10)).toEqual([]);
  });
});
