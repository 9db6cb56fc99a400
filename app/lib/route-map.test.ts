import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../proxy/control/contract.ts';
import { layOutMap, type MapNode } from './route-map.ts';

function clusterOf(zones: readonly (readonly [zone: string, idc: string, region: string, servers: number])[]): Cluster {
  return {
    zones: zones.map(([name, idc, region]) => ({ name, idc, region, type: 'ReadWrite', state: 'ACTIVE' })),
    servers: zones.flatMap(([zone, , , count]) =>
      Array.from({ length: count }, (_, index) => ({ address: `${zone}-${index}:2881`, zone })),
    ),
  } as unknown as Cluster;
}

const cluster = clusterOf([
  ['z1', 'i1', 'north', 2],
  ['z2', 'i2', 'north', 1],
  ['z3', 'i1', 'north', 0],
  ['z4', 'i3', 'south', 1],
]);
const parents = { idc: 'region', zone: 'idc', server: 'zone' } as const;
const isIn = (inner: MapNode, outer: MapNode): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width + 0.01 &&
  inner.y + inner.height <= outer.y + outer.height + 0.01;
const overlap = (a: MapNode, b: MapNode): boolean =>
  a.x < b.x + b.width - 0.01 &&
  b.x < a.x + a.width - 0.01 &&
  a.y < b.y + b.height - 0.01 &&
  b.y < a.y + a.height - 0.01;

describe.each([340, 700, 1100])('the map at %d pixels', (width) => {
  const map = layOutMap(cluster, width);

  it('puts every part into one of the kind above, and all into the picture', () => {
    for (const node of map.nodes) {
      expect(node.x + node.width).toBeLessThanOrEqual(width + 0.01);
      expect(node.y + node.height).toBeLessThanOrEqual(map.height + 0.01);
      if (node.kind === 'region') continue;
      const kind = parents[node.kind];
      expect(map.nodes.filter((outer) => outer.kind === kind && isIn(node, outer))).toHaveLength(1);
    }
  });

  it('lets nothing overlap its equals, and leaves no server out', () => {
    for (const a of map.nodes) {
      for (const b of map.nodes)
        if (a !== b && a.kind === b.kind) expect(overlap(a, b), `${a.key} ${b.key}`).toBe(false);
    }
    expect(map.nodes.filter(({ kind }) => kind === 'server')).toHaveLength(cluster.servers.length);
    expect(new Set(map.nodes.map(({ key }) => key)).size).toBe(map.nodes.length);
  });
});
